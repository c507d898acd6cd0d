"""The built-in rules: one folder a family, in it one module and one Markdown page a rule.

Installed as ``overhead_lint.rules`` (see ``[tool.setuptools.package-dir]``): the bare
import name ``rules`` belongs to another distribution. Modules in here import each other
relatively, so that the folder type-checks and imports under either name.
"""
