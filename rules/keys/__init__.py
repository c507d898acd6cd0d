"""OVH2: keys and representations."""
