"""Pytest plugin: budgets on host overhead, counted by the probes of ``overhead_lint``."""
