"""From PDFs to pages and captions that are stored once."""
