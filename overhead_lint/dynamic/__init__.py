"""Runs a user's program unchanged, counts what the linter would find in it, and says what it cost.

Nothing of it imports torch before the program does. What comes out is evidence
(`overhead_lint.measure.evidence`), and that is all the linter gets to see of a run.
"""
