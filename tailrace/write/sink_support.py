"""Sink support: says which sinks tasks write exactly as Spark's writers do, and why they do not write the others.

Whatever is not known to be equal is left to Spark's writer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from tailrace.catalog.file_samples import FileFormat
from tailrace.types import BINARY, INTERVAL, MONTHS, STRING, TIMESTAMP_NTZ, VOID, Type, is_atomic, is_integer
from tailrace.write.write_spec import CODECS

NamedType = tuple[str, Type]
OF_SINKS = frozenset({"path", "strategy"})  # options that say nothing of what is in the files
# Options of which only one value is written so, mostly the default.
FIXED: Mapping[str, tuple[str, ...]] = {
    "mode": ("changelog",),
    "encoding": ("utf-8", "utf8"),
    "charset": ("utf-8", "utf8"),
    "quote": ('"',),
    "escape": ("\\",),
    "timezone": ("utc",),
    "compression": ("none", "uncompressed"),
}
TRUTHS = ("true", "false")
PLAIN_NULL = re.compile(r"[\w.-]*", re.ASCII)


def why_not_written(format: str, options: Iterable[tuple[str, str]], columns: Iterable[NamedType]) -> str | None:
    """The reason why a sink takes Spark's writer, in words for EXPLAIN; None if tasks write its files.

    >>> from tailrace.types import INT, array
    >>> print(why_not_written("csv", [("path", "out"), ("header", "true")], [("a", INT)]))
    None
    >>> why_not_written("csv", [("quoteAll", "true")], [("a", INT)])
    'option quoteAll'
    >>> why_not_written("csv", [], [("a", array(INT))])
    'column a is ARRAY<INT>'
    """
    format, found = format.lower(), list(columns)
    if format not in CHECKS:
        return f"format {format}"
    check, is_writable = CHECKS[format]
    reasons = (check(key, value) for key, value in options if key.lower() not in OF_SINKS)
    if reason := next(filter(None, reasons), None):
        return reason
    if any(not name for name, _ in found) or len({name.lower() for name, _ in found}) < len(found):
        return "two columns have one name" if all(name for name, _ in found) else "a column has no name"
    return next((f"column {name} is {type}" for name, type in found if not is_writable(type)), None)


def check_csv(key: str, value: str) -> str | None:
    """Why an option of csv files is not written so; None if it is."""
    name = key.lower()
    if name in ("sep", "delimiter"):
        separator = FileFormat.of("csv", [("sep", value)]).separator
        is_plain = len(separator) == 1 and separator.isascii() and (separator.isprintable() or separator == "\t")
        return None if is_plain and separator not in ' "\\' else f"option {key} is {value!r}"
    if name == "header":
        return None if value.lower() in TRUTHS else f"option {key} is {value}"
    if name == "nullvalue":
        return None if PLAIN_NULL.fullmatch(value) else f"option {key} is {value!r}"
    return check_value(key, value)


def check_json(key: str, value: str) -> str | None:
    """Why an option of files of JSON lines is not written so; None if it is."""
    if key.lower() == "ignorenullfields":
        return None if value.lower() in TRUTHS else f"option {key} is {value}"
    return f"option {key}" if key.lower() in ("quote", "escape") else check_value(key, value)


def check_parquet(key: str, value: str) -> str | None:
    """Why an option of parquet files is not written so; None if it is."""
    if key.lower() == "compression":
        return None if value.lower() in CODECS else f"option {key} is {value}"
    return check_value(key, value) if key.lower() == "mode" else f"option {key}"


def check_value(key: str, value: str) -> str | None:
    """Why an option with this value is not written so; None if it has one of the values that are."""
    if key.lower() not in FIXED:
        return f"option {key}"
    return None if value.lower() in FIXED[key.lower()] else f"option {key} is {value}"


def is_text(type: Type) -> bool:
    """Whether values of a type can be written to csv files."""
    return is_atomic(type) and type not in (BINARY, INTERVAL, MONTHS, TIMESTAMP_NTZ, VOID)


def is_json(type: Type) -> bool:
    """Whether values of a type can be written to json files; the keys of a map are names of fields there."""
    if type.name == "ARRAY":
        return is_json(type.args[0])
    if type.name == "MAP":
        key, value = type.args
        return (key == STRING or is_integer(key)) and is_json(value)
    if type.name == "STRUCT":
        return bool(type.args) and all(is_json(part) for _, part in type.args)
    return is_text(type)


def is_stored(type: Type) -> bool:
    """Whether values of a type can be written to parquet files."""
    if type.name in ("ARRAY", "MAP"):
        return all(is_stored(part) for part in type.args)
    if type.name == "STRUCT":
        return bool(type.args) and all(is_stored(part) for _, part in type.args)
    return is_text(type) or type == BINARY


CHECKS: Mapping[str, tuple[Callable[[str, str], str | None], Callable[[Type], bool]]] = {
    "csv": (check_csv, is_text),
    "json": (check_json, is_json),
    "parquet": (check_parquet, is_stored),
}
