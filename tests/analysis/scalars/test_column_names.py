"""The names that columns of a result get."""

from __future__ import annotations

import pytest

from tailrace.analysis.scalars.scope import distinct_names
from tests.analysis.build import derived


@pytest.mark.parametrize(
    ("items", "names"),
    [
        ("K, Name", ("k", "name")),
        ("K AS Key, name AS `the name`", ("Key", "the name")),
        ("S.k", ("k",)),
        ("(k)", ("k",)),
        ("CAST(k AS STRING)", ("k",)),
        ("COUNT(*), Max(v)", ("count", "max")),
        ("SUM(v) FILTER (WHERE k > 1)", ("sum",)),
        ("MAX(k) + 1", ("c1",)),
        ("MAX(k), MIN(k) + 1, 5", ("max", "c2", "c3")),
        ("CASE WHEN MAX(k) > 1 THEN 1 END", ("case",)),
    ],
)
def test_names(items: str, names: tuple[str, ...]) -> None:
    assert derived(f"SELECT {items} FROM S [RANGE 5]").names == names


def test_names_are_made_distinct_in_order() -> None:
    assert distinct_names(["a", "A", "a_2", "a"]) == ("a", "A_3", "a_2", "a_4")
    assert distinct_names([]) == ()


@pytest.mark.parametrize("names", [["a"] * 5, ["a", "a_2", "a"], ["A_2", "a", "a", "a"], ["x", "X", "x_2", "X_2"]])
def test_distinct_names_are_distinct_and_keep_what_came_first(names: list[str]) -> None:
    found = distinct_names(names)
    assert len({name.lower() for name in found}) == len(names)
    assert found[0] == names[0]
    assert all(new.lower().startswith(old.lower()) for new, old in zip(found, names, strict=True))
