"""Places that compile something: what they compile and reach, and how many guards a call evaluates."""
