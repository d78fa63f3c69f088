"""Judges: question, reference and answer go in, a verdict comes out."""
