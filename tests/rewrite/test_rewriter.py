"""The rules together: whole queries, the steps EXPLAIN shows, and what holds for any plan at all."""

from hypothesis import given
from hypothesis import settings as effort

from tailrace.logical.nodes import Distinct, Union
from tailrace.logical.plan import Plan
from tailrace.rewrite import rewrite
from tailrace.rewrite.rewriter import FREQUENCY_RULES, RULES
from tailrace.rewrite.traverse import bottom_up
from tailrace.settings import Settings
from tests.rewrite.build import (
    WIDE,
    R,
    S,
    T,
    aggregate,
    check,
    istream,
    join,
    last,
    project,
    sample,
    select,
    unbounded,
)
from tests.rewrite.random_plans import plans

PLAIN = Settings(frequency_rewrites=False)
WITH_FREQUENCIES = Settings(frequency_rewrites=True)


def rewritten(plan: Plan) -> Plan:
    return rewrite(plan, PLAIN).plan


def rules_used(plan: Plan, settings: Settings = PLAIN) -> list[str]:
    return [step.rule for step in rewrite(plan, settings).steps]


def test_a_filter_on_a_stream_remembers_nothing() -> None:
    """CQL Example 10, as analysis expands it."""
    check(
        rewritten,
        istream(project(select(unbounded(S), "v > 60 + 5"), "k", "v")),
        """
        i-stream
        └─ project k, v
           └─ select v > 60 + 5
              └─ window [RANGE UNBOUNDED]
                 └─ stream S(k INT, v INT)
        """,
        """
        select v > 65
        └─ stream S(k INT, v INT)
        """,
    )


def test_a_view_of_a_view() -> None:
    """Each view became a stream by default and got an unbounded window again: in the end one filter and one window."""
    view = istream(project(select(unbounded(S), "v > 1"), "v", "k"))
    again = istream(project(select(unbounded(view), "k < 9"), "k"))
    check(
        rewritten,
        aggregate(last(again), ["k"]),
        """
        aggregate COUNT(*) by k
        └─ window [RANGE 30]
           └─ i-stream
              └─ project k
                 └─ select k < 9
                    └─ window [RANGE UNBOUNDED]
                       └─ i-stream
                          └─ project v, k
                             └─ select v > 1
                                └─ window [RANGE UNBOUNDED]
                                   └─ stream S(k INT, v INT)
        """,
        """
        aggregate COUNT(*) by k
        └─ window [RANGE 30]
           └─ project k
              └─ select v > 1 AND k < 9
                 └─ stream S(k INT, v INT)
        """,
    )


def test_a_join_of_windows() -> None:
    product = join(last(WIDE), join(last(T), R), "TRUE")
    check(
        rewritten,
        project(select(product, "a = c4 AND c4 = c6 AND NOT (b <= 5 OR name = 'x')"), "c", "w"),
        """
        project c, w
        └─ select a = k#4 AND k#4 = k#6 AND NOT (b <= 5 OR name = 'x')
           └─ join on TRUE
              ├─ window [RANGE 30]
              │  └─ stream Wide(a INT, b INT, c INT, d STRING)
              └─ join on TRUE
                 ├─ window [RANGE 30]
                 │  └─ stream T(k INT, w INT)
                 └─ relation static R(k INT, name STRING)
        """,
        """
        project c, w
        └─ join on a = k
           ├─ window [RANGE 30]
           │  └─ project a, c
           │     └─ select b > 5
           │        └─ stream Wide(a INT, b INT, c INT)
           └─ project k#0 AS k, w
              └─ join on k#0 = k#2
                 ├─ window [RANGE 30]
                 │  └─ stream T(k INT, w INT)
                 └─ project k
                    └─ select name <> 'x'
                       └─ relation static R(k INT, name STRING)
        """,
    )


def test_steps_name_the_rules_in_order() -> None:
    done = rewrite(istream(select(unbounded(S), "v > 1 + 1")), PLAIN)
    assert [step.rule for step in done.steps] == [
        "fold_constants",
        "push_selections",
        "reduce_windows",
        "drop_now_windows",
    ]
    assert done.steps[0].before == istream(select(unbounded(S), "v > 1 + 1"))
    assert [step.after for step in done.steps[:-1]] == [step.before for step in done.steps[1:]]
    assert done.plan == done.steps[-1].after == select(S, "v > 2")


def test_rules_are_named_as_their_functions() -> None:
    assert all(name == rule.__name__ for name, rule in RULES + FREQUENCY_RULES)
    assert all(rule.__doc__ and "Law" in rule.__doc__ and ">>>" in rule.__doc__ for _, rule in RULES + FREQUENCY_RULES)


def test_nothing_to_do_is_no_step() -> None:
    assert rewrite(last(S), PLAIN).steps == ()


def test_frequencies_are_left_alone_where_that_is_asked_for() -> None:
    plan = sample(sample(project(S, "v + 1"), 2), 3)
    assert rules_used(plan) == ["prune_columns"]
    assert rules_used(plan, WITH_FREQUENCIES) == ["prune_columns", "push_frequencies", "compose_frequencies"]


def test_a_node_in_several_places_stays_one_object() -> None:
    both = Union((Distinct(last(S)), Distinct(last(T))))
    twice = Union((both, both))
    left, right = bottom_up(twice, lambda node: node.child if isinstance(node, Distinct) else node).children
    assert left is right


@effort(max_examples=100, deadline=None)
@given(plans())
def test_any_plan_keeps_its_types_and_kind(plan: Plan) -> None:
    for _, rule in RULES + FREQUENCY_RULES:
        changed = rule(plan)
        assert (changed.schema.types, changed.kind) == (plan.schema.types, plan.kind)
        assert rule(changed) == changed


@effort(max_examples=100, deadline=None)
@given(plans())
def test_rewriting_ends_and_is_idempotent(plan: Plan) -> None:
    done = rewrite(plan, WITH_FREQUENCIES)
    assert rewrite(plan, WITH_FREQUENCIES) == done
    assert rewrite(done.plan, WITH_FREQUENCIES).steps == ()
    assert (done.plan.schema.types, done.plan.kind) == (plan.schema.types, plan.kind)
