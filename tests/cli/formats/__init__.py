"""Tests of the output formats and of where reports go."""
