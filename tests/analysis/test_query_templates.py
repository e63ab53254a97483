"""Queries that differ only in constants: planned by a template, each is what it would be planned by itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tailrace.analysis.program import Program, TemplatedQuery
from tailrace.engine.explain import explain_text, query_json
from tailrace.engine.pipeline import PlanningSession, compile_script, extend
from tailrace.errors import ScriptError, Source, TextSpan, UnknownValueError
from tailrace.language.script import parse_as, parse_query, parse_script, to_text
from tailrace.language.templates import TOKEN, lift_constants, put_parameters
from tailrace.logical.expressions import Literal, Parameter
from tailrace.logical.text.expression_text import text_of
from tailrace.sharing.registry import QueryProfile
from tailrace.stable_encoding import encode
from tailrace.types import INT

SOURCES = """CREATE STREAM S (k INT, small SMALLINT, b BIGINT, d DOUBLE, f FLOAT, n DECIMAL(8,2), s STRING,
                 t DATE, x TIMESTAMP, a ARRAY<INT>) TIMESTAMP BY ts;
CREATE STREAM T (k INT, v INT) TIMESTAMP BY ts;
CREATE VIEW V AS SELECT k, s, b FROM S WHERE k > 5 AND s = 'x';
"""
FRAMES = [
    "SELECT k, s FROM S WHERE {}",
    "SELECT COUNT(*) AS n FROM S WHERE {}",
    "SELECT ISTREAM(k, 7 AS seven) FROM S [RANGE 5] WHERE {}",
    "SELECT s, SUM(k) AS total FROM S [RANGE 5] WHERE {} GROUP BY s HAVING SUM(k) > 3",
    "SELECT k, CASE WHEN {} THEN 1 ELSE 0 END AS c FROM S",
    "SELECT k > 3 FROM S WHERE {}",
    "SELECT k FROM S [PARTITION BY k ROWS 3] WHERE {}",
    "SELECT DISTINCT s AS only FROM S [ROWS 10] WHERE {} -- and k > 7",
    "SELECT COUNT(*) FILTER (WHERE {}) AS m FROM S",
    "SELECT S.s, T.v FROM S [RANGE 3], T [RANGE 3] WHERE S.k = T.k AND ({})",
    "SELECT s FROM S [RANGE 5] WHERE {} AND (SELECT COUNT(*) FROM T [RANGE 5] AS u WHERE u.v > b AND u.v < 9) > 1",
    "SELECT S.s, l.m FROM S [NOW], LATERAL (SELECT MAX(v) AS m FROM T [NOW] AS u WHERE u.v > S.b) AS l WHERE {}",
    "SELECT s FROM S [NOW] WHERE {} AND (SELECT MAX(v) FROM T [NOW] AS u WHERE u.v = b HAVING COUNT(*) > 1) > 2",
    "SELECT s AS old FROM (SELECT s, k, b, d, f, n, t, x, small, a FROM S) [RANGE 5] WHERE {} ORDER BY s LIMIT 3",
]
PARTS = [
    "k {sign} {int}",
    "S.k {sign} {int}",
    "b {sign} {int}",
    "small {sign} {int}",
    "d {sign} {int}",
    "d {sign} {decimal}",
    "f {sign} {decimal}",
    "n {sign} {decimal}",
    "n {sign} {int}",
    "s {sign} {text}",
    "s = {text}",
    "t {sign} {text}",
    "t > DATE '2024-02-29'",
    "x >= {date}",
    "k = {int}",
    "k <> {int}",
    "k != {int}",
    "k <=> {int}",
    "{int} < k",
    "k BETWEEN {int} AND {int}",
    "k NOT BETWEEN {int} AND {int}",
    "d between {decimal} and {decimal}",
    "s BETWEEN {text} AND {text}",
    "k IN ({int}, {int}, NULL)",
    "NOT k {sign} {int}",
    "CASE WHEN k {sign} {int} THEN 1 ELSE 2 END {sign} {int}",
    "(k, b) {sign} (2, {int})",
    "NOT (k {sign} {int} AND b {sign} {int})",
    "(k {sign} {int} OR s = {text})",
    "(k {sign} {int} AND b {sign} {int} OR d {sign} {decimal})",
    "k {sign} {int} + {int}",
    "k + 1 {sign} {int}",
    "b / {int} {sign} {int}",
    "s = 'k > {int}'",
    "(k {sign} {int}) IS TRUE",
    "k {sign} NULL",
    "s LIKE {text}",
    "exists(a, y -> y {sign} {int})",
    "coalesce(k {sign} {int}, b = {int})",
    "EXISTS (SELECT v FROM T [RANGE {range}] WHERE v {sign} {int})",
]
USUAL = PARTS[:6] + [part for part in PARTS if part.startswith(("s =", "k =", "k BETWEEN", "(k"))]
INTS = ["0", "-1", "1", "7", "42", "007", "-0", "2147483647", "2147483648", "-2147483648", "999999999", "1000000000"]
INTS += ["9223372036854775807", "9223372036854775808", "99999999999999999999", "1e3", "5L", "- 3"]
DECIMALS = ["0.0", "-0.0", "0.5", "-0.5", "12.50", "12.5", "12.05", "0.000001", "0.0000001", "1.", ".5", "99999999.99"]
SIGNS = ["<", "<=", ">", ">="]
TEXTS = ["''", "'x'", "'it''s'", "'2024-02-29'", "'2024-13-01'", "'7'", "'a b'", "'k > 3'", "'%'", "'a\\\\'b'", "'ü'"]


def value(kind: str, chance: Random) -> str:
    """Mostly something usual, and often the same."""
    usual = {
        "int": [*map(str, range(-2, 7)), "42"],
        "decimal": ["0.5", "2.5", "3.5", "-7.5"],
        "text": ["'x'", "'y'", "'z'"],
    }
    unusual = {"int": INTS, "decimal": DECIMALS, "text": TEXTS, "sign": SIGNS, "date": TEXTS[3:5], "range": ["1", "2"]}
    return chance.choice(usual[kind] if kind in usual and chance.random() < 0.9 else unusual[kind])


def shape(chance: Random) -> str:
    usual = chance.random() < 0.7
    frame = chance.choice(FRAMES[:4] if usual else FRAMES)
    fitting = [part for part in PARTS if not ("EXISTS" in part and "FILTER" in frame)]
    parts = [chance.choice(USUAL if usual else fitting) for _ in range(chance.randint(1, 3))]
    if chance.random() < 0.3:
        parts.append(parts[0])
    return frame.format(chance.choice([" AND ", " AND ", "\n  and ", " OR "]).join(parts))


def facts(compiled: PlanningSession) -> dict[str, QueryProfile]:
    return compiled.profiles(compiled.program.queries.values())


def filled(text: str, chance: Random) -> str:
    """Each value is drawn by itself."""
    parts = text.split("{")
    found = [parts[0]]
    for part in parts[1:]:
        kind, _, rest = part.partition("}")
        found += [value(kind, chance), rest]
    return "".join(found)


def whole(program: Program, name: str) -> tuple[object, ...]:
    query = program.queries[name]
    told = [(note.text, note.is_default) for note in query.notes]
    return query.plan, query.names, query.kind, query.schema, told, query.expanded_text(), query.is_snapshot


def same(facts: QueryProfile, other: QueryProfile) -> None:
    assert facts == other
    assert repr(facts.predicate) == repr(other.predicate)


def registered(engine: PlanningSession, name: str, text: str) -> PlanningSession:
    return extend(engine, lambda source, templates: parse_as(source, name, templates=templates), Source(text))


def problems(engine: PlanningSession, name: str, text: str) -> list[tuple[str, TextSpan | None, str | None]]:
    """What is wrong with a query."""
    try:
        registered(engine, name, text)
    except ScriptError as found:
        return [(problem.message, problem.place, problem.hint) for problem in found.problems]
    return []


@pytest.mark.parametrize("seed", range(20))
def test_each_is_as_if_it_were_alone(seed: int) -> None:
    chance = Random(seed)
    queries = [filled(text, chance) for text in [shape(chance) for _ in range(4)] for _ in range(8)]
    wrong = {text: told for text in queries if (told := problems(compile_script(Source(SOURCES)), "q", text))}
    right = {f"q{number}": text for number, text in enumerate(queries) if text not in wrong}
    script = SOURCES + "".join(f"CREATE QUERY {name} AS {text}\n;\n" for name, text in right.items())
    together = compile_script(Source(script))
    one_by_one = compile_script(Source(SOURCES))
    for name, text in right.items():
        one_by_one = registered(one_by_one, name, text)
    in_script, in_turn = facts(together), facts(one_by_one)
    for name, text in right.items():
        alone = registered(compile_script(Source(SOURCES)), name, text)
        same(in_script[name], facts(alone)[name])
        same(in_turn[name], facts(alone)[name])
        query = together.program.queries[name]
        assert together.rewrite(query).plan == alone.rewrite(alone.program.queries[name]).plan
        assert whole(one_by_one.program, name) == whole(alone.program, name)
        assert query.place is not None
        assert script[query.place.start : query.place.end].startswith(f"CREATE QUERY {name} AS ")
    for text, told in wrong.items():
        assert problems(one_by_one, "wrong", text) == told


def test_most_are_not_read() -> None:
    text = "".join(f"CREATE QUERY q{k} AS SELECT k FROM S WHERE k > {k} AND s = 'n{k}';" for k in range(100))
    found = compile_script(Source(SOURCES + text)).program.queries.values()
    assert sum(isinstance(query, TemplatedQuery) for query in found) == 99
    assert not any("whole" in vars(query) for query in found)


@pytest.mark.parametrize(
    "part", ["exists(a, y -> y > {})", "coalesce(k > {}, FALSE)", "NOT k > {}", "k > {} OR s = 'x'"]
)
def test_parameters_are_bound_wherever_they_stand(part: str) -> None:
    text = "".join(f"CREATE QUERY q{k} AS SELECT k FROM S WHERE {part.format(k)};" for k in range(3))
    together, alone = compile_script(Source(SOURCES + text)), compile_script(Source(SOURCES + text.split(";")[2]))
    assert isinstance(together.program.queries["q2"], TemplatedQuery)
    same(facts(together)["q2"], facts(alone)["q2"])
    assert together.rewrite(together.program.queries["q2"]) == alone.rewrite(alone.program.queries["q2"])


def test_wrong_ones_are_told_where_they_stand() -> None:
    query = "SELECT k FROM S WHERE k >"
    lines = [f"CREATE QUERY q{number} AS {query} {number};\n" for number in range(5)]
    lines.append(f"CREATE QUERY q3 AS {query} 9;\n")
    lines.append(f"CREATE QUERY r INTO jsn AS {query} 9;\n")
    lines.append(f"CREATE QUERY p INTO json AS {query} 9;\n")
    lines.append("CREATE QUERY o AS SELECT k FROM S WHERE kk > 9;\n")
    lines.append(f"CREATE QUERY n INTO json OPTIONS (path 'x',) AS {query} 9;\n")
    with pytest.raises(ScriptError) as told:
        compile_script(Source(SOURCES + "".join(lines), "a.cql"))
    places = [told.value.source.position(each.place.start) for each in told.value.problems if each.place]
    first = SOURCES.count("\n") + 1
    assert [line for line, _ in places] == [first + 5, first + 6, first + 7, first + 8, first + 9]


def test_a_name_that_means_something_else_is_seen() -> None:
    engine = compile_script(Source("CREATE STREAM U (k INT) TIMESTAMP BY ts;"))
    for number in range(3):
        engine = registered(engine, f"a{number}", f"SELECT k FROM U WHERE k > {number}")
    other = "CREATE STREAM U (j INT, k DOUBLE) TIMESTAMP BY ts;"
    drop = "DROP QUERY a0; DROP QUERY a1; DROP QUERY a2; DROP STREAM U;"
    engine = extend(engine, parse_script, Source(drop + other))
    for number in range(3):
        engine = registered(engine, f"b{number}", f"SELECT k FROM U WHERE k > {number}")
    assert {str(query.schema[0].type) for query in engine.program.queries.values()} == {"DOUBLE"}
    alone = registered(compile_script(Source(other)), "b2", "SELECT k FROM U WHERE k > 2")
    same(facts(engine)["b2"], facts(alone)["b2"])


def test_sinks_and_snapshots_are_each_ones_own() -> None:
    text = "".join(
        f"CREATE QUERY q{k} INTO json OPTIONS (path 'out/{k}'{', mode ' + repr('snapshot') if k % 2 else ''}) AS "
        f"SELECT COUNT(*) AS n FROM S WHERE k > {k};"
        for k in range(6)
    )
    compiled = compile_script(Source(SOURCES + text))
    queries = compiled.program.queries
    assert [query.is_snapshot for query in queries.values()] == [False, True] * 3
    assert [dict(query.options)["path"] for query in queries.values()] == [f"out/{k}" for k in range(6)]
    assert len({each.family for each in facts(compiled).values()}) == 2


HOLES = {
    "sign": st.sampled_from(SIGNS),
    "int": st.one_of(st.integers(-20, 20).map(str), st.sampled_from(INTS)),
    "decimal": st.one_of(st.decimals(-9, 9, places=2, allow_nan=False).map(str), st.sampled_from(DECIMALS)),
    "text": st.one_of(st.text("abx '%", max_size=3).map(repr), st.sampled_from(TEXTS)),
    "date": st.sampled_from(TEXTS[3:5]),
    "range": st.sampled_from(["1", "2"]),
}


@st.composite
def alike_queries(draw: st.DrawFn) -> list[str]:
    """Three queries of one form, each with values of its own."""
    frame = draw(st.sampled_from(FRAMES))
    fitting = st.sampled_from([part for part in PARTS if not ("EXISTS" in part and "FILTER" in frame)])
    joined = draw(st.sampled_from([" AND ", " OR "])).join(draw(st.lists(fitting, min_size=1, max_size=3)))
    form = frame.format(joined)

    def fill() -> str:
        first, *rest = form.split("{")
        pairs = [part.partition("}") for part in rest]
        return first + "".join(draw(HOLES[kind]) + behind for kind, _, behind in pairs)

    return [fill() for _ in range(3)]


@settings(max_examples=150)
@given(alike_queries())
def test_binding_constants_is_planning_alone(texts: list[str]) -> None:
    """Id, profile, plans and EXPLAIN of a query are the same whether its template was known or not."""
    together = compile_script(Source(SOURCES))
    for number, text in enumerate(texts):
        told = problems(compile_script(Source(SOURCES)), f"q{number}", text)
        assert problems(together, f"q{number}", text) == told
        if not told:
            together = registered(together, f"q{number}", text)
    assume(together.program.queries)
    for name, query in together.program.queries.items():
        lonely = registered(compile_script(Source(SOURCES)), name, texts[int(name[1:])])
        alone = lonely.program.queries[name]
        assert not isinstance(alone, TemplatedQuery)
        same(facts(together)[name], facts(lonely)[name])
        assert encode(query.plan) == encode(alone.plan)
        assert together.rewrite(query) == lonely.rewrite(alone)
        for explain in (explain_text, query_json):
            assert explain(query, together.rewrite(query)) == explain(alone, lonely.rewrite(alone))


@pytest.mark.parametrize(
    "use",
    [lambda p: p.value, lambda p: text_of(p), lambda p: encode(p), lambda p: p == Literal(3, INT) or p.value],
)
def test_a_parameter_gives_no_value_away(use: Callable[[Parameter], object]) -> None:
    with pytest.raises(UnknownValueError):
        use(Parameter(0, INT))


def test_a_parameter_has_no_text() -> None:
    text = "SELECT k FROM S WHERE k > -3 AND s = 'x' AND n BETWEEN 1.5 AND 2.5"
    query = parse_query(text)
    values = lift_constants(TOKEN.findall(text))
    assert values == [">", "-3", "", "'x'", "", "1.5", "", "2.5"]
    assert put_parameters(query, values)
    with pytest.raises(UnknownValueError):
        to_text(query)


@pytest.mark.parametrize(
    ("condition", "lifted"),
    [
        ("k > 3 -- and k > 4", ["3"]),
        ("s = 'k > 3'", ["'k > 3'"]),
        ("s = 'it''s' AND k = 5", ["5"]),
        ("k = 5L OR k < 1e3 OR k >= 1. OR k <> .5", []),
        ("k<=-7 AND k BETWEEN 1 AND -2 AND 3 < k", ["-7", "1", "-2"]),
        ("k <=> 3 AND k IN (1, 2) AND s LIKE 'x'", []),
        ("exists(a, x -> 3) AND s = r'x' AND k > 1234567890", []),
    ],
)
def test_which_constants_are_lifted(condition: str, lifted: list[str]) -> None:
    assert lift_constants(TOKEN.findall(condition))[1::2] == lifted
