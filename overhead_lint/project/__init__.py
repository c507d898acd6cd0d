"""Facts about code: scopes, names, kinds, and heat with its reason."""
