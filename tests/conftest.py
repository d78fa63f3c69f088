"""Hypothesis for the whole suite: no deadline, and the same examples every time; HYPOTHESIS_PROFILE=search explores."""

import os

from hypothesis import settings

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
