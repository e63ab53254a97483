"""Every operator has a test that names it, in the test file that mirrors the operator's module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from tailrace import operators
from tailrace.operators.operator import Operator

TESTS = Path(__file__).resolve().parent


def subclasses_of(base: type) -> Iterator[type]:
    for each in base.__subclasses__():
        yield each
        yield from subclasses_of(each)


def operator_classes() -> list[type]:
    """The operators of tailrace.operators; its modules are imported, so that none is missed."""
    for module in walk_packages(operators.__path__, f"{operators.__name__}."):
        import_module(module.name)
    found = {each for each in subclasses_of(Operator) if each.__module__.startswith(f"{operators.__name__}.")}
    return sorted(found, key=lambda each: (each.__module__, each.__name__))


def mirror_of(operator: type) -> Path:
    """The file of an operator's tests: windows/expire.py has windows/test_expire.py."""
    *rooms, module = operator.__module__.removeprefix(f"{operators.__name__}.").split(".")
    return TESTS.joinpath(*rooms, f"test_{module}.py")


def names_in_tests(source: str) -> set[str]:
    """The names that the tests of a file use, also by way of the file's own functions, classes and constants.

    >>> sorted(names_in_tests("def test_it():\\n    made(B)\\ndef made(b):\\n    A(b)\\ndef unused():\\n    C()"))
    ['A', 'B', 'b', 'made']
    """
    uses: dict[str, set[str]] = {}
    for part in ast.parse(source).body:
        names = [node for node in ast.walk(part) if isinstance(node, ast.Name)]
        defined = [node.id for node in names if isinstance(node.ctx, ast.Store)]
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            defined = [part.name]
        used = {node.id for node in names}
        uses |= dict.fromkeys(defined, used)
    found: set[str] = set()
    waiting = {name for name in uses if name.lower().startswith("test")}
    while waiting:
        new = uses.get(waiting.pop(), set()) - found
        found |= new
        waiting |= new
    return found


@pytest.mark.parametrize("operator", operator_classes(), ids=lambda operator: operator.__name__)
def test_an_operator_has_a_test_that_names_it(operator: type) -> None:
    path = mirror_of(operator)
    assert path.is_file(), f"{operator.__name__} has no {path.relative_to(TESTS)}"
    named = names_in_tests(path.read_text(encoding="utf-8"))
    assert operator.__name__ in named, f"no test of {path.relative_to(TESTS)} names {operator.__name__}"
