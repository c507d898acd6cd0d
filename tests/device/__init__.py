"""Tests of the native core, the event counts and the simulated device."""
