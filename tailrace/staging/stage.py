"""Stage: turns a physical plan into stages, with the expiry strategy that each query asks for or `auto` chose."""

from __future__ import annotations

from collections.abc import Mapping

from tailrace.errors import RunError
from tailrace.logical.queries import QueryDefinition
from tailrace.operators.plan import PhysicalPlan
from tailrace.staging.cut_stages import cut_stages
from tailrace.staging.expiry import PROBING, insert_expiry
from tailrace.staging.expiry_choice import may_change, outlines
from tailrace.staging.plan_version import PlanVersion
from tailrace.staging.stages import StagedPlan


def own_strategy(query: QueryDefinition) -> str | None:
    """The strategy in a query's own OPTIONS; None if the query follows the setting."""
    return next((value.lower() for key, value in query.options if key.lower() == "strategy"), None)


def stage_plan(
    plan: PhysicalPlan, wished: Mapping[str, str], edition: PlanVersion, past: int, triggered: bool
) -> StagedPlan:
    """The stages of a plan. `wished` has the strategy of each output; `auto` stands for the one the version has chosen.

    `past` is the last decided instant. `triggered` is the strategy `input`: operators learn of time by their own rows.
    """
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
