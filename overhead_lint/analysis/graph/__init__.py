"""How often the points of a program run: guards that let them run seldom, and how much so."""
