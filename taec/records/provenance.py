"""What code and what surroundings made a row."""

import platform
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import BaseModel, ConfigDict

PACKAGE = Path(__file__).parents[1]

LIBRARIES = (
    "bm25s", "faiss-cpu", "hydra-core", "numpy", "omegaconf", "onnxruntime", "openai",
    "pillow", "pydantic", "pypdfium2", "rapidocr", "wordllama",
)  # fmt: skip
"""Distributions whose version can change a row."""

SECRET = re.compile(r"(?i)(^|[._+])[a-z0-9_-]*(api_?key|token|secret|password)=(?=.)")


class CodeState(BaseModel):
    """The version of taec, a fingerprint of its source, and where it is a git checkout the commit and whether files differ from it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str
    fingerprint: str
    commit: str | None
    dirty: bool | None


class Environment(BaseModel):
    """The interpreter, the machine and the libraries that a row depends on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    python: str
    platform: str
    libraries: dict[str, str]


@cache
def code_state() -> CodeState:
    """The code that is running."""
    commit = _git("rev-parse", "HEAD") if _git("ls-files", "--error-unmatch", "__init__.py") else None
    dirty = bool(_git("status", "--porcelain", "--", ".")) if commit else None
    known = _version("taec") or "source tree"
    return CodeState(version=known, fingerprint=code_fingerprint(PACKAGE), commit=commit, dirty=dirty)


@cache
def environment() -> Environment:
    """The surroundings of this process; a library that is not installed is left out."""
    found = {name: known for name in LIBRARIES if (known := _version(name))}
    return Environment(
        python=platform.python_version(),
        platform=platform.platform(),
        libraries=found,
    )


def code_fingerprint(package: Path) -> str:
    """The first 16 hex digits of sha256 over the package's `.py` files: relative path and content of each, in path order."""
    digest = sha256()
    for path in sorted(package.rglob("*.py"), key=lambda path: path.relative_to(package).as_posix()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def redacted(command: Sequence[str]) -> tuple[str, ...]:
    """A command line whose values under a secret's name are struck out (`backbone.api_key=...`; `api_key_env=` names no secret)."""
    return tuple(f"{argument.partition('=')[0]}=***" if SECRET.search(argument) else argument for argument in command)


def _version(distribution: str) -> str:
    """The installed version, "" where the distribution is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def _git(*arguments: str) -> str | None:
    """What git says of the package's folder, or None where there is no git or no checkout."""
    try:
        done = subprocess.run(["git", "-C", str(PACKAGE), *arguments], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
