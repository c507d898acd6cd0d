"""A rule pack of a third party."""
