"""Random queries: accepted ones can be explained, and their expanded text means the same without any default."""

from __future__ import annotations

import random

import pytest

from tailrace.engine.explain import check_report, explain_report
from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import ScriptError, Source
from tests.analysis.random_queries import SOURCES, Author


def compiled(query: str) -> PlanningSession:
    return compile_script(Source(f"{SOURCES}CREATE QUERY q AS {query};"))


def check(query: str) -> bool:
    """Whether the query is accepted; an accepted one is explained and read back."""
    try:
        found = compiled(query)
    except ScriptError:
        return False
    entry = found.program.queries["q"]
    assert check_report(found)
    for form in ("text", "mermaid", "json"):
        assert explain_report(found, [entry], form)
    for text in (entry.expanded_text(), entry.expanded_text(pretty=True)):
        again = compiled(text)
        assert again.final_plans["q"] == found.final_plans["q"], f"{query}\nis not\n{text}"
        assert [note.text for note in again.program.queries["q"].notes if note.is_default] == []
    return True


@pytest.mark.parametrize("seed", range(5))
def test_random_queries(seed: int) -> None:
    author = Author(random.Random(seed))
    accepted = [check(author.query()) for _ in range(80)]
    assert sum(accepted) > 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_more_random_queries(seed: int) -> None:
    author = Author(random.Random(seed))
    accepted = [check(author.query(depth=3)) for _ in range(200)]
    assert sum(accepted) > 50
