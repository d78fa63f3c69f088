"""What loading a model from a folder takes: the libraries of an extra, no network, and a device."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from taec.core.errors import UsageError

if TYPE_CHECKING:
    import torch


def require(path: Path, extra: str, packages: tuple[str, ...]) -> None:
    """Raises UsageError unless the packages are installed and `path` is a folder with a model in it."""
    missing = [package for package in packages if find_spec(package) is None]
    faults = []
    if missing:
        faults.append(f"This retriever needs {', '.join(missing)}: pip install 'taec[{extra}]'.")
    if not any((path / name).is_file() for name in ("config.json", "adapter_config.json")):
        faults.append(f"{path} holds no model (no config.json). Name the folder of a downloaded one; nothing is downloaded here.")
    if faults:
        raise UsageError(*faults)


def silence() -> None:
    """No progress bar for reading weights: it would be drawn over the command line's own."""
    from transformers.utils import logging

    logging.disable_progress_bar()


def device(wanted: str) -> "torch.device":
    """`wanted`, where `auto` is a CUDA device if there is one. Raises UsageError for one that torch does not have."""
    import torch

    name = ("cuda" if torch.cuda.is_available() else "cpu") if wanted == "auto" else wanted
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise UsageError(f"device={wanted}: {str(error).splitlines()[0]}") from error
