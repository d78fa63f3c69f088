"""Document files as they lie on a disk: what is one, under which name, and how many pages it has."""
