"""Names: functions are verbs or say what they look up, and a class name has one meaning."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
ASKS_FOR_CLASSES = {"tailrace/state/resharding.py"}  # a list that only gets shorter


@pytest.fixture(scope="module")
def numbers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("code_numbers", ROOT / "scripts" / "code_numbers.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_no_function_is_named_by_a_bare_participle(numbers: ModuleType) -> None:
    """`told` and `added_up` do not say what is done to what."""
    assert numbers.Package(ROOT).participles() == []


def test_no_class_name_has_two_meanings(numbers: ModuleType) -> None:
    assert numbers.Package(ROOT).homonyms() == []


def test_nobody_asks_for_the_class_of_an_operator(numbers: ModuleType) -> None:
    """An operator owns what is known of it: others ask it, and need not know which operators there are."""
    places = numbers.Package(ROOT).class_questions()
    assert [place for place in places if place.partition(":")[0] not in ASKS_FOR_CLASSES] == []
    assert ASKS_FOR_CLASSES - {place.partition(":")[0] for place in places} == set()


def test_the_checker_sees_questions_for_classes(numbers: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "tailrace" / "operators").mkdir(parents=True)
    operators = "class Operator: ...\nclass Select(Operator): ...\nclass Union(Operator): ...\n"
    (tmp_path / "tailrace" / "operators" / "all.py").write_text(f"{operators}isinstance(x, Select)\n")
    asks = "isinstance(x, Select)\nmatch x:\n  case Union(): ...\nBOTH = (Select, Union)\nisinstance(x, BOTH)\n"
    (tmp_path / "tailrace" / "asks.py").write_text(f"from tailrace.operators.all import Select, Union\n{asks}")
    (tmp_path / "tailrace" / "other.py").write_text("from tailrace.nodes import Select\nisinstance(x, Select)\n")
    found = [place.partition(" ")[2] for place in numbers.Package(tmp_path).class_questions()]
    assert sorted(found) == ["Select", "Select", "Union", "Union"]


def test_the_checker_sees_both(numbers: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "tailrace").mkdir()
    (tmp_path / "tailrace" / "one.py").write_text("class Place: ...\ndef told(): ...\ndef merge_runs(): ...\n")
    (tmp_path / "tailrace" / "two.py").write_text("class Place: ...\nclass Query: ...\n")
    package = numbers.Package(tmp_path)
    assert package.participles() == ["tailrace/one.py:2 told"]
    assert package.homonyms() == ["Place: tailrace/one.py:1, tailrace/two.py:1"]
