"""Embedded backbones offered as an OpenAI-compatible endpoint on this machine."""
