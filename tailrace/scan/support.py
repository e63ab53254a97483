"""Support: says which sources the Arrow scan reads exactly as Spark does, and why it does not read the others.

Whatever is not known to be equal is left to Spark's reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tailrace.catalog.file_samples import FileFormat
from tailrace.catalog.sources import Relation, Stream, beside_script, path_option
from tailrace.scan.open_files import why_not_reached
from tailrace.scan.scan_spec import NamedType
from tailrace.scan.text.text_values import is_readable

# Options that say which files are read and when. Spark itself looks after them, whoever reads the files.
OF_LISTING = frozenset(
    "path pathglobfilter recursivefilelookup modifiedbefore modifiedafter maxfilespertrigger maxbytespertrigger"
    " latestfirst maxfileage cleansource sourcearchivedir filenameonly".split()
)
OF_WRITING = frozenset("quoteall escapequotes ignorenullfields".split())
OF_INFERENCE = frozenset("inferschema samplingratio preferdate prefersdecimal enforceschema".split())
# Options of which only one value is read so, mostly the default.
FIXED: Mapping[str, tuple[str, ...]] = {
    "mode": ("permissive",),
    "multiline": ("false",),
    "encoding": ("utf-8", "utf8"),
    "charset": ("utf-8", "utf8"),
    "quote": ('"',),
    "escape": ("\\",),
    "timezone": ("utc",),
    "ignoreleadingwhitespace": ("false",),
    "ignoretrailingwhitespace": ("false",),
}
TRUTHS = ("true", "false")


def why_spark_reads(source: Stream | Relation) -> str | None:
    """The reason why Spark reads a source's files by its own readers, as far as the declaration tells; None if not."""
    if isinstance(source, Relation) and source.is_static:
        return "it is static"
    if source.event_time:
        return "TIMESTAMP BY is an expression"
    if any(key.lower() == "columnnameofcorruptrecord" for key, _ in source.options):
        return "option columnNameOfCorruptRecord"
    columns = [(field.name, field.type) for field in source.schema]
    path = beside_script(path_option(source.options), source.folder)
    return why_not(source.format or "", source.options, columns) or why_not_reached(path or "")


def why_not(format: str, options: Iterable[tuple[str, str]], columns: Iterable[NamedType]) -> str | None:
    """The reason why a source takes Spark's reader, in words for EXPLAIN; None if the Arrow scan reads it.

    >>> from tailrace.types import INT, array
    >>> print(why_not("csv", [("sep", ";")], [("a", INT)]))
    None
    >>> why_not("csv", [("multiLine", "true")], [("a", INT)])
    'option multiLine is true'
    >>> why_not("csv", [], [("a", array(INT))])
    'column a is ARRAY<INT>'
    """
    format = format.lower()
    if format not in CHECKS:
        return f"format {format or 'of a DataFrame'}"
    given = list(options)
    return next(filter(None, (CHECKS[format](key, value) for key, value in given)), None) or next(
        (f"column {name} is {type}" for name, type in columns if not is_readable(type)), None
    )


def check_csv(key: str, value: str) -> str | None:
    """Why an option of csv files is not read so; None if it is."""
    name = key.lower()
    if name in OF_LISTING | OF_WRITING | OF_INFERENCE | {"columnnameofcorruptrecord"}:
        return None
    if name in ("sep", "delimiter"):
        separator = FileFormat.of("csv", [("sep", value)]).separator
        is_plain = len(separator) == 1 and separator.isascii() and separator not in '\0\r\n"\\'
        return None if is_plain else f"option {key} is {value!r}"
    if name == "header":
        return None if value.lower() in TRUTHS else f"option {key} is {value}"
    if name == "nullvalue":
        return None
    return check_fixed(key, value)


def check_json(key: str, value: str) -> str | None:
    """Why an option of files of JSON lines is not read so; None if it is."""
    if key.lower() in OF_LISTING | OF_WRITING | OF_INFERENCE | {"columnnameofcorruptrecord"}:
        return None
    return check_fixed(key, value)


def check_fixed(key: str, value: str) -> str | None:
    """Why an option with this value is not read so; None if it has the one value that is."""
    if key.lower() not in FIXED:
        return f"option {key}"
    return None if value.lower() in FIXED[key.lower()] else f"option {key} is {value}"


def check_stored(key: str, value: str) -> str | None:
    """Why an option of files that hold their types is not read so; None if it only says which files are read."""
    return None if key.lower() in OF_LISTING else f"option {key}"


CHECKS: Mapping[str, Callable[[str, str], str | None]] = {
    "csv": check_csv,
    "json": check_json,
    "parquet": check_stored,
    "arrow": check_stored,
}
