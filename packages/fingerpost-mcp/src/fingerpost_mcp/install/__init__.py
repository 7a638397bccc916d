"""Writing the server into the configuration of an MCP client, and taking it out again."""
