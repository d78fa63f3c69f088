"""Annotation files as rows: JSON, JSONL, CSV, TSV and parquet, unchanged as they were released."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from taec.benchmarks.values import Malformed, Row
from taec.core.errors import UsageError

if TYPE_CHECKING:
    import pyarrow

Entry = TypeVar("Entry")

SHOWN = 10
"""Faults of rows told one by one; of further ones the number."""
PIECE = 1 << 20
LONGEST_CELL = 1 << 30
"""Characters; VLMEvalKit's TSV files hold whole images."""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one file, or of the parts of one. `sha256` is of its bytes, those of parts one after the other."""

    files: tuple[Path, ...]
    form: str
    sha256: str
    rows: Sequence[Row]
    pictures: tuple[str, ...] = ()
    """Columns of a parquet file that hold images: they stay in the file."""

    @property
    def name(self) -> str:
        return self.files[0].name if len(self.files) == 1 else f"{self.files[0].name} and {len(self.files) - 1} more"

    def read(self, row: Callable[[int, Row], Entry], hint: str) -> list[Entry]:
        """Every row by `row(index, values)`. Raises UsageError naming the rows that are malformed, with `hint` at the end."""
        found, faults = self.attempt(row)
        if faults:
            raise refusal(faults, hint)
        return found

    def attempt(self, row: Callable[[int, Row], Entry]) -> tuple[list[Entry], list[str]]:
        """Every row that is well formed by `row(index, values)`, and a fault for each that is not."""
        found, faults = [], []
        for index, values in enumerate(self.rows):
            try:
                found.append(row(index, values))
            except Malformed as error:
                faults.append(f"{self.name} row {index}: {error}.")
        return found, faults


def refusal(faults: Sequence[str], hint: str) -> UsageError:
    """An error that names the first of the faults, says how many more there are, and ends in `hint`, of one line or several."""
    more = [f"{len(faults) - SHOWN} more like these."] if len(faults) > SHOWN else []
    *first, last = [*faults[:SHOWN], *more]
    gap = "\n" if "\n" in hint else " "
    return UsageError(*first, f"{last}{gap}{hint}")


def read_table(path: Path, hint: str) -> Table:
    """The rows of a file; `test-*.parquet` reads all files of that pattern as one.

    Raises UsageError, with `hint` (what the file should be) at the end, where it cannot be read or is not in a known form.
    """
    files = _files(path)
    if not files:
        raise refusal([f"No file is called {path}."], hint)
    form = files[0].suffix.lower().removeprefix(".")
    if form not in (*_FORMS, "parquet"):
        raise refusal([f"{files[0]}: a file of questions ends in .json, .jsonl, .csv, .tsv or .parquet."], hint)
    rows, pictures = list[Row](), tuple[str, ...]()
    for file in files:
        try:
            if form == "parquet":
                part, pictures = _parquet(file)
            else:
                part = list(_FORMS[form](file.read_text("utf-8-sig")))
        except OSError as error:
            raise refusal([f"{file} cannot be read: {error.strerror or error}."], hint) from error
        except (ValueError, RecursionError, csv.Error) as error:
            reason = str(error).splitlines()[0] if str(error) else repr(error)
            raise refusal([f"{file} cannot be read as {form.upper()}: {reason}."], hint) from error
        rows += part
    if not rows:
        raise refusal([f"{path} holds no question."], hint)
    return Table(tuple(files), form, digest(path), rows, pictures)


def digest(path: Path) -> str:
    """The sha256 of what `read_table` reads, in hex; "" where that cannot be read."""
    found = sha256()
    try:
        for file in _files(path):
            with file.open("rb") as opened:
                while piece := opened.read(PIECE):  # a parquet file may hold gigabytes of images
                    found.update(piece)
    except OSError:
        return ""
    return found.hexdigest()


def _files(path: Path) -> list[Path]:
    """The file, or the files of a pattern in alphabetical order."""
    path = path.expanduser()
    if not any(sign in path.name for sign in "*?[") or path.exists():
        return [path]
    return sorted(path.parent.glob(path.name))


def _json(written: str) -> Iterator[Row]:
    """A list of objects, the same under `examples` (ViDoSeek) or `data`, or one object a line."""
    try:
        found = json.loads(written)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise
        yield from _jsonl(written)
        return
    if isinstance(found, dict):
        found = next((found[key] for key in ("examples", "data") if isinstance(found.get(key), list)), [found])
    if not isinstance(found, list):
        raise Malformed("it holds no list of questions")
    for index, row in enumerate(found):
        yield _object(row, f"row {index}")


def _jsonl(written: str) -> Iterator[Row]:
    for number, line in enumerate(written.split("\n"), start=1):
        if line.strip():
            try:
                yield _object(json.loads(line), f"line {number}")
            except (ValueError, RecursionError) as error:
                raise Malformed(f"line {number}: {error}") from None


def _object(row: object, place: str) -> Row:
    if not isinstance(row, dict):
        raise Malformed(f"{place} is no object with named values")
    return row


def _csv(written: str) -> Iterator[Row]:
    """Separated by commas; by semicolons where the first line has no comma, as spreadsheets write it where 2,5 is a number."""
    head = written.partition("\n")[0]
    return _separated(written, ";" if ";" in head and "," not in head else ",")


def _tsv(written: str) -> Iterator[Row]:
    return _separated(written, "\t")


def _separated(written: str, delimiter: str) -> Iterator[Row]:
    """Cells stay the texts that they are: nothing here makes a NaN of the answer `None` or `N/A`."""
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.DictReader(io.StringIO(written, newline=""), delimiter=delimiter, strict=True)
    for row in reader:
        if None in row:
            raise Malformed(f"line {reader.line_num} has more cells than the first line names")
        yield row


def _parquet(file: Path) -> tuple[list[Row], tuple[str, ...]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(file)
        pictures = tuple(field.name for field in schema if _holds_images(pa, field.type))
        return pq.read_table(file, columns=[name for name in schema.names if name not in pictures]).to_pylist(), pictures
    except pa.ArrowException as error:
        raise Malformed(str(error)) from error


def _holds_images(pa: ModuleType, kind: "pyarrow.DataType") -> bool:
    """Whether a column is binary, or the struct of bytes and path that Hugging Face stores an image in (alone or in lists)."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _holds_images(pa, kind.value_type)
    if pa.types.is_struct(kind):
        return any(_holds_images(pa, field.type) for field in kind)
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


_FORMS: Mapping[str, Callable[[str], Iterator[Row]]] = {"json": _json, "jsonl": _jsonl, "csv": _csv, "tsv": _tsv}
