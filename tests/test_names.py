"""Names: functions are verbs or say what they look up, and the names of classes and modules have one meaning.

No module's name shadows another idea. Two modules may have one name only if they are one idea on two levels (an
expression is parsed, analysed, evaluated and drawn at random), and a module may have the name of a class in another
module only if it is about that class. Names of the standard library are for its modules, unless the word is the
field's own. The benchmarks may call a measurement after what it measures.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Modules of one name: one idea on several levels.
LEVELS = {
    "aggregates": "lowered, and by definition",
    "arithmetic": "on columns, and by definition",
    "casts": "on columns, and by definition",
    "errors": "those of Tailrace, and Spark's translated into them",
    "evaluate": "expressions on columns, and plans by definition",
    "explain": "the text of plans, of stages, and of both together",
    "expressions": "their grammar, their typed form, and random ones",
    "nodes": "of the syntax tree, and of the logical plan",
    "over": "its grammar, its analysis, the plan nodes, lowered, the operator, and by definition",
    "plan": "the logical one, and the physical one",
    "queries": "their grammar, their analysis, what they are called by, and random ones",
    "sampling": "what SAMPLE means, and its operators",
    "sampling_hash": "on columns, and by definition",
    "select": "its analysis, and the operator",
    "sequences": "lowered, and by definition",
    "sources": "declared, analysed, read by Spark, and random ones",
    "system_streams": "declared, and fed by a run",
    "windows": "their grammar, their analysis, and what they mean",
    "window_tables": "TUMBLE and its kin typed, as a node, and by definition",
}
# Modules that are about a class of that name in another module; `run` is not (a sorted run), and wants another name.
ABOUT = {
    "asof_join",
    "assign_windows",
    "explain",
    "frequency",
    "run",
    "sinks",
    "stage",
    "statements",
    "time_window",
    "windows",
}
# Words of the standard library that are the field's own.
FIELD = {"io", "operator", "select", "statistics", "time", "types"}


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
    assert numbers.Package(ROOT).class_questions() == []


def test_the_checker_sees_questions_for_classes(numbers: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "tailrace" / "operators").mkdir(parents=True)
    operators = "class Operator: ...\nclass Select(Operator): ...\nclass Union(Operator): ...\n"
    (tmp_path / "tailrace" / "operators" / "all.py").write_text(f"{operators}isinstance(x, Select)\n")
    asks = "isinstance(x, Select)\nmatch x:\n  case Union(): ...\nBOTH = (Select, Union)\nisinstance(x, BOTH)\n"
    (tmp_path / "tailrace" / "asks.py").write_text(f"from tailrace.operators.all import Select, Union\n{asks}")
    (tmp_path / "tailrace" / "other.py").write_text("from tailrace.nodes import Select\nisinstance(x, Select)\n")
    found = [place.partition(" ")[2] for place in numbers.Package(tmp_path).class_questions()]
    assert sorted(found) == ["Select", "Select", "Union", "Union"]


def module_names(package: Path) -> dict[str, list[Path]]:
    """The modules and folders of a package by their names, without those of the benchmarks."""
    found: dict[str, list[Path]] = {}
    for path in sorted(package.rglob("*.py")):
        if "bench" not in path.parts and path.stem != "__main__":
            name = path.parent.name if path.stem == "__init__" else path.stem
            found.setdefault(name, []).append(path)
    return {name: paths for name, paths in found.items() if name != package.name}


def repeated_modules(package: Path) -> list[str]:
    """Names that several modules have."""
    modules = {name: [path for path in paths if path.stem == name] for name, paths in module_names(package).items()}
    return [name for name, paths in modules.items() if len(paths) > 1]


def named_as_classes(package: Path) -> list[str]:
    """Modules that have the name of classes in other modules, and of none in themselves."""
    classes: dict[str, list[Path]] = {}
    modules = module_names(package)
    for path in {path for paths in modules.values() for path in paths}:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                name = re.sub(r"(?<=.)(?=[A-Z])", "_", node.name).lower()
                classes.setdefault(name, []).append(path)
    own = {name: [path for path in paths if path.stem == name] for name, paths in modules.items()}
    return [name for name, paths in own.items() if paths and name in classes and not {*paths} & {*classes[name]}]


def test_modules_of_one_name_are_one_idea() -> None:
    assert set(repeated_modules(ROOT / "tailrace")) == set(LEVELS)


def test_modules_named_as_a_class_are_about_it() -> None:
    assert set(named_as_classes(ROOT / "tailrace")) - ABOUT == set()


def test_no_module_is_named_as_one_of_the_standard_library() -> None:
    assert (set(module_names(ROOT / "tailrace")) & sys.stdlib_module_names) - FIELD == set()


def test_the_checkers_of_modules(tmp_path: Path) -> None:
    for name, text in {
        "a/plan": "class Table: ...",
        "b/plan": "",
        "b/table": "",
        "c/run_loop": "class RunLoop: ...",
    }.items():
        path = tmp_path / "pack" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert repeated_modules(tmp_path / "pack") == ["plan"]
    assert named_as_classes(tmp_path / "pack") == ["table"]


def test_the_checker_sees_both(numbers: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "tailrace").mkdir()
    (tmp_path / "tailrace" / "one.py").write_text("class Place: ...\ndef told(): ...\ndef merge_runs(): ...\n")
    (tmp_path / "tailrace" / "two.py").write_text("class Place: ...\nclass Query: ...\n")
    package = numbers.Package(tmp_path)
    assert package.participles() == ["tailrace/one.py:2 told"]
    assert package.homonyms() == ["Place: tailrace/one.py:1, tailrace/two.py:1"]
