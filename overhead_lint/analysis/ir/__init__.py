"""One file as a set of functions in SSA form, with control-flow graph and control dependence.

`lowering` turns an `ast` into `records`; `queries` answers what can be asked of a record alone: definitions,
uses, dominance, reachability, loops.
"""
