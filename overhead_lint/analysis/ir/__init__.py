"""One file as a set of functions in SSA form, with control-flow graph and control dependence.

`lowering` turns an `ast` into `records`; `queries` answers what can be asked of a record alone: definitions
and
uses, dominance, reachability, loops. `packing` makes bytes of it for the cache, `printing` makes text for
people.
"""
