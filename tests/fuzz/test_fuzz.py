"""The fuzzer itself: scripts are drawn again by their seed, have what they should have, and shrink; faults are told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.plan import Kind
from tailrace.testing.random_scripts.scripts import RandomScript, random_script
from tailrace.testing.random_scripts.sources import RandomSource
from tailrace.testing.reference.evaluate import changelog, stream_rows
from tests.fuzz.answers import Answers
from tests.fuzz.check import Checker
from tests.fuzz.definition import expected_answer
from tests.fuzz.mutations import MUTATIONS, ROOT
from tests.fuzz.shrink import Shrinker


def test_the_same_seed_draws_the_same_script() -> None:
    assert random_script(7, 12) == random_script(7, 12)
    assert random_script(7, 12) != random_script(8, 12)


def test_scripts_have_many_constructs() -> None:
    """What the generator is meant to draw, it draws within a few scripts."""
    scripts = [random_script(seed, 20) for seed in range(40)]
    texts = "\n".join(script.text() for script in scripts)
    for construct in (
        "LEFT JOIN", "FULL JOIN", "GROUP BY", "HAVING", "DISTINCT", "UNION ALL", "EXCEPT", "INTERSECT", "ORDER BY",
        "EXISTS", "NOT IN", "ISTREAM", "DSTREAM", "RSTREAM", "SLIDE", "PARTITION BY", "ROWS", "TUPLES", "FREQUENCY",
        "CASE", "LIKE", "BETWEEN", "FILTER", "OP BY", "KEY", "DELAY", "USING csv", "USING json", "USING parquet",
        "DECIMAL", "TIMESTAMP", "DATE", "CREATE VIEW", "SAMPLE",
        "SEMI JOIN", "ANTI JOIN", "NATURAL", "ASOF", "SYSTEM_TIME",
    ):  # fmt: skip
        assert construct in texts, construct
    assert any(law.kind == "parts" for script in scripts for law in script.laws)
    assert any(law.kind == "counts" for script in scripts for law in script.laws)
    views = [name for script in scripts for name, text in script.views.items() if re.search(r"\bV\d", text)]
    assert views, "no view reads a view"


def test_a_script_shrinks_to_what_fails() -> None:
    """To the query that is at fault, and to fewer rows."""
    script = random_script(11, 12)
    guilty = next(name for name, text in script.queries.items() if re.search(r"\bS\d", text))

    def fails(smaller: RandomScript) -> bool:
        return guilty in smaller.queries and any(len(rows(source)) > 1 for source in smaller.sources if rows(source))

    def rows(source: RandomSource) -> tuple[object, ...]:
        return tuple(row for row in source.rows if row[0] is None or row[0] > script.phases[0])

    small = Shrinker(script, fails, seconds=20).run()
    assert list(small.queries) == [guilty]
    assert sum(len(source.rows) for source in small.sources) < sum(len(source.rows) for source in script.sources)


def test_wrong_answers_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that cannot fail checks nothing: answers without their last row differ from the definition."""
    script = random_script(12, 6)
    compiled = compile_script(Source(script.text()))
    checker = Checker(None, None, Path())  # type: ignore[arg-type]
    honest = answers_by_definition(script)

    def run(self: Checker, script: RandomScript, variant: object) -> object:
        return honest, dict.fromkeys(script.queries, (0, script.last))

    monkeypatch.setattr(Checker, "run", run)
    variant = checker.variants(script, "files")[0]
    assert checker.check_variant(script, replace(variant, alone=None), compiled) == []
    name = next(name for name in script.queries if honest.rows[name])
    honest.rows[name].pop()
    found = checker.check_variant(replace(script, laws=()), replace(variant, alone=None), compiled)
    assert [problem.query for problem in found] == [name]


def answers_by_definition(script: RandomScript) -> Answers:
    """The answers of a run without any fault."""
    compiled, found = compile_script(Source(script.text())), Answers()
    for name in script.queries:
        expected = expected_answer(compiled, script, name, script.last)
        assert expected is not None
        if expected.answer.kind is Kind.STREAM:
            found.rows[name] = [(instant, None, row) for instant, row in stream_rows(expected.answer)]
        else:
            found.rows[name] = list(changelog(expected.answer))
    return found


def test_deliberate_faults_can_be_put_in() -> None:
    """What a mutation replaces stands in the code."""
    for mutation in MUTATIONS:
        text = (ROOT / "tailrace" / mutation.file).read_text(encoding="utf-8")
        assert mutation.old in text, mutation.what
