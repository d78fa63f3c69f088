"""What turns queries and pages into vectors; one module an embedder."""
