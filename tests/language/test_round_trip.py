"""Text to tree and back: canonical text is read as the same tree, is its own canonical text, and so is pretty text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from tailrace.errors import Source
from tailrace.language import nodes
from tailrace.language.script import parse_query, parse_script, to_text, tokenize
from tests.language.random_statements import statements
from tests.language.random_texts import expressions, queries
from tests.language.scripts import case_scripts, corpus_scripts, shown, source_of

SCRIPTS = corpus_scripts() + case_scripts()
ODD_FORMS = [
    "SELECT SUM(a) FILTER (WHERE b) OVER (PARTITION BY c ORDER BY e ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM S",
    "SELECT LAST_VALUE(a) IGNORE NULLS OVER (w RANGE BETWEEN INTERVAL '5' DAY PRECEDING AND CURRENT ROW) FROM S",
    "SELECT RANK() OVER w, a OVER FROM S GROUP BY a WINDOW w AS (ORDER BY b), v AS (w ROWS 1 PRECEDING) QUALIFY b < 3",
    "SELECT COUNT(*) OVER () FROM S QUALIFY a",
    "SELECT a DIV b FROM S",
    "SELECT a IS DISTINCT FROM b = c FROM S",
    "SELECT a NOT LIKE b ESCAPE '!' = c FROM S",
    "SELECT a FROM S WHERE ((SELECT MAX(a) FROM T) > 1)",
    "SELECT a FROM S WHERE a IN ((SELECT MAX(a) FROM T), 2)",
    "SELECT a FROM ((SELECT a FROM S) AS x JOIN T USING (a))",
    "SELECT a FROM R, (SELECT a FROM S) AS x JOIN T USING (a)",
    "WITH x AS (SELECT a FROM S) (WITH y AS (SELECT a FROM x) SELECT a FROM y)",
    "SELECT a FROM S [FREQUENCY 1 TUPLE PARTITIONED BY a, `range`]",
    "SELECT CAST(a AS STRUCT<`a b`: INT>) FROM S",
    "SELECT a[frequency] FROM S",
    "SELECT .5 FROM S",
    "SELECT a + INTERVAL '1 02:03:04.5' DAY TO SECOND - INTERVAL -'1-2' YEAR TO MONTH FROM S",
    "SELECT INTERVAL '1 month -2 days' + a, a - INTERVAL 1 WEEK '2' DAYS, INTERVAL '90' day (3) FROM S",
    "SELECT substring(a FROM 2 FOR b + 1), substring(a FROM 2), position('x' IN a || 'y') FROM S",
    "SELECT trim(BOTH 'x' FROM a), trim(LEADING FROM a), trim(TRAILING 'y' FROM a), trim('z' FROM a) FROM S",
    "SELECT overlay(a PLACING 'x' FROM 2 FOR 3), overlay(a PLACING 'x' FROM 2), STRUCT(a AS x, b) FROM S",
    "SELECT * EXCEPT (a, `b c`) REPLACE (d + 1 AS d), S.* EXCLUDE e FROM S",
    "SELECT * EXCEPT (SELECT a FROM T)",
    "SELECT * FROM S UNION ALL BY NAME SELECT * FROM T",
    "SELECT a, COUNT(*) FROM S GROUP BY ALL ORDER BY ALL DESC NULLS FIRST LIMIT 3",
    "SELECT a NOT LIKE ANY ('x%', 'y%') = b ILIKE ALL ('z'), c NOT BETWEEN SYMMETRIC 3 AND d FROM S",
    "SELECT a IS UNKNOWN, b IS NOT UNKNOWN FROM S",
]
SEPARATORS = st.sampled_from([" ", "\n", "\t", "\r\n", " /* c; ' */ ", " -- c; '\n", "\n\n  "])


def shape(node: object) -> object:
    """A tree as plain values. sqlglot's own equality overlooks capitals in texts; this overlooks nothing."""
    if isinstance(node, exp.Expr):
        kept = {key: shape(value) for key, value in node.args.items() if value not in (None, False, [])}
        return type(node).__name__, kept
    if isinstance(node, list):
        return [shape(part) for part in node]
    return node


def parsed(text: str) -> nodes.Statement:
    """The one statement of a text."""
    script = parse_script(Source(text))
    assert [problem.message for problem in script.problems] == []
    assert len(script.statements) == 1
    return script.statements[0]


def check(tree: nodes.Statement) -> None:
    canonical = to_text(tree)
    again = parsed(canonical)
    assert again == tree
    assert shape(again) == shape(tree)
    assert to_text(again) == canonical
    # Pretty text indents the branches of a long CASE, and with them the lines of a text that has several.
    if "\n" not in canonical:
        assert shape(parsed(to_text(tree, pretty=True))) == shape(tree)


@pytest.mark.parametrize("script", SCRIPTS, ids=shown)
def test_scripts(script: Path) -> None:
    found = parse_script(source_of(script))
    assert found.problems == ()
    assert found.statements
    for statement in found.statements:
        check(statement)


@settings(max_examples=250)
@given(queries())
def test_queries(text: str) -> None:
    check(parsed(f"EXPLAIN {text}"))


@settings(max_examples=250)
@given(expressions())
@example("a - (b - c) - - d")
@example("NOT a = b AND NOT (c OR d) IS NULL")
@example("'it''s' || \"a\\\"b\" || '\\\\'")
def test_expressions(text: str) -> None:
    check(parsed(f"EXPLAIN SELECT {text} FROM S"))


@settings(max_examples=250)
@given(statements())
def test_statements(text: str) -> None:
    check(parsed(text))


@pytest.mark.slow
@settings(max_examples=2000)
@given(st.one_of(queries(depth=3).map(lambda text: f"EXPLAIN {text}"), statements()))
def test_many(text: str) -> None:
    check(parsed(text))


@pytest.mark.parametrize("text", ODD_FORMS)
def test_odd_forms(text: str) -> None:
    check(parsed(f"EXPLAIN {text}"))


@settings(max_examples=100)
@given(st.sampled_from(SCRIPTS), st.data())
def test_layout_does_not_matter(script: Path, data: st.DataObject) -> None:
    """Any mix of blanks, line ends and comments where there was a blank gives the same trees."""
    source = source_of(script)
    tokens = tokenize(source.text)
    text = ""
    for before, token in zip([None, *tokens], tokens, strict=False):
        gap = source.text[before.end + 1 : token.start] if before else ""
        text += (data.draw(SEPARATORS) if gap else "") + source.text[token.start : token.end + 1]
    assert [shape(tree) for tree in parse_script(Source(text)).statements] == [
        shape(tree) for tree in parse_script(source).statements
    ]


@settings(max_examples=50)
@given(st.sampled_from(SCRIPTS))
def test_capitals_of_keywords_do_not_matter(script: Path) -> None:
    for statement in parse_script(source_of(script)).statements:
        canonical = to_text(statement)
        lower = parsed(canonical.lower())
        assert to_text(lower).lower() == canonical.lower()


def test_one_query_alone() -> None:
    assert to_text(parse_query("select k from S [now] ;")) == "SELECT k FROM S [NOW]"
