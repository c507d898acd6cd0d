"""How often the blocks of functions run: behind gates, in loops of steps, in other loops."""
