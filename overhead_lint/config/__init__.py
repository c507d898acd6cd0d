"""Settings of a run: keys, files, and what selects rules."""
