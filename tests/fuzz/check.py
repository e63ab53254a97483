"""Check: the variants in which a random script is run, and where its answers differ from what they should be."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from pyspark.sql import SparkSession

from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import Source
from tailrace.testing.answers import find_differences
from tailrace.testing.random_scripts.scripts import SETTINGS, RandomScript
from tailrace.testing.random_scripts.sources import ORIGIN
from tests.fuzz.answers import Answers
from tests.fuzz.definition import expected_answer
from tests.fuzz.file_sinks import draw_sinks
from tests.fuzz.live_road import run_live
from tests.fuzz.run_road import run_files, run_restarted
from tests.fuzz.statement_road import run_statements

CHANGING = ("restarts", "live")  # roads on which queries come and go
WRITING = ("files", "restarts")  # roads on which some queries write files
SILENCE = 2  # instants after the last row in which windows still empty


@dataclass(frozen=True)
class Variant:
    """How a script is run: by which road, in how many batches, under which settings; each query alone, or together."""

    road: str  # statements, files, restarts or live
    batches: int
    settings: Mapping[str, str]
    alone: str | None = None  # the query that runs alone

    def __str__(self) -> str:
        settings = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        return f"{self.road}, {self.batches} batches, {settings}{f', {self.alone} alone' if self.alone else ''}"


@dataclass(frozen=True)
class Problem:
    """A query whose answers differ, or a run that failed; `lines` say where."""

    variant: Variant
    query: str
    lines: tuple[str, ...]


@dataclass
class Tally:
    """What was compared."""

    counts: Counter[str] = field(default_factory=Counter)

    def lines(self) -> list[str]:
        return [f"{count:9,} {what}" for what, count in self.counts.items()]


@dataclass
class Checker:
    """Runs scripts in a session as the engine sets its own, below a folder, and counts what it compares."""

    spark: SparkSession  # a user's session
    session: SparkSession  # the engine's own beside it
    folder: Path
    tally: Tally = field(default_factory=Tally)

    def variants(self, script: RandomScript, road: str) -> list[Variant]:
        """The variants of a script by a road; others for other seeds."""
        chance = Random(script.seed * 7 + len(road))

        def settings() -> dict[str, str]:
            drawn = {name: chance.choice(values) for name, values in SETTINGS.items()}
            # The road of statements is there for Spark SQL; whole runs take both ways alike.
            return drawn | {"scan": "spark"} if road == "statements" and chance.randrange(4) else drawn

        found = [Variant(road, chance.choice((1, 1, 3)), settings())]
        if chance.randrange(10) == 0:
            found.append(Variant(road, chance.choice((1, 3)), settings()))
        if len(script.queries) > 1 and chance.randrange(8) == 0 and road not in CHANGING:
            found.append(Variant(road, chance.choice((1, 2)), settings(), chance.choice(list(script.queries))))
        return found

    def check(self, script: RandomScript, road: str) -> list[Problem]:
        """Every difference in the variants of a script by a road."""
        compiled = compile_script(Source(script.text()))
        variants = self.variants(script, road)
        found = [problem for each in variants for problem in self.check_variant(script, each, compiled)]
        self.tally.counts["scripts"] += 1
        for scan in {each.settings["scan"] for each in variants if each.alone is None}:
            who = "Spark SQL" if scan == "spark" else "tasks"
            self.tally.counts[f"queries by {road} whose rows {who} prepared"] += len(script.queries)
        self.tally.counts["queries"] += len(script.queries)
        if road in WRITING:
            self.tally.counts["queries that wrote files"] += len(draw_sinks(script))
        self.tally.counts[f"queries by {road}"] += len(script.queries)
        return found

    def check_variant(self, script: RandomScript, variant: Variant, compiled: PlanningSession) -> list[Problem]:
        shown = script.with_queries([variant.alone]) if variant.alone else script
        self.tally.counts["variants"] += 1
        try:
            answers, spans = self.run(shown, variant)
        except Exception as problem:
            return [Problem(variant, "*", (f"{type(problem).__name__}: {problem}",))]
        found = []
        for name, (first, last) in spans.items():
            if last < first:
                self.tally.counts["queries of which no instant was decided"] += 1
                continue
            expected = expected_answer(compiled, script, name, last, first)
            if expected is None:
                self.tally.counts["queries that are errors by definition"] += 1
                continue
            self.tally.counts["answers compared"] += 1
            self.tally.counts["instants compared"] += last - first + 1
            # What needs no other row is told at once, even of instants that are not decided yet.
            rows = [row for row in answers.of(name) if variant.road != "live" or row[0] <= last]
            lines = find_differences(expected.answer, rows, expected.first)
            if lines:
                found.append(Problem(variant, name, tuple(lines[:8])))
        return found + ([] if variant.road in CHANGING else self.check_laws(shown, answers, variant))

    def run(self, script: RandomScript, variant: Variant) -> tuple[Answers, dict[str, tuple[int, int]]]:
        """The answers, and for each query from which instant to which they go."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        if variant.road in CHANGING:
            restarted = (
                run_restarted(self.spark, script, self.folder, variant.settings)
                if variant.road == "restarts"
                else run_live(self.spark, script, self.folder, variant.settings)
            )
            return restarted.answers, {name: (restarted.since[name], end) for name, end in restarted.until.items()}
        end = script.last + SILENCE
        until = str(end) if script.in_ticks else str(ORIGIN + timedelta(seconds=end))
        run: Callable[..., Answers] = run_statements if variant.road == "statements" else run_files
        session = self.session if variant.road == "statements" else self.spark
        answers = run(session, script, variant.batches, until, self.folder, variant.settings)
        return answers, dict.fromkeys(script.queries, (0, end))

    def check_laws(self, script: RandomScript, answers: Answers, variant: Variant) -> list[Problem]:
        """Where answers do not fit each other."""
        found = []
        for law in script.laws:
            first, *others = (changes(answers, name) for name in law.queries)
            together: Counter[Any] = Counter()
            for other in others:
                together.update(other)
            self.tally.counts["laws checked"] += 1
            wrong = {key: (first[key], together[key]) for key in first | together if first[key] != together[key]}
            if wrong:
                lines = tuple(f"{law.kind}: {key} {one} times and not {other}" for key, (one, other) in wrong.items())
                found.append(Problem(variant, law.queries[0], lines[:8]))
        return found


def changes(answers: Answers, name: str) -> Counter[Any]:
    """The changes of an answer, those that take back counted as less than none."""
    found: Counter[Any] = Counter()
    for instant, sign, row in answers.of(name):
        found[instant, row] += -1 if sign == "-" else 1
    return found
