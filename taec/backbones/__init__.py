"""Acting models."""
