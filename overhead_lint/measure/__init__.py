"""What runs and timings showed, as data: evidence, traces, calibrated costs."""
