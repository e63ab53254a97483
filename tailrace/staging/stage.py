"""Staging: operators to stages, under the strategies that their queries ask for or that were chosen for them."""

from __future__ import annotations

from collections.abc import Mapping

from tailrace.analysis.program import QueryDefinition
from tailrace.errors import RunError
from tailrace.operators.plan import PhysicalPlan
from tailrace.staging.cut_stages import cut_stages
from tailrace.staging.expiry import PROBING, insert_expiry
from tailrace.staging.expiry_choice import may_change, outlines
from tailrace.staging.plan_version import PlanVersion
from tailrace.staging.stages import StagedPlan


def own_strategy(query: QueryDefinition) -> str | None:
    """A query's own strategy, if it does not go by the setting."""
    return next((value.lower() for key, value in query.options if key.lower() == "strategy"), None)


def stage_plan(
    plan: PhysicalPlan, wished: Mapping[str, str], edition: PlanVersion, past: int, triggered: bool
) -> StagedPlan:
    """The stages of a plan; `wished` are the strategies of its outputs, `triggered` has all of them wait for input."""
    strategies = {name: edition.chosen.get(name, PROBING) if of == "auto" else of for name, of in wished.items()}
    signed = edition.has_expires or not {"negative", "hybrid"}.isdisjoint(strategies.values())
    placed = insert_expiry(plan, strategies) if signed else plan
    found = cut_stages(placed, edition.pins, past, edition.merged_steps, triggered)
    if triggered and len(found.stages) > 1:
        raise RunError(
            "strategy 'input' takes one stage, and what only Catalyst computes over an operator's rows takes more",
            hint="choose another strategy",
        )
    found.time_by_input = triggered
    found.strategies = {name: of for name, of in strategies.items() if wished[name] != "auto" or of != PROBING}
    if "auto" in wished.values():
        known = outlines(plan).items()
        found.expiry_workloads = {
            name: outline for name, outline in known if wished[name] == "auto" and may_change(outline)
        }
    return found
