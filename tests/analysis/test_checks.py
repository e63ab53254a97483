"""Wrong scripts that are easily taken for right: each is refused."""

from __future__ import annotations

import time

import pytest

from tests.analysis.build import problems

QUERIES = {
    "SELECT k AS _ts, v AS _op FROM S": "the result has two columns _ts and two columns _op",
    "WITH a AS (SELECT k FROM S), a AS (SELECT v FROM S) SELECT * FROM a": "two subqueries of one name",
    "SELECT 1 AS one FROM S AS s (a, a, b)": "two columns of one name",
    "SELECT k FROM S WHERE name": "a STRING is no condition in Spark",
    "SELECT COUNT() AS n FROM S [NOW]": "COUNT takes an argument or a star",
    "SELECT k FROM S [NOW] JOIN Still USING (k, k)": "one column twice",
    "SELECT DISTINCT m FROM Typed [NOW]": "Spark cannot tell whether two MAPs are equal",
    "SELECT at + INTERVAL 'abc' DAY AS it FROM Typed": "no number",
    "SELECT at + INTERVAL '1 2' DAY AS it FROM Typed": "no number of days",
    "SELECT INTERVAL '1 day 2' AS it FROM Typed": "2 of what",
    "SELECT EXTRACT(PARSEC FROM at) AS it FROM Typed": "no part of a time",
    "SELECT DATEDIFF(FORTNIGHT, d, d) AS it FROM Typed": "no unit of time",
    "SELECT DATEDIFF(1 + 1, d, d) AS it FROM Typed": "no unit at all",
    "SELECT s LIKE 'a' ESCAPE 'xx' AS it FROM Typed": "an escape is one character",
    "SELECT FILTER(a, e -> EXISTS (SELECT 1 FROM Still)) AS it FROM Typed [NOW]": "a subquery for each element",
    "SELECT k FROM S [NOW] ORDER BY k LIMIT 99999999999999999999": "more than 64 bits",
}
SCRIPTS = {
    "CREATE VIEW V (_op) AS SELECT k FROM S;": "a view's columns may begin with _ though a stream's may not",
    "CREATE STREAM X (a INT) KEY (a, a);": "one column twice",
    "CREATE RELATION X (a INT) TIMESTAMP BY ts OP BY ts;": "one column as timestamp and as + or -",
    "CREATE RELATION X (a INT, op INT) TIMESTAMP BY ts OP BY op;": "a number is neither + nor -",
    "CREATE STREAM `` (a INT) TIMESTAMP BY ts;": "an empty name",
    """CREATE STREAM X (a INT) TIMESTAMP BY ts DELAY 60 SECONDS; SET tick = '1 minute';
       CREATE QUERY q AS SELECT a FROM X;""": "a DELAY that was counted in other ticks",
    """CREATE STREAM X (a INT, at TIMESTAMP) TIMESTAMP BY at; CREATE STREAM Y (a INT, at INT) TIMESTAMP BY at;
       CREATE QUERY q AS SELECT X.a FROM X [NOW], Y [NOW] WHERE X.a = Y.a;""": "ticks and TIMESTAMPs in one query",
}
TEXTS = {f"CREATE QUERY q AS {query};": why for query, why in QUERIES.items()} | SCRIPTS


@pytest.mark.parametrize("text", TEXTS)
def test_is_refused(text: str) -> None:
    assert problems(text) != []


READS_TWICE = {
    "join": "SELECT a.k, b.v FROM V{0} a, V{0} b WHERE a.k = b.k",
    "union": "SELECT k, v FROM V{0} UNION ALL SELECT k, v FROM V{0}",
    "subquery": "SELECT k, v FROM V{0} WHERE k IN (SELECT v FROM V{0})",
    "expression": "SELECT k * v AS k, v * k AS v FROM V{0}",
    "columns": "SELECT a.*, a.* FROM V{0} a",
    "type": "SELECT struct(k, k) AS k, v FROM V{0}",
}


@pytest.mark.parametrize("form", READS_TWICE)
@pytest.mark.parametrize("as_views", [True, False])
def test_short_texts_of_enormous_plans_are_refused(form: str, as_views: bool) -> None:
    """Each of 26 views has the one before it twice, in 2 kB of text: written out, that is 100 million of anything."""
    texts = ["SELECT k, v FROM S [RANGE 10]", *(READS_TWICE[form].format(number) for number in range(26))]
    if as_views:
        script = "".join(f"CREATE VIEW V{number} AS {text};" for number, text in enumerate(texts))
        script += "CREATE QUERY q AS SELECT * FROM V26;"
    else:
        views = ", ".join(f"V{number} AS ({text})" for number, text in enumerate(texts))
        script = f"CREATE QUERY q AS WITH {views} SELECT * FROM V26;"
    begun = time.process_time()
    (found,) = problems(script)
    assert time.process_time() - begun < 2  # hours without the limit
    assert "more than" in found.message
    assert found.place is not None


def test_views_of_views_are_accepted_as_long_as_they_are_small() -> None:
    script = "CREATE VIEW V0 AS SELECT k, v FROM S [RANGE 10];"
    script += "".join(f"CREATE VIEW V{n + 1} AS SELECT k + 1 AS k, v FROM V{n} WHERE v > {n};" for n in range(60))
    assert problems(script + "CREATE QUERY q AS SELECT * FROM V60;") == []
    script = "CREATE VIEW V0 AS SELECT k, v FROM S [RANGE 10];"
    script += "".join(f"CREATE VIEW V{n + 1} AS {READS_TWICE['join'].format(n)};" for n in range(7))
    assert problems(script + "CREATE QUERY q AS SELECT * FROM V7;") == []
