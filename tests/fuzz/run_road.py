"""Run road: whole runs of a script over files by the functions behind `tailrace run`, stopped and started again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_beside, stand
from tailrace.errors import Source
from tailrace.testing.random_scripts.scripts import RandomScript
from tailrace.testing.random_scripts.sources import RandomSource, Row
from tests.fuzz.answers import Answers, instant_of
from tests.fuzz.file_sinks import draw_sinks, read_answers, sink_texts
from tests.fuzz.files import write_files


def run_files(
    spark: SparkSession, script: RandomScript, files: int, until: str, folder: Path, settings: Mapping[str, str]
) -> Answers:
    """All rows in one run that ends, as `tailrace run --once`: so many files of each source, one a batch."""
    shutil.rmtree(folder, ignore_errors=True)
    for source in script.sources:
        write_files(source, split(source.rows, 1 if source.is_static else files), folder, script.in_ticks, 0)
    sinks = draw_sinks(script)
    text = script.text(".", 1 if files > 1 else None, settings, sink_texts(sinks))
    answers = Answers()
    run_beside(compile_script(Source(text), folder), str(folder), until, spark, {}, answers.take)
    read_answers(spark, script, sinks, folder, answers)
    return answers


def split(rows: Sequence[Row], count: int) -> list[Sequence[Row]]:
    """Rows in so many parts of about the same length, in their order."""
    edges = [len(rows) * number // count for number in range(count + 1)]
    return [rows[edges[number] : edges[number + 1]] for number in range(count)]


@dataclass
class Restarted:
    """What a run that was stopped and started again answered, and from which instant to which each query ran."""

    answers: Answers = field(default_factory=Answers)
    since: dict[str, int] = field(default_factory=dict)
    until: dict[str, int] = field(default_factory=dict)


def run_restarted(spark: SparkSession, script: RandomScript, folder: Path, settings: Mapping[str, str]) -> Restarted:
    """A run that takes what is there and stops, once for each phase; queries come, go and are replaced in between."""
    shutil.rmtree(folder, ignore_errors=True)
    found, sinks, begin = Restarted(), draw_sinks(script), 0
    for number, end in enumerate(script.phases):
        for source in script.sources:
            write_phase(source, begin, end, folder, script.in_ticks, 2 * number)
        # A query may be registered under the name of another one, which it replaces.
        named = queries_of_phase(script, number)
        at_hand = replace(script, queries={name: script.queries[query] for name, query in named.items()})
        texts = sink_texts(sinks)
        into = {name: texts[query] for name, query in named.items() if query in texts}
        compiled = compile_script(Source(at_hand.text(".", 1, settings, into)), folder)
        take_phase(compiled, folder, named, found)
        for query in named.values():
            found.since.setdefault(query, 0)
            found.until[query] = end
        begin = end + 1
    read_answers(spark, script, sinks, folder, found.answers)
    return found


def write_phase(source: RandomSource, begin: int, end: int, folder: Path, in_ticks: bool, first: int) -> None:
    """The rows of a phase in two files; a static table is there from the beginning."""
    if not source.is_static:
        rows = [row for row in source.rows if begin <= (row[0] or 0) <= end]
        write_files(source, split(rows, 2), folder, in_ticks, first)
    elif begin == 0:
        write_files(source, [source.rows], folder, in_ticks, 0)


def queries_of_phase(script: RandomScript, number: int) -> dict[str, str]:
    """The queries of a phase by the names under which they are registered.

    Some are there in the first phase only, some from the second on, and some of these under the name of one that left.
    """
    chance = Random(script.seed)
    names = list(script.queries)
    fates = {name: chance.choice(("stays", "stays", "leaves", "joins")) for name in names}
    fates |= {name: "stays" for name in names if fates[name] == "joins" and not may_join(script, name)}
    if "stays" not in fates.values():
        fates[names[0]] = "stays"
    left = [name for name in names if fates[name] == "leaves"]
    joined = [name for name in names if fates[name] == "joins"]
    # A query that is like the one it replaces would be that one, and go on with its state.
    pairs = [pair for pair in zip(joined, left, strict=False) if script.queries[pair[0]] != script.queries[pair[1]]]
    replacing = dict(pairs) if chance.random() < 0.5 else {}
    if number == 0:
        return {name: name for name in names if fates[name] != "joins"}
    return {replacing.get(name, name): name for name in names if fates[name] != "leaves"}


def may_join(script: RandomScript, name: str) -> bool:
    """Whether a query can join a run: no relation that it reads may have a past, which is not kept."""
    texts = [script.queries[name]]
    for view in reversed(list(script.views)):
        texts += [script.views[view]] if is_read(view, texts) else []
    moving = [source.name for source in script.sources if not (source.is_stream or source.is_static)]
    return not any(is_read(source, texts) for source in moving)


def is_read(name: str, texts: Sequence[str]) -> bool:
    """Whether one of these queries names a source or view."""
    return any(re.search(rf"\b{name}\b", text) for text in texts)


def take_phase(compiled: Any, folder: Path, named: Mapping[str, str], found: Restarted) -> None:
    """Run over what is new; rows and first instants are those of the queries behind the names."""

    def show(query: Any, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        found.answers.add(named[query.name], names, rows)

    def note_first_instants(change: Any) -> None:
        for name, instant in change.started.items():
            found.since[named[name]] = (
                int(instant) if instant.isdigit() else instant_of(datetime.fromisoformat(instant))
            )

    checkpoint = str(folder / "checkpoint")
    stand(compiled, str(folder), checkpoint, None, lambda stop: None, "local[2]", show, changed=note_first_instants)
