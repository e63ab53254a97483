"""Stage: turns a physical plan into stages, with the expiry strategy that each query asks for or `auto` chose."""

from __future__ import annotations

from collections.abc import Mapping

from tailrace.errors import RunError
from tailrace.operators.plan import PhysicalPlan
from tailrace.staging.cut_stages import cut_stages
from tailrace.staging.expiry import PROBING, insert_expiry
from tailrace.staging.expiry_choice import may_change, outlines
from tailrace.staging.plan_version import PlanVersion
from tailrace.staging.stages import StagedPlan


def stage_plan(
    plan: PhysicalPlan,
    requested: Mapping[str, str],
    version: PlanVersion,
    decided_until: int,
    families: Mapping[str, Mapping[int, str]],
    time_by_input: bool,
) -> StagedPlan:
    """The stages of a plan.

    `requested` has the strategy of each output; `auto` stands for the one that the version has chosen. `families` has
    the queries of each family by member number. With `time_by_input`, the strategy `input`, operators learn of time by
    their own rows.
    """
    strategies = {name: version.chosen.get(name, PROBING) if of == "auto" else of for name, of in requested.items()}
    signed = version.has_expires or not {"negative", "hybrid"}.isdisjoint(strategies.values())
    placed = insert_expiry(plan, strategies) if signed else plan
    staged = cut_stages(placed, version.pins, decided_until, version.merged_steps, time_by_input)
    if time_by_input and len(staged.stages) > 1:
        raise RunError(
            "strategy 'input' takes one stage, and what only Catalyst computes over an operator's rows takes more",
            hint="choose another strategy",
        )
    staged.families, staged.time_by_input = families, time_by_input
    staged.strategies = {name: of for name, of in strategies.items() if requested[name] != "auto" or of != PROBING}
    if "auto" in requested.values():
        staged.expiry_workloads = {
            name: outline
            for name, outline in outlines(plan).items()
            if requested[name] == "auto" and may_change(outline)
        }
    return staged
