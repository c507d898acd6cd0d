"""OVH4: streams, events and synchronisation."""
