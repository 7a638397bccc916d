"""The search index: documents in, ranked hits out. It knows text fields, facets and edges, and nothing of any format."""
