"""What turns queries and pages into one vector a token, for late interaction; one module an encoder."""
