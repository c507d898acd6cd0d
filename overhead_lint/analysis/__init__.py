"""The analysis core, in folders of which each uses only those before it.

`ir` has one file as control-flow graphs in SSA form, `effects` what APIs do, `graph` how often
program points run.
"""
