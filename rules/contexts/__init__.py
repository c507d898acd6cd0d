"""OVH1: context managers built in hot code."""
