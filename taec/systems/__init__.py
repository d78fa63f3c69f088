"""Harnesses around the acting model, one module per system of the paper."""
