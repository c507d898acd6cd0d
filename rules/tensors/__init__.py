"""Tensors (OVH7)."""
