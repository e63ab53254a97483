"""Conftest: where Hypothesis takes its examples from, and how many random examples ran, which is printed at the end.

`TAILRACE_SEEDS` chooses the examples. Without it they are the same each time, so that a test that passed passes again.
`fresh` draws new ones and prints their seed at the end; that seed, as the value, draws them once more. A failing
example is printed as code, smallest first. There are no deadlines, since machines are shared.
"""

import os
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

SEEDS = os.environ.get("TAILRACE_SEEDS", "")
SEED = str(secrets.randbelow(2**32)) if SEEDS == "fresh" else SEEDS
settings.register_profile("tailrace", deadline=None, database=None, derandomize=not SEED, print_blob=True)
settings.load_profile("tailrace")

Examples = Callable[[str, int], None]


@pytest.fixture
def examples(record_property: Any) -> Examples:
    """A function that counts random examples of a kind that were compared with the reference."""
    return lambda kind, number: record_property("examples", (kind, number))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    """Hand the seed to Hypothesis as its own option does, which comes before ours."""
    if SEED and config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = SEED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    found: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        for name, told in getattr(report, "user_properties", ()):
            if name == "examples":
                found[told[0]] += told[1]
    if found:
        terminalreporter.section("random examples, all as the reference has them")
        for kind, number in found.items():
            terminalreporter.write_line(f"{number:6,} {kind}")
    if SEED:
        terminalreporter.write_line(f"random examples were drawn afresh; the same again with TAILRACE_SEEDS={SEED}")
