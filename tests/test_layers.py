"""Imports point one way: from the command line down to types and errors, never up."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "tailrace"

# From the bottom up; a module imports from its own room and from rooms of rows before it. Rooms of one row stay apart,
# but for a room inside another one: these may import each other.
ROWS = [
    ".",
    "language language/dialects",
    "language/scalars",
    "catalog",
    "logical logical/time",
    "logical/text",
    "analysis/correlation",
    "analysis analysis/scalars rewrite rewrite/rules columnar columnar/functions",
    "analysis/tables rewrite/frequencies",
    "analysis/statements",
    "state",
    "scan scan/text write",
    "operators",
    "operators/aggregates operators/families/routing",
    "operators/streams",
    "operators/relational",
    "operators/over",
    "operators/windows",
    "operators/sequence",
    "operators/families",
    "sharing",
    "lowering",
    "staging",
    "exchange",
    "spark/session",
    "spark",
    "spark/time",
    "spark/io",
    "spark/batch",
    "spark/run",
    "engine",
    "public",
    "demos",
    "server",
    "cli",
    "bench bench/cacq bench/csql bench/inputs bench/peers bench/profile bench/report bench/spark bench/strategies",
    "testing testing/reference testing/random_scripts",
    "main",
]
HEIGHT = {room: number for number, row in enumerate(ROWS) for room in row.split()}
ON_SPARK = ("spark", "bench")  # the rooms that may import pyspark

# Imports that may point up nevertheless: module and room.
UPWARD: set[str] = set()


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


def room_of(parts: list[str]) -> str:
    """The room of a module, or of a name in it: the longest that the parts begin with.

    >>> room_of(["operators", "windows", "expire", "Expire"]), room_of(["types", "Type"]), room_of(["Engine"])
    ('operators/windows', '.', 'public')
    """
    for length in range(len(parts), 0, -1):
        if (room := "/".join(parts[:length])) in HEIGHT:
            return room
    if parts[0] == "__init__":
        return "public"
    if parts[0] in ("__main__", "testing"):
        return parts[0].strip("_")
    # A name that is no part is a public one, which lives in the package's __init__.
    return "." if (PACKAGE / f"{parts[0]}.py").exists() else "public"


def fault(source: str, target: list[str]) -> str | None:
    """Why a room may not import the target, if it may not.

    >>> fault("language", ["tailrace", "engine", "api", "Engine"])
    'language imports engine'
    """
    if target[0] == "pyspark":
        return None if source.split("/")[0] in ON_SPARK else f"{source} imports pyspark"
    if target[0] != "tailrace":
        return None
    other = room_of(target[1:] or ["__init__"])
    nested = f"{source}/".startswith(f"{other}/") or f"{other}/".startswith(f"{source}/")
    benches = source.split("/")[0] == other.split("/")[0] == "bench"
    if source == other or nested or benches or HEIGHT[source] > HEIGHT[other]:
        return None
    return f"{source} imports {other}"


def faults(package: Path) -> dict[str, str]:
    """The imports that point up: module and room, and in which line."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = list(path.relative_to(package).with_suffix("").parts)
        if len(parts) > 1 and room_of(parts) == "public":
            found[f"{parts[0]} has no room"] = "give it one in ROWS"
            continue
        source = path.read_text(encoding="utf-8")
        for line, target in imports(source, ["tailrace", *parts[:-1]]):
            if reason := fault(room_of(parts), target):
                found["/".join(parts) + reason.removeprefix(room_of(parts))] = f"line {line}"
    return found


def test_imports_point_down() -> None:
    assert {each: line for each, line in faults(PACKAGE).items() if each not in UPWARD} == {}


def test_the_list_of_imports_that_point_up_is_as_short_as_can_be() -> None:
    assert sorted(UPWARD - faults(PACKAGE).keys()) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("types", "from .errors import CqlError", []),
        ("cli/main", "from tailrace import Engine\nfrom tailrace.engine import run", []),
        ("spark/io/csv", "import pyspark.sql\nfrom ..session import local", []),
        ("lowering/lower", "from tailrace.logical import nodes\nfrom tailrace import settings", []),
        ("rewrite/rules/push_filter", "from tailrace.rewrite.rewriter import bottom_up", []),
        ("rewrite/push_filter", "import tailrace.analysis.types", ["rewrite/push_filter imports analysis"]),
        ("analysis/names", "from ..rewrite import x", ["analysis/names imports rewrite"]),
        ("language/parse", "\nfrom tailrace.catalog import Catalog", ["language/parse imports catalog"]),
        ("state/runs", "from tailrace.operators.windows.expire import x", ["state/runs imports operators/windows"]),
        ("errors", "def f():\n  from . import language", ["errors imports language"]),
        ("engine/loop", "from pyspark.sql import DataFrame", ["engine/loop imports pyspark"]),
        ("engine/loop", "from tailrace import Engine", ["engine/loop imports public"]),
        ("odd/part", "", ["odd has no room"]),
    ],
)
def test_the_checker_itself(tmp_path: Path, name: str, text: str, expected: list[str]) -> None:
    path = tmp_path / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert list(faults(tmp_path)) == expected
