"""Which columns a name can mean: qualified or not, merged by USING, from the query around, or nothing at all."""

from __future__ import annotations

import pytest

from tailrace.analysis.scalars.scope import Binding, Scope
from tailrace.errors import AnalysisError
from tailrace.logical.expressions import Column, Outer
from tailrace.schema import Schema
from tailrace.types import BIGINT, INT, STRING
from tests.analysis.build import derived, plan_of, pointed_at, problem

LEFT = Scope((Binding("S", Schema.of(("k", INT), ("Name", STRING)), 0, timestamp="ts"),))
RIGHT = Scope((Binding("t", Schema.of(("k", BIGINT), ("w", INT)), 0),))
BOTH = LEFT.join(RIGHT)


def test_a_column_is_found_whatever_its_capitals() -> None:
    assert LEFT.column("NAME", None, None) == Column(1, STRING, "Name")
    assert LEFT.column("name", "s", None) == Column(1, STRING, "Name")


def test_columns_of_the_right_side_stand_behind_those_of_the_left() -> None:
    assert BOTH.column("w", None, None) == Column(3, INT, "w")
    assert BOTH.column("k", "T", None) == Column(2, BIGINT, "k")


def test_a_name_of_both_sides_must_be_qualified() -> None:
    with pytest.raises(AnalysisError) as raised:
        BOTH.column("k", None, None)
    assert raised.value.message == "k could be a column of S or t"
    assert raised.value.hint == "write S.k or t.k"


def test_two_items_of_one_name_do_not_join() -> None:
    with pytest.raises(AnalysisError, match="two FROM items are called S"):
        LEFT.join(LEFT)


def test_subqueries_without_a_name_join() -> None:
    nameless = Scope((Binding(None, Schema.of(("k", INT)), 0),))
    assert nameless.join(nameless).width == 2


def test_a_column_of_the_query_around_is_an_outer_one() -> None:
    inner = Scope(RIGHT.bindings, parent=LEFT)
    assert inner.column("name", None, None) == Outer(1, STRING, "Name")
    assert inner.column("k", None, None) == Column(0, BIGINT, "k")


def test_a_column_of_the_query_two_levels_up() -> None:
    innermost = Scope((Binding("z", Schema.of(("z", INT)), 0),), parent=Scope(RIGHT.bindings, parent=LEFT))
    found = innermost.column("Name", None, None)
    assert isinstance(found, Outer)
    assert (found.name, found.level) == ("Name", 2)


@pytest.mark.parametrize(
    ("name", "table", "message", "hint"),
    [
        ("nam", None, "no column nam in S", "did you mean Name?"),
        ("zzz", None, "no column zzz in S", "the columns are k, Name"),
        ("ts", None, "no column ts in S", "it is the timestamp of S: list it among the columns to read it"),
        ("k", "X", "no FROM item is called X", None),
    ],
)
def test_unknown_names(name: str, table: str | None, message: str, hint: str | None) -> None:
    with pytest.raises(AnalysisError) as raised:
        LEFT.column(name, table, None)
    assert raised.value.message == message
    assert hint is None or raised.value.hint == hint


def test_star_lists_items_in_order() -> None:
    assert [name for _, name in BOTH.star(None, None)] == ["k", "Name", "k", "w"]
    assert [name for _, name in BOTH.star("T", None)] == ["k", "w"]


def test_using_names_a_column_once() -> None:
    assert plan_of("SELECT * FROM S [NOW] JOIN Still USING (k)").startswith("project k#0 AS k, v, name, label")
    listed = derived("SELECT * FROM T [NOW], S [NOW] JOIN Still USING (k)").names
    assert listed == ("k", "w", "k_2", "v", "name", "label")
    listed = derived("SELECT * FROM S [NOW] JOIN Still USING (k), T [NOW]").names
    assert listed == ("k", "v", "name", "label", "k_2", "w")
    chain = "SELECT * FROM S [NOW] JOIN Still USING (k) FULL JOIN T [NOW] USING (k)"
    assert derived(chain).names == ("k", "v", "name", "label", "w")
    assert plan_of("SELECT k FROM S [NOW] RIGHT JOIN Still USING (k)").startswith("project k#3 AS k")
    assert plan_of("SELECT k FROM S [NOW] FULL JOIN Still USING (k)").startswith("project COALESCE(k#0, k#3) AS k")
    assert plan_of("SELECT Still.k FROM S [NOW] LEFT JOIN Still USING (k)").startswith("project k#3 AS k")


def test_an_alias_hides_the_name() -> None:
    assert problem("SELECT S.k FROM S AS s2") == "no FROM item is called S"
    assert pointed_at("SELECT S.k FROM S AS s2") == "S.k"


def test_aliases_of_columns() -> None:
    assert plan_of("SELECT b FROM Still AS s (a, b)") == (
        "i-stream\n└─ project label AS b\n   └─ relation static Still(k INT, label STRING)"
    )
