"""Staging: operators to stages, under the strategies that their queries ask for or that were chosen for them."""

from __future__ import annotations

from collections.abc import Mapping

from tailrace.analysis.program import Query
from tailrace.errors import RunError
from tailrace.operators.plan import PhysicalPlan
from tailrace.staging.cut_stages import cut_stages
from tailrace.staging.expiry import PROBING, with_expires
from tailrace.staging.expiry_choice import may_change, outlines
from tailrace.staging.plan_version import Edition
from tailrace.staging.stages import StagedPlan


def own_strategy(query: Query) -> str | None:
    """A query's own strategy, if it does not go by the setting."""
    return next((value.lower() for key, value in query.options if key.lower() == "strategy"), None)


def staged(plan: PhysicalPlan, wished: Mapping[str, str], edition: Edition, past: int, triggered: bool) -> StagedPlan:
    """The stages of a plan; `wished` are the strategies of its outputs, `triggered` has all of them wait for input."""
    strategies = {name: edition.chosen.get(name, PROBING) if of == "auto" else of for name, of in wished.items()}
    signed = edition.has_expires or not {"negative", "hybrid"}.isdisjoint(strategies.values())
    placed = with_expires(plan, strategies) if signed else plan
    found = cut_stages(placed, edition.pins, past, edition.joined, triggered)
    if triggered and len(found.stages) > 1:
        raise RunError(
            "strategy 'input' takes one stage, and what only Catalyst computes over an operator's rows takes more",
            hint="choose another strategy",
        )
    found.triggered = triggered
    found.strategies = {name: of for name, of in strategies.items() if wished[name] != "auto" or of != PROBING}
    if "auto" in wished.values():
        known = outlines(plan).items()
        found.outlines = {name: outline for name, outline in known if wished[name] == "auto" and may_change(outline)}
    return found
