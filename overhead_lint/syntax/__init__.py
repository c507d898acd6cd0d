"""One file: its bytes, text, tree and comments; notebooks, too."""
