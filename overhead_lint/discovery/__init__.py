"""Which files there are: folders, what git ignores, the roots of projects, and the names of modules."""
