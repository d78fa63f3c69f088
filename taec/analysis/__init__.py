"""From rows to what people look at."""
