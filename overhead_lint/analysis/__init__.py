"""The analysis core, in folders of which each uses only those before it: so far, what APIs do (`effects`)."""
