"""Imports point one way: from the command line down to types and errors, never up."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "tailrace"

# From the top down; a module imports from its own layer and from lower rows. Layers of one row stay apart.
ROWS: list[dict[str, set[str]]] = [
    {"main": {"__main__"}},
    {"serve": {"serve"}, "testing": {"testing"}},
    {"bench": {"bench"}},
    {"public": {"__init__"}},
    {"engine": {"engine"}},
    {"spark": {"spark"}},
    {"physical": {"physical"}},
    {"rewrite": {"rewrite"}, "analysis": {"analysis"}},
    {"logical": {"logical"}},
    {"catalog": {"catalog"}},
    {"language": {"language"}},
    {"base": {"types", "errors", "faults", "settings", "schema", "outcome"}, "demos": {"demos"}},
]
LAYER = {name: layer for row in ROWS for layer, names in row.items() for name in names}
HEIGHT = {layer: -number for number, row in enumerate(ROWS) for layer in row}


def imports(source: str, package: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Line and dotted name, as a list, of everything a module of that package imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = [*above, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                yield node.lineno, [*base, alias.name]


def fault(source_name: str, target: list[str]) -> str | None:
    """Why the part of the package with this name may not import the target, if it may not.

    >>> fault("language", ["tailrace", "engine", "Engine"])
    'language imports engine'
    """
    if target[0] == "pyspark":
        return None if source_name == "spark" else f"{source_name} imports pyspark"
    if target[0] != "tailrace":
        return None
    # A name that is no part is a public one, which lives in the package's __init__.
    target_name = target[1] if len(target) > 1 and target[1] in LAYER else "__init__"
    source, target_layer = LAYER[source_name], LAYER[target_name]
    if source == target_layer or HEIGHT[source] > HEIGHT[target_layer]:
        return None
    return f"{source_name} imports {target_name}"


def faults(package: Path) -> list[str]:
    found = []
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        if parts[0] not in LAYER:
            found.append(f"{parts[0]} has no layer yet: give it one in ROWS")
            continue
        source = path.read_text(encoding="utf-8")
        for line, target in imports(source, ["tailrace", *parts[:-1]]):
            if reason := fault(parts[0], target):
                found.append(f"{'/'.join(parts)}.py:{line}: {reason}")
    return found


def test_imports_point_down() -> None:
    assert faults(PACKAGE) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("types", "from .errors import CqlError", []),
        ("serve/cli", "from tailrace import Engine\nfrom tailrace.engine import run", []),
        ("spark/sources/csv", "import pyspark.sql\nfrom ..session import local", []),
        ("physical/lower", "from tailrace.logical import nodes\nfrom tailrace import settings", []),
        (
            "rewrite/push_filter",
            "import tailrace.analysis.types",
            ["rewrite/push_filter.py:1: rewrite imports analysis"],
        ),
        ("analysis/names", "from ..rewrite import x", ["analysis/names.py:1: analysis imports rewrite"]),
        (
            "language/parse",
            "\nfrom tailrace.catalog import Catalog",
            ["language/parse.py:2: language imports catalog"],
        ),
        ("errors", "def f():\n  from . import language", ["errors.py:2: errors imports language"]),
        ("engine/loop", "from pyspark.sql import DataFrame", ["engine/loop.py:1: engine imports pyspark"]),
        ("engine/loop", "from tailrace import Engine", ["engine/loop.py:1: engine imports __init__"]),
        ("engine/loop", "from tailrace.testing import rows", ["engine/loop.py:1: engine imports testing"]),
        ("odd/part", "", ["odd has no layer yet: give it one in ROWS"]),
    ],
)
def test_the_checker_itself(tmp_path: Path, name: str, text: str, expected: list[str]) -> None:
    path = tmp_path / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert faults(tmp_path) == expected
