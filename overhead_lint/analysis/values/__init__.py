"""What expressions may be, over all files of a project: a lattice, transfer functions, summaries, a solver.

`project` is what others ask. `lattice` has the values and `references` what they refer to; `slots` what is
joined over its stores; `linker` finds what names mean across files; `operations` and `calls` say what each
operation makes of its operands, and `solver` runs them until nothing changes any more.
"""
