"""Nonsense: whatever the text, it ends in a program or in errors with places inside the text, never in a crash."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tailrace.analysis.program import analyse
from tailrace.engine.explain import check_report, explain_report
from tailrace.engine.pipeline import PlanningSession
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script, tokenize
from tests.language.scripts import case_scripts, corpus_scripts

SOURCES = """CREATE STREAM S (k INT, v INT, name STRING, ok BOOLEAN) TIMESTAMP BY ts;
CREATE STREAM T (k INT, w INT) TIMESTAMP BY ts;
"""
CHARACTERS = "'\"`[](){};,.*+-/%=<>!abz019_ \n\t\r\x00\x0b\x7fäλ中\u00a0\u2028\ufeff😀\\#$@:?~^&|"
EXPLAINED = 4000  # longer texts are the ones made to be long
LAYOUTS = [" ", "\n", "\t", "\r\n", "", "/**/", "--\n"]


def check(text: str) -> None:
    """Analyse, and where that succeeds also rewrite, share and explain; any exception but our own is a fault."""
    try:
        program = analyse(parse_script(Source(text, "fuzz.cql")))
        compiled = PlanningSession(program)
        assert compiled.final_plans.keys() == program.queries.keys()
        if len(text) < EXPLAINED:
            check_report(compiled)
            explain_report(compiled, program.queries.values(), "text")
    except ScriptError as error:
        check_error(error, text)
    except Exception as fault:
        pytest.fail(f"{type(fault).__name__}: {fault}\n{text[:2000]!r}")


def check_error(error: ScriptError, text: str) -> None:
    """Every problem has a place inside the text and says something in one line."""
    assert error.problems
    for problem in error.problems:
        place = problem.place
        assert place is not None, f"no place for {problem.message!r} in {text!r}"
        assert 0 <= place.start < place.end, f"{place} for {problem.message!r} in {text!r}"
        # What is missing at the end of a text is missed just behind it.
        assert place.start <= len(text), f"{place} for {problem.message!r} in {text!r}"
        assert place.end <= len(text) + 1, f"{place} for {problem.message!r} in {text!r}"
        assert problem.message.splitlines() == [problem.message], f"{problem.message!r} in {text!r}"
    heads = [line for line in error.message.split("\n") if line.startswith("fuzz.cql:")]
    assert len(heads) >= len(error.problems)


@cache
def pieces() -> list[list[tuple[str, str]]]:
    """The accepted scripts, each as its tokens with what stands behind them."""
    scripts = []
    for path in corpus_scripts() + case_scripts():
        text = path.read_text(encoding="utf-8")
        tokens = tokenize(text)
        starts = [token.start for token in tokens[1:]] + [len(text)]
        scripts.append([(text[t.start : t.end + 1], text[t.end + 1 : s]) for t, s in zip(tokens, starts, strict=True)])
    return scripts


@cache
def words() -> list[str]:
    return sorted({word for script in pieces() for word, _ in script} | set("[](){};,.'\"`"))


def mutated(rng: random.Random) -> str:
    """An accepted script with a few of its tokens or characters deleted, doubled, swapped or replaced."""
    parts = list(rng.choice(pieces()))
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        change = rng.randrange(7)
        if change == 0 and len(parts) > 1:
            del parts[at]
        elif change == 1:
            parts.insert(at, parts[at])
        elif change == 2:
            parts[at], parts[other] = parts[other], parts[at]
        elif change == 3:
            parts[at] = (rng.choice(words()), parts[at][1] or " ")
        elif change == 4:
            parts.insert(at, (rng.choice(words()), " "))
        elif change == 5:
            parts[at] = (parts[at][0], rng.choice(LAYOUTS))
        else:
            parts[at] = (with_odd_character(rng, parts[at][0]), parts[at][1])
    return "".join(word + behind for word, behind in parts)


def with_odd_character(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word) + 1)
    return word[:at] + rng.choice(CHARACTERS) + word[at + rng.randrange(2) :]


def soup(rng: random.Random) -> str:
    """Tokens in any order, behind a beginning that lets some of them through."""
    start = rng.choice(["", "CREATE ", "CREATE QUERY q AS ", "CREATE QUERY q AS SELECT ", "CREATE STREAM X (a INT) "])
    start = rng.choice([start, "CREATE QUERY q AS SELECT k FROM S ", "CREATE QUERY q AS SELECT k FROM S WHERE "])
    return SOURCES + start + " ".join(rng.choices(words(), k=rng.randrange(1, 25))) + rng.choice([";", "", " ;;"])


def noise(rng: random.Random) -> str:
    alphabet = rng.choice([CHARACTERS, "".join(map(chr, range(128))), "()[]'`-/*;", "SELECT FROM S [] ;"])
    return rng.choice(["", SOURCES]) + "".join(rng.choices(alphabet, k=rng.randrange(60)))


@pytest.mark.parametrize("seed", range(5))
def test_mutated_scripts(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(500):
        check(mutated(rng))


@pytest.mark.parametrize("seed", range(5))
def test_token_soup(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(400):
        check(soup(rng))


@pytest.mark.parametrize("seed", range(5))
def test_noise(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(400):
        check(noise(rng))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_more_of_everything(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(500):
        check(rng.choice([mutated, mutated, soup, noise])(rng))


ODD = {
    "nothing": "",
    "only blanks": " \n\t\r\n ",
    "only semicolons": ";;;\n;",
    "only comments": "-- nothing\n/* at all */",
    "comment at the end without a line end": "SHOW STREAMS; -- done",
    "no semicolon at the end": "SHOW STREAMS",
    "nested comment": "/* a /* b */ c */ SHOW STREAMS;",
    "zero character": "SHOW STREAMS;\x00",
    "zero character in a text": "SET spark.x = 'a\x00b';",
    "byte order mark": "\ufeffSHOW STREAMS;",
    "line separators": "SHOW\u2028STREAMS;\u2029SHOW VIEWS;",
    "carriage returns": "SHOW STREAMS;\r\nSHOW VIEWS\r;\rSHOW QUERIES;\r\n",
    "blank that does not break": "SHOW\u00a0STREAMS;",
    "right to left": "CREATE STREAM نهر (עמודה INT) TIMESTAMP BY ts;",
    "emoji name": "CREATE STREAM `🌊` (`🚗` INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT `🚗` FROM `🌊`;",
    "combining marks": "CREATE STREAM S (e\u0301 INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT \u00e9 FROM S;",
    "capital that changes its length": "CREATE STREAM ß (ŉ INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT ŉ FROM SS;",
    "empty name": "CREATE STREAM `` (`` INT) TIMESTAMP BY ``;",
    "name of blanks": "CREATE STREAM ` ` (` ` INT) TIMESTAMP BY ` `; CREATE QUERY q AS SELECT ` ` FROM ` `;",
    "line end in a name": "CREATE QUERY q AS SELECT `a\nb` FROM `c\nd`;",
    "line end in an option": "CREATE STREAM S (a INT) USING csv OPTIONS ('a\nb' 'c') TIMESTAMP BY ts;",
    "line end in a date": f"{SOURCES}CREATE QUERY q AS SELECT DATE '2024\n' AS d FROM S;",
    "line end in a setting": "SET 'a\nb' = 'c'; SET tick = 'a\nb';",
    "backslash at the end of a text": "SET spark.x = 'a\\",
    "quote in a comment": "/* it's */ SHOW STREAMS; -- it's",
    "template braces": "{# SHOW STREAMS; #} {{ a }} {% b %}",
    "dollar quotes": "CREATE QUERY q AS SELECT $$a$$ FROM S;",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_texts(text: str) -> None:
    check(text)


ENTANGLED = {
    "FULL JOIN USING twice": "SELECT k FROM S [NOW] FULL JOIN T [NOW] USING (k) JOIN T [ROWS 1] AS u USING (k)",
    "subquery in a correlated condition": """SELECT k FROM S [NOW] WHERE EXISTS (
        SELECT 1 FROM T [NOW] WHERE T.k + (SELECT MAX(w) FROM T) = v)""",
    "lambda too early": "SELECT AGGREGATE(ARRAY(k), (x, y) -> x) AS a FROM S",
    "subquery in GROUP BY": """SELECT k IN (SELECT k FROM T) AS known, COUNT(*) AS n
        FROM S [NOW] GROUP BY k IN (SELECT k FROM T)""",
}


@pytest.mark.parametrize("query", ENTANGLED.values(), ids=ENTANGLED.keys())
def test_entangled_queries(query: str) -> None:
    check(asked(query))


# Deep, long and large -------------------------------------------------------------------------------------


def asked(query: str) -> str:
    return f"{SOURCES}CREATE QUERY q AS {query};"


def joins(count: int) -> str:
    return "".join(f" JOIN T AS t{number} ON S.k = t{number}.k" for number in range(count))


def views(count: int) -> str:
    chain = "".join(f"CREATE VIEW v{n + 1} AS SELECT k FROM v{n};" for n in range(count))
    return f"{SOURCES}CREATE VIEW v0 AS SELECT k FROM S;{chain}CREATE QUERY q AS SELECT k FROM v{count};"


NESTED = {
    "parentheses": lambda n: asked(f"SELECT {'(' * n}k{')' * n} AS k FROM S"),
    "conditions": lambda n: asked(f"SELECT k FROM S WHERE {'(' * n}k > 1{')' * n}"),
    "NOT": lambda n: asked(f"SELECT k FROM S WHERE {'NOT ' * n}ok"),
    "minus": lambda n: asked(f"SELECT {'- ' * n}k AS k FROM S"),
    "calls": lambda n: asked(f"SELECT {'ABS(' * n}k{')' * n} AS k FROM S"),
    "CASE": lambda n: asked(f"SELECT {'CASE WHEN ok THEN ' * n}1{' END' * n} AS k FROM S"),
    "FROM": lambda n: asked(f"SELECT k FROM {'(SELECT k FROM ' * n}S{')' * n}"),
    "IN": lambda n: asked(f"SELECT k FROM S{' WHERE k IN (SELECT k FROM S' * n}{')' * n}"),
    "EXISTS": lambda n: asked(f"SELECT k FROM S{' WHERE EXISTS (SELECT k FROM T' * n}{')' * n}"),
    "values": lambda n: asked(f"SELECT {'(SELECT ' * n}MAX(k){' FROM S [NOW])' * n} AS x FROM S [NOW]"),
    "queries": lambda n: asked(f"{'(' * n}SELECT k FROM S{')' * n}"),
    "ISTREAM": lambda n: asked(f"{'ISTREAM(' * n}SELECT k FROM S{')' * n}"),
    "join parentheses": lambda n: asked(f"SELECT k FROM {'(' * n}S{')' * n}"),
    "ARRAY": lambda n: f"CREATE STREAM A (a {'ARRAY<' * n}INT{'>' * n}) TIMESTAMP BY ts;",
    "STRUCT": lambda n: f"CREATE STREAM A (a {'STRUCT<a: ' * n}INT{'>' * n}) TIMESTAMP BY ts;",
    "casts": lambda n: asked(f"SELECT k{'::INT::STRING' * n} AS k FROM S"),
    "indexes": lambda n: asked(f"SELECT name{'[0]' * n} FROM S"),
    "opened only": lambda n: asked(f"SELECT {'(' * n}"),
}
LONG = {
    "+": lambda n: asked(f"SELECT k{' + k' * n} AS k FROM S"),
    "AND": lambda n: asked(f"SELECT k FROM S WHERE k > 1{' AND v > 1' * n}"),
    "OR": lambda n: asked(f"SELECT k FROM S WHERE k > 1{' OR v > 1' * n}"),
    "||": lambda n: asked(f"SELECT name{' || name' * n} AS k FROM S"),
    "=": lambda n: asked(f"SELECT k FROM S WHERE ok{' = ok' * n}"),
    "IN": lambda n: asked(f"SELECT k FROM S WHERE k IN (1{', 2' * n})"),
    "select list": lambda n: asked(f"SELECT k{', k' * n} FROM S"),
    "WHEN": lambda n: asked(f"SELECT CASE{' WHEN k = 1 THEN 1' * n} END AS x FROM S"),
    "arguments": lambda n: asked(f"SELECT COALESCE(k{', k' * n}) AS x FROM S"),
    "UNION": lambda n: asked(f"SELECT k FROM S{' UNION ALL SELECT k FROM S' * n}"),
    "joins": lambda n: asked(f"SELECT S.k FROM S{joins(n)}"),
    "views": views,
    "columns": lambda n: f"CREATE STREAM A ({', '.join(f'c{i} INT' for i in range(n))}) TIMESTAMP BY ts;",
    "semicolons": lambda n: ";" * n,
    "text": lambda n: asked(f"SELECT '{'k' * n}' AS x FROM S"),
    "name": lambda n: asked(f"SELECT {'k' * n} FROM S"),
}
LARGE = {
    "number": "CREATE QUERY q AS SELECT {} AS x FROM S;",
    "fraction": "CREATE QUERY q AS SELECT 0.{} AS x FROM S;",
    "exponent": "CREATE QUERY q AS SELECT 1e{} AS x FROM S;",
    "rows": "CREATE QUERY q AS SELECT k FROM S [ROWS {}];",
    "range": "CREATE QUERY q AS SELECT k FROM S [RANGE {} DAYS];",
    "frequency": "CREATE QUERY q AS SELECT k FROM S [FREQUENCY {} TUPLES];",
    "interval": "CREATE QUERY q AS SELECT INTERVAL {} DAYS AS x FROM S;",
    "limit": "CREATE QUERY q AS SELECT k FROM S [NOW] ORDER BY k LIMIT {};",
    "position": "CREATE QUERY q AS SELECT k FROM S [NOW] ORDER BY {} LIMIT 1;",
    "precision": "CREATE STREAM A (a DECIMAL({})) TIMESTAMP BY ts;",
    "delay": "CREATE STREAM A (a INT) TIMESTAMP BY ts DELAY {} WEEKS;",
    "idle": "CREATE STREAM A (a INT) TIMESTAMP BY ts IDLE AFTER {} WEEKS;",
    "tick": "SET tick = '{} days';",
}
DIGITS = [20, 60, 400, 5000]


@pytest.mark.parametrize("depth", [20, 100, 3000])
@pytest.mark.parametrize("form", NESTED)
def test_deep_nesting(form: str, depth: int) -> None:
    check(NESTED[form](depth))


@pytest.mark.parametrize("length", [100, 300, 1500])
@pytest.mark.parametrize("form", LONG)
def test_long_lists(form: str, length: int) -> None:
    check(LONG[form](length))


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("form", LARGE)
def test_large_numbers(form: str, digits: int) -> None:
    check(SOURCES + LARGE[form].format("9" * digits))
