"""Runs rules over files, and decides which of their findings are shown."""
