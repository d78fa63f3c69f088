"""What is compared, what differs, and what came of it: run folders, MLflow runs and lists of overrides side by side."""
