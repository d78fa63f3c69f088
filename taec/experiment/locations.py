"""Where things lie: shipped configuration, the cache folder and run folders."""

from pathlib import Path

import taec


def shipped(folder: str) -> Path:
    """The folder `conf` or `sweeps`: inside an installed package, or at the top of a checkout."""
    package = Path(taec.__file__).parent
    inside = package / folder
    return inside if inside.is_dir() else package.parent / folder


def cache_folder(configured: Path | None) -> Path:
    """The folder for what can be made again (page images, indices, OCR results): as configured, or the user's own."""
    if configured is not None:
        return configured.expanduser().resolve()
    from platformdirs import user_cache_path

    return user_cache_path("taec")
