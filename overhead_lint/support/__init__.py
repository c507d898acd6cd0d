"""What all parts use: files that are seen whole, JSON with a schema, words that are near, processors."""
