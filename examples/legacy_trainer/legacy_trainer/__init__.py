"""A small character-level trainer, written the way many were."""
