"""The version, kept apart so that a build reads it without importing the package."""

__version__ = "0.2.0"
