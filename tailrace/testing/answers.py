"""Answers: what the queries of a script answer by definition, and where the rows of a run differ from that."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tailrace.catalog.sources import Declared, Relation
from tailrace.engine.pipeline import compile_script
from tailrace.errors import RunError, Source
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Kind, walk
from tailrace.logical.time.window_tables import end_of_windows
from tailrace.testing.files import INTEGER, Clock, Dated, Stamp, read_inputs, read_value
from tailrace.testing.reference.casts import read_moment
from tailrace.testing.reference.evaluate import Answer, changelog, evaluate
from tailrace.testing.reference.values import Row

Rows = str | Iterable[Sequence[Any]]
Change = tuple[int, str | None, Row]  # the instant, the sign of a change, the tuple
MOST_PROBLEMS = 20


@dataclass(frozen=True)
class QueryAnswer:
    """What a query answers by definition. Its text has a line for each row: the values and, after `@`, the timestamp.

    >>> script = "CREATE STREAM S (k INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT ISTREAM(k + 1 AS n) FROM S;"
    >>> answer = evaluate_script(script, {"S": [(3, 10), (5, 20)]})["q"]
    >>> print(answer)
    11 @3
    21 @5
    >>> answer.at(5), answer.differences([(3, 11), (5, 22)])
    ([(21,)], ['@5 missing (21,)', '@5 unexpected (22,)'])
    """

    answer: Answer
    clock: Clock

    @property
    def is_stream(self) -> bool:
        return self.answer.kind is Kind.STREAM

    def at(self, stamp: int | datetime) -> list[Row]:
        """The tuples of a relation, or the new elements of a stream, at an instant."""
        return sorted(self.answer.bags[self.clock.instant(stamp)].elements(), key=str)

    def changes(self) -> list[Change]:
        """A stream's elements, or a relation's changes with their signs, by instant."""
        if self.is_stream:
            return [(instant, None, row) for instant, row in self.answer.elements]
        return [*changelog(self.answer)]

    def __str__(self) -> str:
        return "\n".join(
            " ".join([*([sign] if sign else []), *map(str, row), f"@{self.clock.stamp(instant)}"])
            for instant, sign, row in self.changes()
        )

    def differences(self, rows: Iterable[Sequence[Any]]) -> list[str]:
        """Where the rows of a run differ from the definition; none if they are right.

        A row is as `Query.rows` gives it: the timestamp, for a relation the sign of the change, and the values.
        """
        begin = 1 if self.is_stream else 2
        changes = [(self.clock.instant(row[0]), None if self.is_stream else row[1], tuple(row[begin:])) for row in rows]
        return find_differences(self.answer, changes)


def evaluate_script(
    script: str, rows: Mapping[str, Rows] | None = None, until: int | str | None = None, folder: str | Path = "."
) -> dict[str, QueryAnswer]:
    """What each query of a script answers by definition, at every instant up to `until`, or to the end of `run --once`.

    `rows` has the rows of a source by its name, as lists or as a text with a line each. A row of a stream is
    `(timestamp, value, …)` or `value … @timestamp`. A row of a relation with OP BY has its sign first among the values:
    `(timestamp, "-", value, …)` or `- value … @timestamp`. A row of a static relation has no timestamp. In texts `None`
    is NULL, and values with blanks are in quotes. Sources without rows are read from their csv and json files below
    `folder`.

    >>> text = "CREATE RELATION R (k INT, city STRING); CREATE QUERY q AS SELECT k FROM R WHERE city = 'New York';"
    >>> print(evaluate_script(text, {"R": "1 'New York'\\n2 Bonn"})["q"])
    1 @0
    """
    program = compile_script(Source(script), Path(folder)).program
    plans = {name: query.plan for name, query in program.queries.items()}
    sources = {node.source for plan in plans.values() for node in walk(plan) if isinstance(node, Scan)}
    given = {}
    for name, each in (rows or {}).items():
        source = program.catalog.find(name)
        if not isinstance(source, Declared):
            raise RunError(f"the script declares no source {name}")
        given[source.name] = date_rows(source, each)
    missing = [source.name for source in sources if source.name not in given and not source.format]
    if missing:
        raise RunError(f"no rows are given for {', '.join(sorted(missing))}")
    inputs = read_inputs(sources, program.settings, until, given)
    clock, last = inputs.clock, inputs.last_instant
    if until is None:
        last = end_of_windows(plans.values(), last, clock.ticks_to_origin)
    return {
        name: QueryAnswer(evaluate(plan, inputs.rows, last, origin=clock.ticks_to_origin), clock)
        for name, plan in plans.items()
    }


def date_rows(source: Declared, rows: Rows) -> list[Dated]:
    """Rows given as lists or as a text, each with its timestamp and its sign."""
    has_sign = isinstance(source, Relation) and source.op is not None
    found: list[Dated] = []
    for row in split_lines(rows, source.timestamp is not None) if isinstance(rows, str) else rows:
        values = list(row)
        stamp = None if source.timestamp is None else read_stamp(values.pop(0))
        sign = values.pop(0) if has_sign else None
        if len(values) != len(source.schema):
            raise RunError(f"{source.name} has {len(source.schema)} columns, and not the {len(values)} of {tuple(row)}")
        columns = zip(values, source.schema, strict=True)
        found.append((stamp, sign, tuple(read_value(value, column.type) for value, column in columns)))
    return found


def split_lines(text: str, has_stamp: bool) -> list[list[str | None]]:
    """The words of each line; if lines end with a timestamp, it comes first.

    >>> split_lines("a None @3\\n\\n'New York' 2 @4", True)
    [['3', 'a', None], ['4', 'New York', '2']]
    """
    lines = []
    for line in filter(str.strip, text.splitlines()):
        before, at, stamp = line.rpartition("@") if has_stamp else (line, "", "")
        if has_stamp and not at:
            raise RunError(f"a timestamp is missing after {line.strip()!r}", hint="write it as in: a 1 @3")
        words = [None if word == "None" else word for word in shlex.split(before)]
        lines.append([stamp.strip(), *words] if has_stamp else words)
    return lines


def read_stamp(stamp: Any) -> Stamp:
    if isinstance(stamp, str):
        return int(stamp) if INTEGER.fullmatch(stamp) else read_moment(stamp)
    return read_moment(stamp.isoformat()) if isinstance(stamp, datetime) else int(stamp)


def find_differences(expected: Answer, changes: Iterable[Change], first: int = 0) -> list[str]:
    """Where changes differ from an answer that begins with an instant, a line each; the first twenty or so."""
    last = len(expected.bags) - 1
    by_instant: dict[int, Counter[Row]] = {}
    problems = []
    for instant, sign, row in changes:
        if 0 <= instant <= last:
            by_instant.setdefault(instant, Counter())[row] += -1 if sign == "-" else 1
        else:
            problems.append(f"@{instant} is outside the run: {row}")
    now: Counter[Row] = Counter()
    for instant in range(last + 1):
        now = Counter() if expected.kind is Kind.STREAM else now
        now.update(by_instant.get(instant, Counter()))
        wanted = expected.bags[instant] if instant >= first else Counter()
        problems += [f"@{instant} less than none of {row}" for row, count in now.items() if count < 0]
        problems += compare_bags(+now, wanted, instant)
        if len(problems) > MOST_PROBLEMS:
            break
    return problems


def compare_bags(found: Counter[Row], wanted: Counter[Row], instant: int) -> list[str]:
    """What is missing and what is too much; fractions may differ in their last digits."""
    extra = list((found - wanted).elements())
    problems = []
    for row in (wanted - found).elements():
        near = next((other for other in extra if all(map(is_close, other, row))), None)
        if near is None:
            problems.append(f"@{instant} missing {row}")
        else:
            extra.remove(near)
    return problems + [f"@{instant} unexpected {row}" for row in extra]


def is_close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        near = abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-3)
        return near or one == other or (one != one and other != other)
    return type(one) is type(other) and bool(one == other)
