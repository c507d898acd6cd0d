"""What APIs do: tables of effects, signatures generated from torch, and the look-up of both.

`lookup` finds the `effect` of a name, `signatures` says how it is called, `binding` binds arguments to
parameters, and `writes` tells which arguments a call writes to. The tables are TOML files in tables/; from
them `freeze` makes a Python module. benchmarks/api_signatures.py writes down the signatures. Nothing here
imports torch, or reads TOML at start.
"""
