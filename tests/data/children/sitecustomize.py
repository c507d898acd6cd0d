"""Processes that tests start collect garbage more seldom: importing torch is most of what they do.

A fifth of the time that torch and its compiler take to be imported goes into collections that find nothing.
"""

import gc

gc.set_threshold(50_000, 20, 20)
