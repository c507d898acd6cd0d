"""Rules about the comments that silence rules."""
