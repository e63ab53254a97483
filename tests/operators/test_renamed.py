"""Copies of operators in which classes and fields have other names: they find the state that the originals stored."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from inspect import getsource
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tailrace.logical.windows import RowWindow as Window
from tailrace.operators.identity import state_id
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Step
from tailrace.state import state_classes
from tailrace.state.state_files import StateFolder
from tests.operators.step_through import NUMBER, StepThrough

BELOW = ["input.1-00"]
Make = Callable[[ModuleType, Mapping[str, str]], Operator]


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """State classes of copies take the places of the originals, for as long as a test runs."""
    monkeypatch.setattr(state_classes, "_CLASSES", dict(state_classes._CLASSES))
    monkeypatch.setattr(state_classes, "_NAMES", dict(state_classes._NAMES))
    yield
    sys.modules.pop("renamed", None)


def copy_module(original: ModuleType, names: Mapping[str, str]) -> ModuleType:
    """The module as it would be if these classes and fields had other names; imports and strings stay as they are."""
    name = re.compile(r"(?<![\w\"-])(" + "|".join(names) + r")\b")
    lines = getsource(original).splitlines()
    text = "\n".join(
        line if line.startswith(("from ", "import ")) else name.sub(lambda found: names[found[0]], line)
        for line in lines
    )
    copy = ModuleType("renamed")
    sys.modules["renamed"] = copy
    exec(compile(text, "renamed", "exec"), vars(copy))
    return copy


def reorder(module: ModuleType, names: Mapping[str, str]) -> Any:
    return getattr(module, names.get("Reorder", "Reorder"))((NUMBER, NUMBER), (0,))


def row_window(module: ModuleType, names: Mapping[str, str]) -> Any:
    return getattr(module, names.get("RowWindow", "RowWindow"))((NUMBER, NUMBER), Window(2, 1, (0,)))


def join(module: ModuleType, names: Mapping[str, str]) -> Any:
    key = getattr(module, names.get("JoinKey", "JoinKey"))(0, 0)
    return getattr(module, names.get("BinaryJoin", "BinaryJoin"))((NUMBER,) * 4, (key,), 2, None)


@pytest.mark.parametrize(
    ("module", "names", "make", "inputs"),
    [
        (
            "streams.reorder",
            {"Reorder": "Sorter", "early": "ahead_of_time", "key": "by"},
            reorder,
            1,
        ),
        (
            "windows.row_window",
            {"RowWindowState": "LastRows", "RowWindow": "RowsOp", "window": "specification"},
            row_window,
            1,
        ),
        (
            "relational.binary_join",
            {"BinaryJoin": "Pairing", "JoinKey": "Equality", "keys": "equalities", "width": "columns_left"}
            | {"left": "mine", "right": "other", "null_safe": "nulls_equal", "residual": "condition"},
            join,
            2,
        ),
    ],
    ids=["reorder", "row window", "join"],
)
def test_a_renamed_operator_goes_on_from_the_state_of_the_original(
    module: str, names: dict[str, str], make: Make, inputs: int, tmp_path: Path
) -> None:
    original = import_module(f"tailrace.operators.{module}")
    first = StepThrough(make(original, {}), *[(NUMBER, NUMBER)] * inputs)
    first.batch(4, *["+ 1 10 @1..9\n+ 2 20 @3..9\n+ 1 30 @6..9"] * inputs)
    id = str(state_id(Step(first.operator, (0,)), BELOW))
    folder = StateFolder(str(tmp_path))
    manifest = folder.save(0, {id: first.state})

    operator = make(copy_module(original, names), names)
    assert type(operator).__name__ in names.values()
    again = StepThrough(operator, *[(NUMBER, NUMBER)] * inputs)
    assert str(state_id(Step(operator, (0,)), BELOW)) == id
    known = StateFolder(str(tmp_path)).load(manifest)
    assert known is not None
    again.state, again.after = known[id], first.after
    later = ["+ 1 40 @7..9\n+ 2 50 @8..9"] * inputs
    assert again.batch(8, *later) == first.batch(8, *later) != []
