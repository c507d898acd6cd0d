"""What expressions are known to be: tensors, numbers, modules, arrays.

`inference` infers, for one file, an `abstract_value` for each expression that is asked about. What it goes
by has a module each: `bindings` of names, `uses` of them, `annotations`, `narrowing` by tests, what calls
give (`call_kinds`, `method_calls`, `tensor_calls`, `named_tuples`, `returns`), and what other files say
(`foreign_arguments`, `exports`).
"""
