"""State ids: by what an operator is, never by what its class and its fields are called."""

from __future__ import annotations

import pkgutil
from collections import Counter
from dataclasses import dataclass, fields, make_dataclass
from importlib import import_module
from typing import ClassVar

import pyarrow as pa
import pytest

from tailrace import operators
from tailrace.catalog.sources import Stream
from tailrace.logical.windows import TimeWindow
from tailrace.operators.identity import state_id, state_names
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, PhysicalPlan, Step
from tailrace.operators.relational.counts import CountOperator, Distinct, Except
from tailrace.operators.windows.since import Since
from tailrace.operators.windows.time_window import TimeWindowOp
from tailrace.schema import Schema
from tailrace.stable_encoding import encode
from tailrace.types import INT

TYPES = (pa.int32(),)
BELOW = ["input.1-00"]


def all_operators() -> list[type[Operator]]:
    for module in pkgutil.walk_packages(operators.__path__, f"{operators.__name__}."):
        import_module(module.name)
    found, todo = [], [Operator]
    while todo:
        below = todo.pop().__subclasses__()
        found += [each for each in below if each.__module__.startswith("tailrace.operators.")]
        todo += below
    return found


def test_each_operator_has_a_kind_of_its_own() -> None:
    kinds = Counter(vars(each).get("kind", each.__name__) for each in all_operators() if each is not CountOperator)
    assert len(kinds) > 35
    assert [kind for kind in kinds if kind != kind.lower()] == [], "operators without a kind"
    assert [kind for kind, count in kinds.items() if count > 1] == []


def test_a_renamed_class_with_renamed_fields_has_the_same_id() -> None:
    """Copies of operators under other names, with other names of all their own fields."""
    whole = (TimeWindowOp(TYPES, TimeWindow(5)), Except(TYPES, True), Since(TYPES, 3))
    for operator in whole:
        own = [each for each in fields(operator) if each.name != "types" and each.compare]
        others = [(f"other_{each.name}", object) for each in own]
        copy = make_dataclass("Copy", others, bases=(Operator,), frozen=True, namespace={"kind": operator.kind})
        renamed = copy(TYPES, *(getattr(operator, each.name) for each in own))
        assert state_id(Step(renamed, (0,)), BELOW) == state_id(Step(operator, (0,)), BELOW)
        assert state_id(Step(copy(TYPES, *[None] * len(own)), (0,)), BELOW) != state_id(Step(operator, (0,)), BELOW)


def test_a_higher_version_is_another_state() -> None:
    @dataclass(frozen=True)
    class Newer(Distinct):
        state_version: ClassVar[int] = 2

    old, new = (str(state_id(Step(each(TYPES), (0,)), BELOW)) for each in (Distinct, Newer))
    assert old.startswith("distinct.1-")
    assert new.startswith("distinct.2-")
    assert old.split("-")[-1] == new.split("-")[-1]


def test_the_start_of_a_query_counts_only_if_it_is_asked_for() -> None:
    source = Stream("S", Schema.of(("k", INT)), timestamp="ts")
    plan = PhysicalPlan([Step(Input(source, (0,), TYPES)), Step(Since(TYPES, 7), (0,)), Step(Distinct(TYPES), (1,))])
    whole = PhysicalPlan([plan.steps[0], Step(Since(TYPES, 0), (0,)), plan.steps[2]])
    assert state_names(plan)[2] != state_names(whole)[2]
    assert state_names(plan, with_starts=False) == state_names(whole)


def test_what_has_no_stable_encoding_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no stable encoding"):
        encode((1, object()))
