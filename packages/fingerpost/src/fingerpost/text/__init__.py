"""Text in any script: folding for comparison, words for search, cutting without breaking, near misses."""
