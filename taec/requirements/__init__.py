"""Where a question's requirements come from."""
