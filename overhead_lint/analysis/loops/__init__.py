"""Which loops of a file run a training or inference step on each round, by its records and values."""
