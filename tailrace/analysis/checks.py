"""Checks: statements that are refused although they can be typed, which problems are reported, and circles of views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.errors import AnalysisError, ErrorGroup, TailraceError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.plan import Plan, walk
from tailrace.logical.plan_size import SizeMeasure
from tailrace.types import is_integer

ADDED = ("_ts", "_op")
# The most that a statement may read through the names of views and of WITH, these written out to the sources.
MOST_NODES = 1_000  # operators
MOST_FIELDS = 20_000  # columns of all operators
MOST_PARTS = 5_000  # parts of the expression that one column stands for


class AlreadyReported(TailraceError):
    """A statement fails because another one did; only the other one's problem is reported."""


def refuse_added_names(names: Sequence[str], query: exp.Expr) -> None:
    """Refuse columns called _ts or _op: results always have columns of these names."""
    for name in names:
        if name.lower() in ADDED:
            raise AnalysisError(f"{name} is a column that results always have", place_of(query), "give it another name")


def refuse_two_times(plan: Plan, query: exp.Expr) -> None:
    """Refuse a query that reads one source with ticks and another with TIMESTAMPs: their instants do not compare."""
    ticks: dict[bool, str] = {}
    for node in walk(plan):
        if isinstance(node, nodes.Scan) and node.source.timestamp:
            listed = node.source.schema.find(node.source.timestamp)
            if node.source.event_time:
                ticks[node.source.event_time.in_ticks] = node.source.name
            elif listed:
                ticks[is_integer(node.source.schema[listed[0]].type)] = node.source.name
    if len(ticks) == 2:
        raise AnalysisError(
            f"{ticks[True]} counts ticks and {ticks[False]} has TIMESTAMPs: a query needs one kind of time",
            place_of(query),
        )


def refuse_mixed(plan: Plan, query: exp.Expr) -> None:
    """Refuse a query that reads system streams and others: system streams have another time, and are not in the run."""
    read = [node.source.name for node in walk(plan) if isinstance(node, nodes.Scan)]
    system, others = [name for name in read if name in SYSTEM_STREAMS], [n for n in read if n not in SYSTEM_STREAMS]
    if system and others:
        raise AnalysisError(
            f"{system[0]} is a system stream, and {others[0]} is not: one query cannot read both",
            place_of(query),
            "make two queries",
        )


@dataclass
class ReadAllowance:
    """What one statement may still read through names: it bounds the work that a short text can cause."""

    nodes: int = MOST_NODES
    fields: int = MOST_FIELDS
    measure: SizeMeasure = field(default_factory=SizeMeasure)

    def take(self, plan: Plan, name: exp.Identifier) -> None:
        """Count a plan that a name in FROM stands for; raises an AnalysisError if that is too much."""
        if isinstance(plan, nodes.Scan):
            return  # a source has the size of its declaration
        size = self.measure.size_of(plan)
        self.nodes -= size.nodes
        self.fields -= size.fields
        hint = "views are written out where they are read: read a view fewer times, or INTO a sink that others read"
        place = place_of(name)
        if self.nodes < 0:
            message = f"with {name.name}, this reads more than {MOST_NODES:,} operators of views"
            raise AnalysisError(message, place, hint)
        if self.fields < 0:
            message = f"with {name.name}, this reads more than {MOST_FIELDS:,} columns of views"
            raise AnalysisError(message, place, hint)
        if max(size.columns, default=0) > MOST_PARTS:
            message = f"a column of {name.name} has an expression of more than {MOST_PARTS:,} parts"
            raise AnalysisError(message, place, "written out to the columns of sources: compute less in it")


def reportable_problems(problem: TailraceError) -> list[TailraceError]:
    """The problems to report: an ErrorGroup's parts one by one, without those that another statement caused."""
    if isinstance(problem, ErrorGroup):
        return [part for each in problem.problems for part in reportable_problems(each)]
    return [] if isinstance(problem, AlreadyReported) else [problem]


def circle_through(name: str, creates: Mapping[str, ast.Statement]) -> list[str] | None:
    """The views and queries that read each other in a circle, starting at `name`; None if there is no circle."""
    paths = [[name]]
    seen = {name}
    while paths:
        path = paths.pop()
        for read in sorted(names_read(creates.get(path[-1]))):
            if read == name:
                return [creates[step].this.name for step in path]
            if read in creates and read not in seen:
                seen.add(read)
                paths.append([*path, read])
    return None


def names_read(statement: ast.Statement | None) -> set[str]:
    if not isinstance(statement, (ast.CreateView, ast.CreateQuery)):
        return set()
    items = statement.args["query"].find_all(ast.Item)
    return {item.this.name.lower() for item in items if isinstance(item.this, exp.Identifier)}
