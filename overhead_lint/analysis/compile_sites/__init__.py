"""Places that compile something: what they compile, what that reaches, and how many guards a call evaluates."""
