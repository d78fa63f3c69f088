"""Values as released files spell them: lists as Python or JSON text, numbers as text, NaN where a program met `None`.

Everything raises `Malformed` with what is wrong; the reader of a file says in which row.
"""

import ast
import json
import math
import warnings
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Row: TypeAlias = Mapping[str, object]
"""One row of an annotation file, by column."""

NOTHING = frozenset({"", "none", "nan", "null", "n/a"})
"""Texts that stand for no value where a list or a label is expected, in small letters."""

LIST = ("[", "(", "'", '"')
"""How the text of a list, or of a quoted text, begins."""


class Malformed(ValueError):
    """A value that cannot be used."""


def absent(value: object) -> bool:
    """Whether a cell is empty: None, or the NaN that a table library makes of it."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def text(row: Row, column: str) -> str:
    """A text that has to be there, without outer white space; a number is taken as it is written."""
    value = row.get(column)
    if absent(value):
        raise Malformed(f"{column} is missing")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Malformed(f"{column} has to be a text, not {_shown(value)}")
    found = _sound(str(value), column).strip()
    if not found:
        raise Malformed(f"{column} is empty")
    return found


def optional(row: Row, column: str) -> str:
    """A text that may be missing (then "")."""
    value = row.get(column)
    return "" if absent(value) or value == "" or (isinstance(value, str) and not value.strip()) else text(row, column)


def label(row: Row, column: str) -> str:
    """A label that may be missing, however it is cased and joined: `Multi-Hop` and `multi hop` are `multi_hop`."""
    found = optional(row, column)
    return "" if found.casefold() in NOTHING else joined(found)


def joined(found: str) -> str:
    """A label in small letters, its words joined by underscores."""
    return "_".join(found.casefold().replace("-", " ").split())


def numbers(row: Row, column: str) -> tuple[int, ...]:
    """Whole numbers in order without repeats, from a list, its text, or one number; () where there is none."""
    return tuple(dict.fromkeys(_whole(value, column) for value in items(row, column)))


def texts(row: Row, column: str) -> tuple[str, ...]:
    """Texts in order without repeats, from a list, its text, or one text (`12,400` is one); () where there is none."""
    value = row.get(column)
    if isinstance(value, str) and not value.lstrip().startswith(LIST):
        return () if value.strip().casefold() in NOTHING else (_sound(value, column).strip(),)
    found = [_sound(str(value), column).strip() for value in items(row, column) if _is_scalar(value, column)]
    return tuple(dict.fromkeys(each for each in found if each))


def items(row: Row, column: str) -> Sequence[object]:
    """What a list holds, however it is written; a bare value is its one item."""
    value = row.get(column)
    if absent(value) or (isinstance(value, str) and value.strip().casefold() in NOTHING):
        return ()
    if isinstance(value, str):
        value = literal(value)
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def literal(written: str) -> object:
    """What a Python or JSON literal means; text that is neither means itself. Raises Malformed for a list that does not end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an unknown escape (`\\d`) is Python's to warn of, in source code
        for read in (ast.literal_eval, json.loads):
            try:
                found: object = read(written.strip())
            except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
                continue
            return found
    if written.lstrip().startswith(("[", "(", "{")):
        raise Malformed(f"{_shown(written)} cannot be read as a list")
    return written


def _whole(value: object, column: str) -> int:
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal():
        return int(value) if len(value) < 19 else _refused(value, column)
    if isinstance(value, float) and value.is_integer():
        return _whole(int(value), column)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        return value
    return _refused(value, column)


def _refused(value: object, column: str) -> int:
    raise Malformed(f"{column} holds {_shown(value)}, which is no page number")


def _is_scalar(value: object, column: str) -> bool:
    if absent(value):
        return False
    if isinstance(value, str | int | float):
        return True
    raise Malformed(f"{column} holds {_shown(value)} where a text belongs")


def _sound(found: str, column: str) -> str:
    """Refuses half a character: no file could be written with it."""
    try:
        found.encode()
    except UnicodeEncodeError:
        raise Malformed(f"{column} holds a broken character") from None
    return found


def _shown(value: object) -> str:
    try:
        written = ascii(value)
    except (ValueError, RecursionError):
        written = f"a {type(value).__name__}"
    return written if len(written) <= 60 else f"{written[:57]}..."
