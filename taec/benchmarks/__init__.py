"""Questions with gold pages, read from the files of a benchmark."""
