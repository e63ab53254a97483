"""Sharing subplans: the largest equal parts, numbered as they are met, one object wherever they are read."""

from tailrace.logical.nodes import Distinct, Project, Shared
from tailrace.rewrite.share_subplans import share
from tests.rewrite.build import R, S, T, aggregate, join, last, project, select, semijoin, shown, unbounded

FAST = select(last(S), "v > 65")


def test_two_queries_read_one_window() -> None:
    shared = share({"count": aggregate(FAST, ["k"]), "all": Distinct(FAST)})
    assert shown(shared["count"]) == "\n".join(
        [
            "aggregate COUNT(*) by k",
            "└─ shared-rel-op #1",
            "   └─ select v > 65",
            "      └─ seq-window [RANGE 30]",
            "         └─ stream-shepherd S(k INT, v INT)",
        ]
    )
    assert shared["count"].children[0] is shared["all"].children[0]


def test_names_do_not_count() -> None:
    renamed = Project(last(S), project(last(S), "v").expressions, ("speed",))
    shared = share({"a": project(last(S), "v"), "b": renamed})
    assert isinstance(shared["a"], Shared)
    assert shared["a"] is shared["b"]


def test_equal_queries_are_one() -> None:
    shared = share({"a": Distinct(FAST), "b": Distinct(FAST)})
    assert shared["a"] is shared["b"]
    assert shared["a"] == Shared(Distinct(FAST), 1)


def test_repeats_inside_one_plan() -> None:
    shared = share({"self": join(FAST, FAST, "c0 = c2")})
    left, right = shared["self"].children
    assert left is right
    assert left == Shared(FAST, 1)


def test_parts_of_a_shared_part_only_if_read_elsewhere() -> None:
    counted = aggregate(FAST, ["k"])
    shared = share({"a": Distinct(counted), "b": semijoin(R, counted, "c0 = c2"), "c": select(last(S), "v < 5")})
    assert shared["a"] == Distinct(Shared(aggregate(select(Shared(last(S), 2), "v > 65"), ["k"]), 1))
    assert shared["b"].children[1] is shared["a"].children[0]
    assert shared["c"] == select(Shared(last(S), 2), "v < 5")


def test_a_bare_scan_is_not_shared() -> None:
    plans = {"a": last(S), "b": unbounded(S), "c": join(R, R, "c0 = c2")}
    assert share(plans) == plans


def test_nothing_in_common() -> None:
    plans = {"a": last(S), "b": last(T)}
    assert share(plans) == plans
    assert share({}) == {}


def test_sharing_again_changes_nothing() -> None:
    once = share({"a": Distinct(FAST), "b": aggregate(FAST, []), "c": last(S)})
    again = share(once)
    assert again == once
    assert again["a"].children[0] is again["b"].children[0]


def test_a_query_that_is_gone_is_shared_no_more() -> None:
    once = share({"a": Distinct(FAST), "b": aggregate(FAST, [])})
    assert share({"a": once["a"]}) == {"a": Distinct(FAST)}
