"""Rows, trajectories and manifests of a run folder: files are the truth, everything else reads them."""
