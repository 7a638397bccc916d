"""The Open Knowledge Format: pure functions on the text of one file."""
