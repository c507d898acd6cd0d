"""The version, kept apart so that a build reads it without importing the package; that of the linter."""

__version__ = "0.2.0"
