"""Python in the hot path (OVH6)."""
