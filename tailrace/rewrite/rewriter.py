"""Rewriter: applies the rules in their order, until none of them changes the plan any more."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tailrace.logical.plan import Plan
from tailrace.rewrite.frequencies.compose_frequencies import compose_frequencies
from tailrace.rewrite.frequencies.interleave_frequencies import interleave_frequencies
from tailrace.rewrite.frequencies.push_frequencies import push_frequencies
from tailrace.rewrite.frequencies.split_frequencies import split_frequencies
from tailrace.rewrite.rules.bound_interval_joins import bound_interval_joins
from tailrace.rewrite.rules.drop_now_windows import drop_now_windows
from tailrace.rewrite.rules.drop_single_steps import drop_single_steps
from tailrace.rewrite.rules.fold_constants import fold_constants
from tailrace.rewrite.rules.limit_partitions import limit_partitions
from tailrace.rewrite.rules.merge_projections import merge_projections
from tailrace.rewrite.rules.normalise_predicates import normalise_predicates
from tailrace.rewrite.rules.prune_columns import prune_columns
from tailrace.rewrite.rules.push_selections import push_selections
from tailrace.rewrite.rules.reduce_windows import reduce_windows
from tailrace.rewrite.traverse import Rule
from tailrace.settings import Settings

RULES: tuple[tuple[str, Rule], ...] = (
    ("fold_constants", fold_constants),
    ("normalise_predicates", normalise_predicates),
    ("push_selections", push_selections),
    ("bound_interval_joins", bound_interval_joins),
    ("limit_partitions", limit_partitions),
    ("reduce_windows", reduce_windows),
    ("drop_now_windows", drop_now_windows),
    ("merge_projections", merge_projections),
    ("prune_columns", prune_columns),
)
# Applied as well, unless SET frequency.rewrites = off.
FREQUENCY_RULES: tuple[tuple[str, Rule], ...] = (
    ("drop_single_steps", drop_single_steps),
    ("interleave_frequencies", interleave_frequencies),
    ("push_frequencies", push_frequencies),
    ("compose_frequencies", compose_frequencies),
    ("split_frequencies", split_frequencies),
)
MOST_ROUNDS = 20


@dataclass(frozen=True)
class RewriteStep:
    """A rule that changed the plan, with the plan before and after."""

    rule: str
    before: Plan
    after: Plan


@dataclass(frozen=True)
class RewriteResult:
    """The rewritten plan and, for EXPLAIN, the steps that led to it."""

    plan: Plan
    steps: tuple[RewriteStep, ...]


def rewrite(plan: Plan, settings: Settings) -> RewriteResult:
    """Apply the rules in order, in rounds, until a round changes nothing (at most MOST_ROUNDS rounds).

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.nodes import Scan, ApplyWindow, ToStream
    >>> from tailrace.logical.windows import TimeWindow
    >>> from tailrace.schema import Schema
    >>> everything = ApplyWindow(Scan(Stream("S", Schema.of())), TimeWindow(None))
    >>> done = rewrite(ToStream(everything, "istream"), Settings())
    >>> print(tree(done.plan))
    stream S()  → stream
    >>> [step.rule for step in done.steps]
    ['reduce_windows', 'drop_now_windows']
    """
    ticks = {"bound_interval_joins": partial(bound_interval_joins, tick=settings.tick)}
    rules = [(name, ticks.get(name, rule)) for name, rule in RULES]
    rules += FREQUENCY_RULES if settings.frequency_rewrites else ()
    steps: list[RewriteStep] = []
    for _ in range(MOST_ROUNDS):
        begun = plan
        for name, rule in rules:
            after = rule(plan)
            if after != plan:
                steps.append(RewriteStep(name, plan, after))
                plan = after
        if plan == begun:
            break
    return RewriteResult(plan, tuple(steps))
