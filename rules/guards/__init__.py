"""OVH3: guards and compilation."""
