"""The CI workflow and the hooks before a commit do what `make` does, on every Python that the package names."""

import tomllib
from typing import Any

import yaml

from tests.test_tidy import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PREFIX = "Programming Language :: Python :: 3."


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_workflow_runs_make_test_on_every_python() -> None:
    (job,) = read_yaml(".github/workflows/test.yml")["jobs"].values()
    pythons = job["strategy"]["matrix"]["python"]
    assert all(isinstance(python, str) for python in pythons), "3.10 without quotes is 3.1"
    classified = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if each.startswith(PREFIX)]
    assert pythons == classified
    assert PROJECT["requires-python"] == f">={pythons[0]}"
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make test"]


def test_workflow_may_only_read() -> None:
    assert read_yaml(".github/workflows/test.yml")["permissions"] == {"contents": "read"}


def test_makefile_finds_every_python() -> None:
    line = next(line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("PYTHONS"))
    classified = {f"python{each.rpartition(' ')[2]}" for each in PROJECT["classifiers"] if each.startswith(PREFIX)}
    assert classified == set(line.split()[2:]) - {"python3"}


def test_hooks_are_those_of_make_check() -> None:
    (repository,) = read_yaml(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    entries = [hook["entry"].split() for hook in repository["hooks"]]
    hooked = [[words[0], *(word for word in words[1:] if not word.startswith("-"))] for words in entries]
    assert hooked == [[".venv/bin/ruff", "check"], [".venv/bin/ruff", "format"], [".venv/bin/mypy"]]
    recipe = (ROOT / "Makefile").read_text().partition("\ncheck:")[2].partition("\n\n")[0]
    assert [" ".join(words).replace(".venv", "$(VENV)") for words in hooked] == [
        line.strip().replace("$(BIN)", "$(VENV)/bin").removesuffix(" .").removesuffix(" --check")
        for line in recipe.splitlines()[1:]
    ]
