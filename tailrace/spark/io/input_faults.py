"""Input faults: finds the files of a batch that are gone, damaged or still being written, and keeps them aside by name.

Such a file is left out of its batch as a whole, and the run goes on. It counts as one row that cannot be read, which is
kept with the others of its source and says why. Structured Streaming does not hand a file over again: it must come
once more under another name.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tailrace.errors import RunError
from tailrace.scan.file_faults import GONE, await_writers, find_deep_fault, find_fault
from tailrace.scan.open_files import local_path
from tailrace.spark.io.read_files import FileLayout, FileSource
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, UNREADABLE, SourceLayout
from tailrace.state.storage import is_remote

LOG = logging.getLogger("tailrace")
Faults = Mapping[int, Mapping[str, str]]  # why files cannot be read, by source and file


@dataclass(frozen=True)
class ListedFiles:
    """The files of a source in a batch of Structured Streaming: those that Spark found, and those that are gone."""

    files: Sequence[str]
    gone: Sequence[str] = ()

    @staticmethod
    def of(relation: Any) -> ListedFiles:
        """The files of Spark's relation for a batch; Spark leaves out, without a word, those that it does not find."""
        files, wanted = list(relation.inputFiles()), relation.location().rootPaths()
        if wanted.size() == len(files):
            return ListedFiles(files)
        found = {plain_address(file) for file in files}
        names = [str(wanted.apply(place).toUri().toString()) for place in range(wanted.size())]
        return ListedFiles(files, [name for name in names if plain_address(name) not in found])


def plain_address(file: str) -> str:
    """A file's address in one form: Spark writes it in two.

    >>> plain_address("file:///in/a%20b.csv")
    'file:/in/a%20b.csv'
    """
    return file.replace("file:///", "file:/", 1)


def find_faults(
    listed: Mapping[int, ListedFiles],
    sources: Mapping[int, tuple[FileSource, FileLayout]],
    is_repeated: bool,
    deep: bool,
) -> dict[int, dict[str, str]]:
    """Why files of a batch cannot be read, by source and file, after those that somebody writes were waited for.

    Only `deep` reads whole files, and looks at files of other machines. A file that is gone ends a run whose batch
    `is_repeated`: results of its rows may be delivered already, and nobody could tell later which rows were lost.
    """
    local = [(f, sources[n][0].format) for n, each in listed.items() for f in each.files if not is_remote(f)]
    for file in await_writers(local):
        LOG.warning("%s is still being written: what is written from now on is not read", unquote(file))
    look, found = find_deep_fault if deep else find_fault, {}
    for number, each in listed.items():
        files, _ = sources[number]
        reasons = dict.fromkeys(each.gone, GONE)
        reasons |= {f: why for f in each.files if (deep or not is_remote(f)) and (why := look(f, files.format))}
        gone = [unquote(file) for file, why in reasons.items() if why == GONE]
        if gone and is_repeated:
            raise RunError(
                f"{files.source.name}: {gone[0]} is gone, and a batch that was cut short must read it again",
                hint="put the file back and start again; or put an empty file in its place, to go on without its rows",
            )
        if reasons:
            found[number] = reasons
    return found


def warn_of_faults(faults: Faults, layout: SourceLayout) -> None:
    """Log which files are left out and why."""
    for number, files in faults.items():
        for file, why in files.items():
            LOG.warning("%s: %s is left out: %s", layout.sources[number].name, unquote(file), why)


def has_changed(files: Sequence[str], since: int) -> bool:
    """Whether some file of this machine was changed after a moment in microseconds, or is gone."""
    try:
        return any(Path(local_path(file)).stat().st_mtime_ns > since * 1000 for file in files if not is_remote(file))
    except OSError:
        return True


def add_faults(rows: DataFrame, faults: Faults, layout: SourceLayout) -> DataFrame:
    """The rows and, for each file that was left out, one that cannot be read and says why."""
    rows = rows if FILE in rows.columns else rows.withColumn(FILE, F.input_file_name())
    told = [(number, file, why) for number, files in faults.items() for file, why in files.items()]
    added = rows.sparkSession.createDataFrame(told, "number INT, file STRING, why STRING")
    known = {SOURCE: "number", FILE: "file", UNREADABLE: "why", MOMENT: "CAST(NULL AS BIGINT)"}
    texts = layout.texts(known)
    added = added.selectExpr(
        *texts, *([] if any(text.endswith(f" AS {FILE}") for text in texts) else [f"file AS {FILE}"])
    )
    return rows.unionByName(added)
