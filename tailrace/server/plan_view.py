"""Plan view: the merged plan of all queries, with the rows, selectivity, state, time and tickets of its operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tailrace.deep_stack import on_deep_stack
from tailrace.engine.explain import names_of
from tailrace.engine.internals import filter_statistics, staged_plan
from tailrace.server.engine_worker import EngineWorker

if TYPE_CHECKING:
    from tailrace.operators.families.routing.statistics import StatsByFamily
    from tailrace.staging.explain import Node

NAMED = 20  # queries, or filters, of an operator that are listed at most
Place = tuple[int, int]  # stage and step; stages count from one, as in EXPLAIN


def picture(desk: EngineWorker) -> dict[str, Any]:
    """The nodes of the plan that runs, each with what the monitors measured since it began to run."""
    from tailrace.staging.explain import stages_graph

    plan, queries = staged_plan(desk.engine)
    names = names_of(plan, queries)
    nodes = on_deep_stack(lambda: stages_graph(plan, names)) if plan.outputs else []
    known, learned = operator_measures(desk, plan.since_batch), filter_statistics(desk.engine)
    rows = {f"source {each['source']}": each["rows"] for each in desk.monitors.now("source_totals")}
    for node in nodes:
        node["uses"], node["queries"] = len(node["queries"]), node["queries"][:NAMED]
        node["measured"] = known.get((node["stage"] + 1, node["step"])) if node["step"] is not None else None
        node["rows"] = rows.get(node["id"])
        node["tickets"] = tickets(node, learned)
    return {"operators": nodes}


def operator_measures(desk: EngineWorker, since: int | None) -> dict[Place, dict[str, Any]]:
    """By operator the rates, the last batches and their sums, for the plan that runs since batch `since`."""

    def rows_by_step(monitor: str) -> dict[Place, list[Mapping[str, Any]]]:
        found: dict[Place, list[Mapping[str, Any]]] = {}
        for row in desk.monitors.now(monitor):
            if row["plan_since_batch"] == since:
                found.setdefault((row["stage"], row["step"]), []).append(row)
        return found

    rates = rows_by_step("operator_rates")
    return {
        place: figures(rates.get(place, [NO_RATE])[0], sorted(course, key=lambda row: int(row["batch"])))
        for place, course in rows_by_step("operator_courses").items()
    }


NO_RATE = {"rate_in": 0.0, "rate_out": 0.0}


def figures(rate: Mapping[str, Any], course: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    totals = {key: sum(each[key] for each in course) for key in ("rows_in", "rows_out", "seconds")}
    return {
        **totals,
        **{key: rate[key] for key in NO_RATE},
        "selectivity": totals["rows_out"] / totals["rows_in"] if totals["rows_in"] else None,
        "state_rows": course[-1]["state_rows"],
        "state_bytes": course[-1]["state_bytes"],
        "history": [
            {
                "at": each["_ts"].timestamp(),
                "in": each["rows_in"],
                "out": each["rows_out"],
                "seconds": each["seconds"],
                "state_rows": each["state_rows"],
            }
            for each in course
        ],
    }


def tickets(node: Node, learned: StatsByFamily) -> list[dict[str, Any]]:
    """The eddy's statistics of a family's filters, those with the most tickets first."""
    known = learned.get(node["family"], {}) if node.get("family") else {}
    found: list[dict[str, Any]] = [
        {
            "filter": name,
            "tickets": each.tickets,
            "selectivity": each.returned / each.taken if each.taken else None,
            "seconds": each.seconds,
        }
        for name, each in known.items()
    ]
    return sorted(found, key=lambda each: -float(each["tickets"]))[:NAMED]
