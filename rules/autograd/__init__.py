"""OVH8: autograd and optimisers."""
