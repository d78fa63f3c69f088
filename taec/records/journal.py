"""The journal of a run folder: `rows.jsonl` and `trajectories.jsonl`, which are the truth that everything else reads.

Lines are only ever added. A question's trajectory goes first and its row last, so a row on the disk means the question is finished;
a trajectory without a row is a question that was cut short, which the next session answers again. The latest line of a question wins.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ValidationError

from taec.core.errors import InfrastructureError, UsageError
from taec.core.trajectory import Trajectory
from taec.records.lines import LineLog, disk_trouble, read_lines, replace_file
from taec.records.rows import Row
from taec.records.trajectories import TrajectoryRecord, record

ROWS = "rows.jsonl"
TRAJECTORIES = "trajectories.jsonl"
LOCK = ".lock"

Line = TypeVar("Line", bound=BaseModel)


class Journal:
    """A run folder open for writing by this process alone; close it, or use it as a context manager. Safe across threads.

    `notices` says what was repaired on opening. Raises UsageError where another process writes there or the folder cannot be made,
    InfrastructureError where a file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = _locked(folder)
        try:
            self._rows_log = LineLog(folder / ROWS)
            self._trajectories_log = LineLog(folder / TRAJECTORIES)
            self._rows = _latest(folder)
        except BaseException:
            self._lock.release()
            raise
        self.notices = tuple(log.notice for log in (self._rows_log, self._trajectories_log) if log.notice)

    @property
    def rows(self) -> Mapping[str, Row]:
        """The latest row of every question, by question id, in the order they were first finished."""
        return MappingProxyType(self._rows)

    def append(self, row: Row, trajectory: Trajectory) -> None:
        """Record a finished question. On return it is on the disk; on InfrastructureError nothing written before is damaged."""
        self._trajectories_log.append(record(row.question_id, trajectory).model_dump_json())
        self.amend(row)

    def amend(self, row: Row) -> None:
        """Record a new row of a question whose trajectory stands (a verdict that came later)."""
        self._rows_log.append(row.model_dump_json())
        self._rows[row.question_id] = row

    def rewrite(self, rows: Iterable[Row]) -> None:
        """Replace all rows at once (new verdicts for a whole batch): either all are replaced or none."""
        fresh = {row.question_id: row for row in rows}
        replace_file(self.folder / ROWS, (row.model_dump_json() for row in fresh.values()))
        self._rows_log.close()
        self._rows_log = LineLog(self.folder / ROWS)
        self._rows = fresh

    def close(self) -> None:
        """Let another process in."""
        self._rows_log.close()
        self._trajectories_log.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def read_rows(folder: Path) -> list[Row]:
    """The latest row of every question of a run folder, for readers: changes nothing, leaves a torn last line out.

    Raises UsageError where the folder holds no rows.
    """
    if not (folder / ROWS).is_file():
        raise UsageError(f"{folder} is not a run folder: it has no {ROWS}.")
    return list(_latest(folder).values())


def read_trajectories(folder: Path) -> Iterator[TrajectoryRecord]:
    """The recorded trajectories in file order, one at a time; the last of a question id is the one its row was made from."""
    if not (folder / TRAJECTORIES).is_file():
        raise UsageError(f"{folder} is not a run folder: it has no {TRAJECTORIES}.")
    return _read(folder / TRAJECTORIES, TrajectoryRecord)


def _latest(folder: Path) -> dict[str, Row]:
    return {row.question_id: row for row in _read(folder / ROWS, Row)}


def _read(path: Path, kind: type[Line]) -> Iterator[Line]:
    for number, line in read_lines(path):
        try:
            yield kind.model_validate_json(line)
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, fault["loc"]))
            raise InfrastructureError(
                f"{path}, line {number} is not a {kind.__name__} of this version of taec ({where}: {fault['msg']}). "
                "Read it with the version that its manifest names, or move the folder away."
            ) from None


def _locked(folder: Path) -> FileLock:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK, timeout=0, thread_local=False)
        lock.acquire()
    except Timeout:
        raise UsageError(f"Another process is writing in {folder}. Wait until it ends, or give this run another output folder.") from None
    except (PermissionError, NotADirectoryError, FileExistsError) as error:
        raise UsageError(f"{folder} cannot be used as a run folder: {error.strerror}. Name another with output.folder=.") from None
    except OSError as error:
        with disk_trouble(folder):
            raise error
    return lock
