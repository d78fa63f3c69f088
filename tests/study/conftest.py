from support.tiny import tiny, tiny_cache

__all__ = ["tiny", "tiny_cache"]
