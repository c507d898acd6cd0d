"""Facts about code: scopes, names, calls, loops, and heat with its reason.

`facts` gathers what is known about one file, part by part, when a part is first asked for: `scan` is the
one pass over its tree, `names`, `values` and `flow` say what names stand for, `loops`, `gates` and
`placement` how often a place runs, `seeds` which functions are hot or cold for what they are. `summary` is
what other files need of it, as plain data. Two packages build on that: `kinds` infers what expressions are,
`graph` joins the files of a project. `vocabulary` has all words that heuristics go by.
"""
