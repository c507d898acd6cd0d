"""Programs that compile something, one a module; each has `run`, which calls the compiled form twice."""
