"""Compiled cores of overhead-lint for one torch build and one Python: libraries that it finds by name."""
