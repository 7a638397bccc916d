"""Markdown as CommonMark reads it: where links, headings, code and comments stand. Nothing is rendered."""
