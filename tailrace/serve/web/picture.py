"""Picture: the merged plan of all queries with what its operators do: rows, selectivity, state, time, tickets."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tailrace.engine.deep import deep
from tailrace.engine.report import names_of
from tailrace.serve.web.desk import Desk

if TYPE_CHECKING:
    from tailrace.physical.explain_graph import Node
    from tailrace.spark.gauge import Taken

RATED = 10.0  # seconds over which rows and time are counted
HISTORY = 60  # batches
NAMED = 20  # queries of an operator that are named


def picture(desk: Desk) -> dict[str, Any]:
    """The plan's nodes, and of each what was measured since the plan is what it is."""
    from tailrace.physical.explain_graph import stages_graph

    plan, queries = desk.engine.stages()
    names = names_of(plan, queries)
    nodes = deep(lambda: stages_graph(plan, names)) if plan.outputs else []
    taken = [each for each in list(desk.engine.taken) if each.plan is plan]
    rows = {f"source {name}": count for name, count in (taken[-1].rows if taken else {}).items()}
    for node in nodes:
        node["uses"], node["queries"] = len(node["queries"]), node["queries"][:NAMED]
        node["measured"] = measured(node, taken) if node["step"] is not None else None
        node["rows"] = rows.get(node["id"])
        node["tickets"] = tickets(node, taken)
    return {"operators": nodes, "batches": len(taken)}


def measured(node: Node, taken: Sequence[Taken]) -> dict[str, Any] | None:
    """Rates of late, totals, what is remembered now, and the course over the last batches."""
    key = node["stage"], node["step"]
    found = [(each.at, each.operators[key]) for each in taken if key in each.operators]
    if not found:
        return None
    now = time.time()
    recent = [each for at, each in found if at >= now - RATED]
    rows_in, rows_out = sum(each.rows_in for _, each in found), sum(each.rows_out for _, each in found)
    last = found[-1][1]
    return {
        "rows_in": rows_in,
        "rows_out": rows_out,
        "rate_in": sum(each.rows_in for each in recent) / RATED,
        "rate_out": sum(each.rows_out for each in recent) / RATED,
        "selectivity": rows_out / rows_in if rows_in else None,
        "seconds": sum(each.seconds for _, each in found),
        "remembered": last.remembered,
        "bytes": last.bytes,
        "history": [
            {"at": at, "in": each.rows_in, "out": each.rows_out, "seconds": each.seconds, "remembered": each.remembered}
            for at, each in found[-HISTORY:]
        ],
    }


def tickets(node: Node, taken: Sequence[Taken]) -> list[dict[str, Any]]:
    """What an eddy knows of its filters, those with the most tickets first."""
    known: Mapping[str, Any] = taken[-1].tickets.get(node["family"], {}) if node.get("family") and taken else {}
    found = [
        {
            "filter": name,
            "tickets": each.tickets,
            "selectivity": each.returned / each.taken if each.taken else None,
            "seconds": each.seconds,
        }
        for name, each in known.items()
    ]
    return sorted(found, key=lambda each: -float(each["tickets"]))[:NAMED]
