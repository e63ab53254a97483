"""Conftest: Hypothesis has no deadlines, since machines are shared; how many random examples ran is told at the end."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("tailrace", deadline=None)
settings.load_profile("tailrace")

Examples = Callable[[str, int], None]


@pytest.fixture
def examples(record_property: Any) -> Examples:
    """To say how many random examples of a kind were compared with the reference."""
    return lambda kind, number: record_property("examples", (kind, number))


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
