"""Reading by rules: pure functions over OCR lines and prompts, from which the `reader` backbone is made."""
