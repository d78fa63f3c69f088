"""From a configuration to rows."""
