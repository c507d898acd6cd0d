"""OVH5: floating-point precision settings."""
