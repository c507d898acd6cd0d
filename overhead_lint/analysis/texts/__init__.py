"""Texts: what makes them of which objects, and where they go."""
