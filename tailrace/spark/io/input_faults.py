"""Input faults: finds the files of a batch that are gone, damaged or still being written, and chooses those to read.

A file with a fault is left out of its batch as a whole, and the run goes on. It counts as one row that cannot be read,
which is kept with the others of its source and says why. Structured Streaming does not hand a file over again. So a
run remembers what it left out. When such a file has changed, a later batch looks at it again, and reads it if it is
whole.

What was chosen is written down before the batch delivers anything. A repetition of the batch reads the same files,
also if a file that was left out is whole by then.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tailrace.errors import RunError
from tailrace.scan.file_faults import (
    GONE,
    LINES,
    REFUSED,
    await_writers,
    find_deep_fault,
    find_fault,
    is_unfinished,
    stamp_of,
)
from tailrace.spark.io.read_files import FileSource
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.io.sources import spark_name
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, UNREADABLE, SourceLayout
from tailrace.state.storage import is_remote

LOG = logging.getLogger("tailrace")
RECENT = 3600.0  # seconds since an empty file was changed, in which somebody may still write it
MOST_LEFT_OUT = 1000  # files of a source that a run remembers to look at again
GONE_SINCE = "it is gone: it was there when the batch began that must be repeated"
# What Spark says of a file that is damaged, and not of one whose columns have other types.
FAILED_READ = re.compile(
    r"\[FAILED_READ_FILE\.(?:NO_HINT|CANNOT_READ_FILE_FOOTER|FILE_NOT_EXIST)\][^\n]*? file (\S+)\.\s"
)
# What Spark says of values, such as a number that cannot be divided by: no file is the cause.
OF_VALUES = re.compile(r"SQLSTATE: (?:22|P0)")
LeftOut = Mapping[str, Mapping[str, str]]  # what was left out, by source and file, and the stamp that it had then


class FileFault(NamedTuple):
    """Why a file was left out, and its stamp at that time; none of a file that may be readable without a change."""

    why: str
    stamp: str

    @staticmethod
    def of(why: str, stamp: str) -> FileFault:
        return FileFault(why, "" if why.startswith(REFUSED) else stamp)


@dataclass(frozen=True)
class FileChoice:
    """Which files a batch reads: of those that came all but `left_out`, and `retried`, which were left out before.

    `unmended` are not read either, and do not count as rows that cannot be read: they were left out before and have
    changed but are not whole yet, or are empty text files, which somebody may have just opened. All are by the name
    that Spark has for the source.
    """

    left_out: Mapping[str, Mapping[str, FileFault]] = field(default_factory=dict)
    retried: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unmended: LeftOut = field(default_factory=dict)

    def faults_of(self, source: str) -> Mapping[str, FileFault]:
        return self.left_out.get(source, {})

    def files_of(self, source: str, listed: Sequence[str]) -> list[str]:
        """The files of a source that the batch reads, of those that Spark listed and those left out before."""
        unread, retried = {*self.faults_of(source), *self.unmended.get(source, ())}, self.retried.get(source, ())
        return [file for file in dict.fromkeys((*listed, *retried)) if file not in unread]

    @property
    def count(self) -> int:
        """How many files are left out."""
        return sum(map(len, self.left_out.values()))

    def to_json(self) -> dict[str, Any]:
        return {"left_out": self.left_out, "retried": self.retried, "unmended": self.unmended}

    @staticmethod
    def from_json(found: Mapping[str, Any]) -> FileChoice:
        left_out = {
            source: {file: FileFault(*fault) for file, fault in files.items()}
            for source, files in found["left_out"].items()
        }
        return FileChoice(left_out, found["retried"], found["unmended"])


class ChoiceLog(Protocol):
    """Where the choice of a batch is written down, so that a repetition of the batch finds it."""

    def read_choice(self, batch: int) -> Mapping[str, Any] | None: ...

    def write_choice(self, batch: int, choice: Mapping[str, Any]) -> None: ...


class InputFaultError(Exception):
    """Raised when a batch failed because files cannot be read; its `choice` leaves them out."""

    def __init__(self, choice: FileChoice) -> None:
        super().__init__("files of this batch cannot be read")
        self.choice = choice


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
        return ListedFiles(files, [listed_address(name) for name in names if plain_address(name) not in found])


def plain_address(file: str) -> str:
    """A file's address in one form: Spark writes it in two.

    >>> plain_address("file:///in/a%20b.csv")
    'file:/in/a%20b.csv'
    """
    return file.replace("file:///", "file:/", 1)


def listed_address(file: str) -> str:
    """A file's address in the form in which Spark lists files that it finds.

    >>> listed_address("file:/in/a%20b.csv"), listed_address("s3a://in/a.csv")
    ('file:///in/a%20b.csv', 's3a://in/a.csv')
    """
    plain = plain_address(file)
    return plain.replace("file:/", "file:///", 1) if plain.startswith("file:/") else file


@dataclass(frozen=True)
class BatchFiles:
    """The files that a batch may read, by the name of their source: `listed` by Spark, or `left_out` by batches before.

    `is_repeated` says that an earlier run began the batch, and `taken_at` is Spark's clock then, in microseconds.
    """

    sources: Mapping[str, FileSource]
    listed: Mapping[str, ListedFiles]
    left_out: LeftOut
    is_repeated: bool = False
    taken_at: int = 0

    def choose(self, recorded: FileChoice | None) -> FileChoice:
        """Choose what to read, after files that somebody still writes were waited for.

        What an earlier attempt at the batch `recorded` stays; only files that have a fault now are left out besides.
        """
        formats = {f: self.sources[n].format for n, each in self.listed.items() for f in each.files if not is_remote(f)}
        for file in await_writers(list(formats.items())):
            if formats[file] in LINES:
                LOG.warning("%s is still being written: what is written from now on is not read", unquote(file))
        if recorded is None:
            recorded = self.set_empty_aside(FileChoice() if self.is_repeated else self.look_again())
        return self.add_faults(recorded, False)

    def set_empty_aside(self, choice: FileChoice) -> FileChoice:
        """The choice without text files that are empty: if one grows, a later batch reads it.

        Whoever writes a file opens it first, and its rows come when a buffer is full. Spark lists it only once.
        """
        unmended = {name: dict(files) for name, files in choice.unmended.items()}
        for name, each in self.listed.items():
            for file in each.files if self.sources[name].format in LINES else ():
                size, _, changed = stamp_of(file).partition(" ")
                if size == "0" and not is_remote(file) and time.time() - int(changed) / 1e9 < RECENT:
                    unmended.setdefault(name, {})[file] = f"{size} {changed}"
        return replace(choice, unmended=unmended)

    def check(self, choice: FileChoice, problem: Exception) -> None:
        """Read all files of a batch that failed; an InputFaultError if some cannot be read to their end.

        Of formats that only Spark reads, what Spark said tells. If it said that a value was wrong, nothing is read.
        """
        text = str(problem.__cause__ or problem)
        if OF_VALUES.search(text) and "FAILED_READ_FILE" not in text:
            return
        found, said = self.add_faults(choice, True), set(FAILED_READ.findall(text))
        left_out = dict(found.left_out)
        for name, listed in self.listed.items() if said else ():
            faults = {
                file: FileFault("Spark cannot read it", stamp_of(file))
                for file in found.files_of(name, listed.files)
                if file in said
            }
            if faults:
                left_out[name] = {**found.faults_of(name), **faults}
        found = replace(found, left_out=left_out)
        if found != choice:
            raise InputFaultError(found)

    def choose_again(self, choice: FileChoice, problem: Exception) -> FileChoice:
        """A choice without the files that cannot be read; raises the problem again if there are none."""
        try:
            self.check(choice, problem)
        except InputFaultError as found:
            return found.choice
        raise problem

    def look_again(self) -> FileChoice:
        """Look at the files that were left out before and have changed since."""
        retried: dict[str, list[str]] = {}
        unmended: dict[str, dict[str, str]] = {}
        for name in self.left_out.keys() & self.sources.keys():
            listed = self.listed.get(name, ListedFiles(())).files
            for file, before in self.left_out[name].items():
                source, stamp = self.sources[name], stamp_of(file)
                if not stamp or stamp == before or file in listed:
                    continue
                is_empty = source.format in LINES and stamp.startswith("0 ")
                if is_empty or is_unfinished(file, source.format, time.time()):
                    continue
                why = find_source_fault(source, file, True)
                if why is None:
                    retried.setdefault(name, []).append(file)
                else:
                    unmended.setdefault(name, {})[file] = FileFault.of(why, stamp).stamp
        return FileChoice({}, retried, unmended)

    def add_faults(self, choice: FileChoice, deep: bool) -> FileChoice:
        """The choice with more files left out. Only `deep` reads whole files, and looks at files of other machines."""
        found, retried = {}, choice.retried
        for name in {**self.listed, **choice.left_out, **retried}:
            source, listed = self.sources.get(name), self.listed.get(name, ListedFiles(()))
            if source is None:
                continue
            faults = dict(choice.faults_of(name))
            faults |= {file: FileFault(self.why_gone, "") for file in listed.gone if file not in faults}
            for file in dict.fromkeys((*listed.files, *retried.get(name, ()))):
                if file not in faults and (deep or not is_remote(file)):
                    stamp, why = stamp_of(file), find_source_fault(source, file, deep)
                    if why is not None:
                        faults[file] = FileFault.of(self.why_gone if why == GONE else why, stamp)
            if faults:
                found[name] = faults
        return replace(choice, left_out=found)

    @property
    def why_gone(self) -> str:
        return GONE_SINCE if self.is_repeated else GONE

    def add_up_left_out(self, choice: FileChoice) -> LeftOut:
        """The files that the run has left out after the batch; each is looked at again when its stamp is another."""
        found: dict[str, dict[str, str]] = {}
        for name in {**self.left_out, **choice.left_out, **choice.unmended}:
            taken = {*choice.retried.get(name, ()), *self.listed.get(name, ListedFiles(())).files}
            kept = {file: stamp for file, stamp in self.left_out.get(name, {}).items() if file not in taken}
            kept |= choice.unmended.get(name, {})
            kept |= {file: fault.stamp for file, fault in choice.faults_of(name).items()}
            if kept:
                found[name] = dict(list(kept.items())[-MOST_LEFT_OUT:])
        return found

    def write_down(self, choice: FileChoice, log: ChoiceLog | None, batch: BatchId | None) -> None:
        """Write down the choice before results are delivered, unless all files are read."""
        self.refuse_removal(choice)
        if log is not None and batch is not None and choice != FileChoice():
            log.write_choice(batch.number, choice.to_json())

    def refuse_removal(self, choice: FileChoice) -> None:
        """A RunError if a file is left out that Spark would remove, since its source says `cleanSource`."""
        for name, files in {**choice.unmended, **choice.left_out}.items():
            options = {key.lower(): value.lower() for key, value in self.sources[name].source.options}
            there = [file for file in files if stamp_of(file)] if options.get("cleansource") == "delete" else []
            if there:
                raise RunError(
                    f"{unquote(there[0])} cannot be read, or not yet, and cleanSource would remove it",
                    hint="mend it or move it away, and start again",
                )

    def warn_of_faults(self, choice: FileChoice) -> None:
        """Log which files are left out and why, and which of those that were left out before are read now."""
        for name, faults in choice.left_out.items():
            for file, fault in faults.items():
                LOG.warning("%s: %s is left out: %s", self.sources[name].source.name, unquote(file), fault.why)
        for name, retried in choice.retried.items():
            for file in retried:
                if file not in choice.faults_of(name):
                    LOG.warning("%s: %s is whole now, and is read", self.sources[name].source.name, unquote(file))


def read_choice(log: ChoiceLog | None, batch: BatchId | None) -> FileChoice | None:
    """The choice that an earlier attempt at a batch wrote down; None if there is none."""
    found = log.read_choice(batch.number) if log is not None and batch is not None and batch.again else None
    return None if found is None else FileChoice.from_json(found)


def find_source_fault(source: FileSource, file: str, deep: bool) -> str | None:
    """Why a file of a source cannot be read; None if it can be, as far as a look at it tells."""
    fault = (find_deep_fault if deep else find_fault)(file, source.format)
    if fault is None and source.source.timestamp is None and source.file_format.has_header:
        # Without a timestamp, nothing else would tell that no value of the file's rows is known.
        try:
            names = source.names_in(file)
        except RunError as problem:
            return problem.message
        if names is not None and not {name.lower() for name in names} & {n.lower() for n in source.declared_names}:
            return f"its header names none of the columns of {source.source.name}"
    return fault


def add_fault_rows(rows: DataFrame, choice: FileChoice, layout: SourceLayout) -> DataFrame:
    """The rows and, for each file that was left out, one that cannot be read and says why."""
    rows = rows if FILE in rows.columns else rows.withColumn(FILE, F.input_file_name())
    numbers = {spark_name(source): number for number, source in enumerate(layout.sources)}
    told = [
        (numbers[name], file, fault.why) for name, files in choice.left_out.items() for file, fault in files.items()
    ]
    added = rows.sparkSession.createDataFrame(told, "number INT, file STRING, why STRING")
    known = {SOURCE: "number", FILE: "file", UNREADABLE: "why", MOMENT: "CAST(NULL AS BIGINT)"}
    texts = layout.texts(known)
    has_file = any(text.endswith(f" AS {FILE}") for text in texts)
    return rows.unionByName(added.selectExpr(*texts, *([] if has_file else [f"file AS {FILE}"])))
