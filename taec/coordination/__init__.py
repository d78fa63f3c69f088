"""The coordination of evidence across a trajectory: pure functions, numbers in, decisions out."""
