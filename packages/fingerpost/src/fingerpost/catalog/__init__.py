"""The search index: documents in, ranked hits out. It knows nothing of any format."""
