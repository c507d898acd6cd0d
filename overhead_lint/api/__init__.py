"""What rules use beside `overhead_lint.rule`: what they may ask of a file, and words of reasons."""
