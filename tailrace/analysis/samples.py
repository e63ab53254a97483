"""Samples: what SAMPLE says of a stream: its share, or its reservoir, and the seed."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical.shares import Share

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis

SEED = "0"
LEAST = Decimal("0.000001")


def share_of(node: ast.Sample, stream: str, queries: QueryAnalysis) -> Share:
    """The share that SAMPLE p PERCENT takes of a stream; without a SEED it gets one, so that it can be taken again."""
    percent = Decimal(node.this)
    if percent == 0:
        raise AnalysisError("SAMPLE 0 PERCENT takes nothing", place_of(node), "SAMPLE takes more than 0 PERCENT")
    if percent > 100:
        raise AnalysisError(
            f"SAMPLE {node.this} PERCENT is more than there is", place_of(node), "SAMPLE takes at most 100 PERCENT"
        )
    if percent < LEAST:
        raise AnalysisError(f"SAMPLE takes at least {LEAST:f} PERCENT", place_of(node))
    return Share(percent, seed_of(node, f"{stream}'s SAMPLE", queries))


def seed_of(node: exp.Expr, what: str, queries: QueryAnalysis) -> int:
    """The seed that is written, or the default one, which then is."""
    if node.args.get("seed") is None:
        node.set("seed", SEED)
        queries.default(node, f"{what} has no SEED: it gets SEED {SEED}")
    return int(node.args["seed"])
