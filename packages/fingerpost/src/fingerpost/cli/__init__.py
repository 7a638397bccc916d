"""The command line: one module a command; packages add more as plug-ins."""
