"""Explain analyze: the operators of a running query, each with the rows, the state and the time of its newest batches.

The figures come from the system stream of operators. A run that has no monitors begins to measure its operators when it
is first asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tailrace.analysis.statements.replies import Explanation, Reply
from tailrace.deep_stack import on_deep_stack
from tailrace.engine.explain import indent, names_of, outcome_text
from tailrace.engine.monitors import Monitors

if TYPE_CHECKING:
    from tailrace.engine.engine import Engine
    from tailrace.engine.pipeline import PlanningSession

MEASURES = """
CREATE QUERY operator_courses AS
SELECT batch, plan_since_batch, stage, step, rows_in, rows_out, seconds, state_rows, state_bytes
FROM tailrace.operators [PARTITION BY stage, step ROWS 60];
"""
HEAD = ("operator", "rows in", "rows out", "state rows", "state bytes", "seconds")


def reply_text(engine: Engine, session: PlanningSession) -> str | None:
    """What the statements of a text say that an engine has executed; None if they say nothing."""
    said = [each for each in session.program.outcomes if isinstance(each, Reply)]
    failures = {name: query.failure for name, query in engine.queries.items() if query.failure} if said else {}
    texts = on_deep_stack(lambda: [outcome_text(session, each, failures) for each in said])
    measured = [each for each in said if isinstance(each, Explanation) and each.is_measured]
    return "\n\n".join([*texts, *(explain_running(engine, each.plans) for each in measured)]) or None


def explain_running(engine: Engine, names: Collection[str]) -> str:
    """What the operators of these queries did in the newest batches; one line if there is nothing to measure."""
    if not engine.running:
        return "no query runs: EXPLAIN ANALYZE measures a run in the background"
    if missing := [name for name in names if name not in engine.queries]:
        return f"{', '.join(missing)} does not run: only a registered query is measured"
    from tailrace.engine.internals import staged_plan

    monitors = measuring_monitors(engine)
    plan, queries = staged_plan(engine)
    known = measures_of(monitors.now("operator_courses"), plan.since_batch)
    if not known:
        return "no batch has been measured yet: ask again after the next one"
    return on_deep_stack(lambda: report(graph_of(plan, queries), known, names))


def measuring_monitors(engine: Engine) -> Monitors:
    """The monitors of the run; without any, those that measure operators are attached from the next batch on."""
    if engine._monitors is None:
        engine._monitors = monitors = Monitors(MEASURES)
        assert engine._live is not None
        engine._live.monitors = monitors.begin()
        engine._live.change(engine._session, engine._source_frames)
    return engine._monitors


def graph_of(plan: Any, queries: Sequence[Any]) -> list[dict[str, Any]]:
    from tailrace.staging.explain import stages_graph

    return stages_graph(plan, names_of(plan, queries)) if plan.outputs else []


def measures_of(rows: Sequence[Mapping[str, Any]], since: int | None) -> dict[tuple[int, int], dict[str, Any]]:
    """By stage and step the sums of the newest batches, and the state after the last one."""
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: int(row["batch"])):
        if row["plan_since_batch"] != since:
            continue
        sums = found.setdefault((row["stage"], row["step"]), {"batches": 0, "in": 0, "out": 0, "seconds": 0.0})
        sums["batches"] += 1
        sums["in"] += row["rows_in"]
        sums["out"] += row["rows_out"]
        sums["seconds"] += row["seconds"]
        sums |= {"state_rows": row["state_rows"], "state_bytes": row["state_bytes"]}
    return found


def report(
    nodes: Sequence[Mapping[str, Any]], known: Mapping[tuple[int, int], Mapping[str, Any]], names: Collection[str]
) -> str:
    """A line for each operator that the queries use, inputs first."""
    lines: list[tuple[str, ...]] = [HEAD]
    for node in nodes:
        if node["step"] is None or not (set(names) & set(node["queries"])):
            continue
        measured = known.get((node["stage"] + 1, node["step"]))
        if measured is None:
            continue
        label = f"{node['id']} {node['operator']} {node['detail']}".rstrip()
        figures = (f"{measured[key] or 0:,}" for key in ("in", "out", "state_rows", "state_bytes"))
        lines.append((label, *figures, f"{measured['seconds']:.3f}"))
    batches = max((each["batches"] for each in known.values()), default=0)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = ["  ".join([label.ljust(widths[0]), *map(str.rjust, figures, widths[1:])]) for label, *figures in lines]
    title = f"{', '.join(names)}, the newest {batches} batch{'' if batches == 1 else 'es'}"
    return "\n".join([title, indent("\n".join(table))])
