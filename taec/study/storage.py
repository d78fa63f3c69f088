"""Where trials are kept: a journal file by default, any database that Optuna knows on request, never the MLflow store."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from taec.core.errors import InfrastructureError
from taec.experiment.store import Store
from taec.study.quiet import quiet_optuna
from taec.study.study import Study

if TYPE_CHECKING:
    from optuna.storages import BaseStorage
    from optuna.study import Study as Trials

JOURNAL = "journal.log"
PATIENCE = 600.0
"""Seconds to wait for another worker's claim; a claim takes milliseconds, a sampler with much history seconds."""
ATTEMPTS = 5
PAUSE = 1.0
"""Attempts to make a database's tables, and seconds between them."""
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")


def is_url(storage: str) -> bool:
    """Whether a storage is a database's address."""
    return "://" in storage


def resolved(storage: str | None) -> str | None:
    """The storage with the name of an environment variable replaced by what it holds."""
    return os.environ.get(storage, storage) if storage and VARIABLE.fullmatch(storage) else storage


def storage_fault(storage: str | None, tracked: Store | None) -> str | None:
    """What is wrong with the storage that was asked for, without saying any password."""
    if storage and VARIABLE.fullmatch(storage) and not os.environ.get(storage):
        return f"storage={storage}: there is no such environment variable; set it to a database's address, or name a journal file"
    real = resolved(storage)
    if real is None:
        return None
    try:
        file = _file(real)
    except ValueError:
        return "storage: an address looks like postgresql+psycopg://user@host/database, mysql+pymysql://... or sqlite:///file"
    if tracked and file == tracked.database:
        return "storage is the MLflow store; Optuna and MLflow damage each other's tables. Leave storage out, or name another"
    return None


def _file(storage: str) -> Path | None:
    """The file that a storage is, None where it is a server's. Raises ValueError where an address cannot be read."""
    if not is_url(storage):
        return Path(storage).expanduser().resolve()
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(storage)
    except ArgumentError as error:
        raise ValueError("no address") from error
    return Path(url.database).expanduser().resolve() if url.drivername.startswith("sqlite") and url.database else None


def location(study: Study) -> str:
    """Where the trials are, as it may be shown, and as `optuna-dashboard` takes it."""
    real = resolved(study.settings.storage)
    if real is None or not is_url(real):
        return str(journal_file(study))
    from sqlalchemy.engine import make_url

    return make_url(real).render_as_string(hide_password=True)


def journal_file(study: Study) -> Path:
    """The journal, where the storage is one."""
    real = resolved(study.settings.storage)
    return (_file(real) if real else None) or study.folder / JOURNAL


def open_storage(study: Study) -> "BaseStorage":
    """The storage, made where it is missing. Raises InfrastructureError where it cannot be used."""
    from optuna.storages.journal import JournalFileBackend

    optuna = quiet_optuna()
    real = resolved(study.settings.storage)
    try:
        if real and is_url(real):
            return _database(real)
        file = journal_file(study)
        file.parent.mkdir(parents=True, exist_ok=True)
        journal: BaseStorage = optuna.storages.JournalStorage(JournalFileBackend(str(file)))
        return journal
    except Exception as error:
        raise unusable(study, error) from None


def _database(address: str) -> "BaseStorage":
    """A database, its tables made where they are missing. Of several machines that make them at once, all but one are refused: they
    find them there on the next attempt."""
    from sqlalchemy.exc import IntegrityError, ProgrammingError

    for _ in range(ATTEMPTS - 1):
        try:
            return _opened(address)
        except (IntegrityError, ProgrammingError):
            time.sleep(PAUSE)
    return _opened(address)


def _opened(address: str) -> "BaseStorage":
    database: BaseStorage = quiet_optuna().storages.get_storage(address)
    return database


def unusable(study: Study, error: Exception) -> InfrastructureError:
    """What a storage says, in one line and without the address it may repeat."""
    said = str(error).strip().splitlines()
    text = (said[0] if said else "").replace(resolved(study.settings.storage) or "\0", location(study))
    return InfrastructureError(f"The storage {location(study)} cannot be used: {type(error).__name__}: {text}")


def open_trials(study: Study, storage: "BaseStorage") -> "Trials":
    """The study in its storage, made where it is missing."""
    optuna = quiet_optuna()
    directions = ["maximize" if objective == "accuracy" else "minimize" for objective in study.settings.objectives]
    found: Trials = optuna.create_study(storage=storage, study_name=study.name, directions=directions, load_if_exists=True)
    if not found.metric_names:
        found.set_metric_names(list(study.settings.objectives))
    return found


def claims_are_locked(study: Study) -> bool:
    """Whether all workers share a lock: the one beside their journal. A database's may be on machines that share no disk."""
    return not is_url(resolved(study.settings.storage) or "")


@contextmanager
def alone(study: Study) -> Iterator[None]:
    """One worker at a time: of all, or where the storage is a database, of those with this folder."""
    folder = journal_file(study).parent if claims_are_locked(study) else study.folder
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f".{study.name}.lock", timeout=PATIENCE):
        yield
