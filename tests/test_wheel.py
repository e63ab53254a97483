"""What is installed: every part of the package but the benchmarks, which belong to a checkout."""

import importlib.util
import tomllib
from pathlib import Path

import pytest
from setuptools import find_packages
from typer.testing import CliRunner

from tailrace.cli.main import app
from tests.test_tidy import PACKAGE, ROOT


def wheel_packages() -> set[str]:
    """The packages that setuptools puts into a wheel."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    find = tables["packages"]["find"]
    return set(find_packages(str(ROOT), include=find["include"], exclude=find["exclude"]))


def all_packages(package: Path) -> set[str]:
    return {".".join(path.parent.relative_to(ROOT).parts) for path in package.rglob("__init__.py")}


def test_a_wheel_has_all_packages_but_the_benchmarks() -> None:
    left_out = all_packages(ROOT / PACKAGE) - wheel_packages()
    assert {name.split(".")[1] for name in left_out} == {"bench"}
    assert left_out == {name for name in all_packages(ROOT / PACKAGE) if name.startswith(f"{PACKAGE}.bench")}


def test_the_command_says_where_the_benchmarks_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["bench", "windows"])
    assert result.exit_code == 1
    assert result.stderr == (
        "error: the benchmarks are not installed\n"
        "  hint: they are in a checkout of the repository: make setup, make bench\n"
    )
