"""From a kind and a name to the module that implements the option.

A kind is a configuration group and a package of the same meaning; an option file, its module and its name are spelt alike. Where several
option files are data for one module (every served model is `openai_chat`), each names it in its key `module`.
Other packages add options by an entry point in the group `taec.<kind>` whose name is the option and whose value is a module.
"""

import importlib
from importlib.metadata import entry_points
from types import ModuleType

from taec.core.errors import UsageError
from taec.core.settings import Settings

KINDS = {
    "system": "taec.systems",
    "backbone": "taec.backbones",
    "retriever": "taec.retrievers",
    "benchmark": "taec.benchmarks",
    "requirements": "taec.requirements",
    "judge": "taec.judges",
}
"""Package of every kind. (A collection and a budget have values only: nothing is chosen by their names.)"""


def option(kind: str, name: str) -> ModuleType:
    """The module of an option, with `Settings` and `build`. Raises UsageError where neither taec nor an entry point has one."""
    module = _own(kind, name) or _foreign(kind, name)
    if module is None:
        raise UsageError(f"{kind}={name}: no module {KINDS[kind]}.{name} and no entry point '{name}' in the group taec.{kind}")
    missing = [attribute for attribute in ("Settings", "build") if not hasattr(module, attribute)]
    if missing:
        raise UsageError(f"{kind}={name}: the module {module.__name__} has no {' and no '.join(missing)}")
    return module


def settings_class(kind: str, name: str) -> type[Settings]:
    """The typed settings of an option."""
    found: type[Settings] = option(kind, name).Settings
    return found


def _own(kind: str, name: str) -> ModuleType | None:
    path = f"{KINDS[kind]}.{name}"
    if not name.isidentifier():
        return None
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name == path:
            return None
        raise UsageError(f"{kind}={name} needs the package '{error.name}', which is not installed") from error


def _foreign(kind: str, name: str) -> ModuleType | None:
    for point in entry_points(group=f"taec.{kind}", name=name):
        try:
            return importlib.import_module(point.module)
        except ImportError as error:
            raise UsageError(f"{kind}={name}: the entry point {point.value} cannot be imported: {error}") from error
    return None
