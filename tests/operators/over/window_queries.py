"""Window queries: random SELECTs with OVER, what they mean, and what the operators answer."""

from __future__ import annotations

from random import Random
from typing import Any

from tailrace.analysis.program import analyse
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.plan import Plan
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.testing.reference.evaluate import evaluate
from tests.operators import local

SOURCES = """
CREATE STREAM S (k INT, v INT, x DOUBLE, s STRING) TIMESTAMP BY ts;
CREATE STREAM E (ts INT, k INT, v INT) TIMESTAMP BY ts;
CREATE RELATION R (k INT, v INT) TIMESTAMP BY ts OP BY op;
"""
RANKS = (
    *("ROW_NUMBER()", "RANK()", "DENSE_RANK()", "NTILE(3)", "PERCENT_RANK()", "CUME_DIST()", "LAG(v)", "LEAD(v, 2)"),
    *("LAG(v, 2, 7)", "LEAD(k, 1, v)", "LAG(v) IGNORE NULLS", "LEAD(v, 2) IGNORE NULLS", "LAG(v, -1)"),
)
FRAMED = (
    *("SUM(v)", "COUNT(*)", "AVG(v)", "MIN(v)", "MAX(v)", "STDDEV(v)", "SUM(v) FILTER (WHERE k = 1)", "BOOL_OR(v = 2)"),
    *("FIRST_VALUE(v)", "LAST_VALUE(v)", "NTH_VALUE(v, 2)", "COUNT(v)", "MAX(k + v)"),
    *("FIRST_VALUE(v) IGNORE NULLS", "LAST_VALUE(v) IGNORE NULLS", "NTH_VALUE(v, 2) IGNORE NULLS"),
)
OF_DOUBLES = ("SUM(x)", "AVG(x)", "MIN(x)", "MAX(s)")
LAST = 8


def plan_of(query: str) -> Plan:
    program = analyse(parse_script(Source(f"{SOURCES}CREATE QUERY q AS {query};", "test.cql")))
    return program.queries["q"].plan


def inputs(chance: Random) -> dict[str, Any]:
    """Rows for the sources, with many equal ones."""
    ones, few = [None, 1, 2], [None, 1, 2, 3, 5]
    instants = sorted(chance.randint(0, LAST) for _ in range(chance.choice([0, 3, 8, 15, 30])))
    changes: list[Any] = []
    there: list[Any] = []
    for instant in instants:
        if there and chance.random() < 0.4:
            changes.append((instant, "-", there.pop(chance.randrange(len(there)))))
        else:
            there.append((chance.choice(ones), chance.choice(few)))
            changes.append((instant, "+", there[-1]))
    doubles, texts = [None, 0.5, -1.0, float("inf")], [None, "a", "b"]
    return {
        "S": [(t, tuple(map(chance.choice, (ones, few, doubles, texts)))) for t in instants],
        "E": [(t, (t, chance.choice(ones), chance.choice(few))) for t in instants],
        "R": changes,
    }


def frame(chance: Random, unit: str) -> str:
    first, last = sorted(chance.randint(-3, 3) for _ in range(2))
    ends = [f"{abs(n)} {'PRECEDING' if n < 0 else 'FOLLOWING'}" if n else "CURRENT ROW" for n in (first, last)]
    low = "UNBOUNDED PRECEDING" if chance.random() < 0.3 else ends[0]
    high = "UNBOUNDED FOLLOWING" if chance.random() < 0.3 else ends[1]
    return f"{unit} BETWEEN {low} AND {high}"


def over(chance: Random, source: str) -> str:
    """A random window function."""
    columns = ["v", "k", "v + 1", *(["x", "s"] if source == "S" else [])]
    nulls = ["", " NULLS LAST", " NULLS FIRST"]
    order = [
        chance.choice(columns) + chance.choice(["", " DESC"]) + chance.choice(nulls)
        for _ in range(chance.randint(0, 2))
    ]
    partition = chance.choice(["", "PARTITION BY k ", "PARTITION BY k % 2 ", "PARTITION BY k, v "])
    window = partition + (f"ORDER BY {', '.join(order)} " if order else "")
    if order and chance.random() < 0.4:
        return f"{chance.choice(RANKS)} OVER ({window})"
    if not order and chance.random() < 0.2:
        return f"{chance.choice(['COUNT(DISTINCT v)', 'MEDIAN(v)'])} OVER ({window})"
    call = chance.choice((*FRAMED, *(OF_DOUBLES if source == "S" else ())))
    by_distance = len(order) == 1 and order[0][0] != "s"
    unit = chance.choice(["ROWS", *(["GROUPS"] if order else []), *(["RANGE"] if by_distance else [])])
    return f"{call} OVER ({window}{frame(chance, unit) if chance.random() < 0.7 else ''})"


def query(chance: Random) -> str:
    source = chance.choice("SRE")
    window = chance.choice({"S": [" [RANGE 3]", " [ROWS 4]", " [NOW]", ""], "R": [""], "E": ["", " [RANGE 2]"]}[source])
    shown = chance.sample(["k", "v", *(["x", "s"] if source == "S" else [])], chance.randint(0, 2))
    items = [*shown, *(f"{over(chance, source)} AS f{place}" for place in range(chance.randint(1, 3)))]
    where = " WHERE v > 1" if chance.random() < 0.25 else ""
    rank = chance.choice(["ROW_NUMBER", "RANK", "DENSE_RANK"])
    window_ = chance.choice(["", "PARTITION BY k "]) + "ORDER BY v"
    kept = f" QUALIFY {rank}() OVER ({window_}) <= {chance.randint(1, 3)}" if chance.random() < 0.3 else ""
    return f"SELECT {', '.join(items)} FROM {source}{window}{where}{kept}"


def top_query(chance: Random) -> str:
    """A query that bounds a rank."""
    rank, n = chance.choice(["ROW_NUMBER", "ROW_NUMBER", "RANK"]), chance.randint(1, 3)
    source = chance.choice(["S [RANGE 3]", "S [ROWS 5]", "S", "R"])
    order = chance.choice(["v", "v DESC", "v, k DESC", "k + v NULLS LAST"])
    window = f"{chance.choice(['', 'PARTITION BY k ', 'PARTITION BY k % 2 '])}ORDER BY {order}"
    more = ["", "SUM(v) OVER w", "LAG(v) OVER w", "SUM(v) OVER (w ROWS 1 PRECEDING)", "LEAD(v) OVER w"]
    added = chance.choice([f", {each} AS s" if each else "" for each in more])
    bounds = [f"# <= {n}", f"# < {n + 1}", f"# = {n}", f"{n} >= #", f"# <= {n} AND v > 1", f"# BETWEEN 2 AND {n}"]
    bound = chance.choice(bounds)
    if chance.random() < 0.5:
        inner = f"SELECT k, v, {rank}() OVER w AS place{added} FROM {source} WINDOW w AS ({window})"
        return f"SELECT {chance.choice(['k, v', '*', 'v'])} FROM ({inner}) WHERE {bound.replace('#', 'place')}"
    return f"SELECT k, v{added} FROM {source} WINDOW w AS ({window}) QUALIFY {bound.replace('#', f'{rank}() OVER w')}"


def running_query(chance: Random) -> str:
    """A query over a stream in the order of its event time."""
    distance = chance.randint(0, 3)
    frames = [
        *("", "ROWS UNBOUNDED PRECEDING", f"ROWS {distance} PRECEDING", f"RANGE {distance} PRECEDING"),
        f"ROWS BETWEEN {distance + 1} PRECEDING AND 1 PRECEDING",
    ]
    calls = ["SUM(v)", "COUNT(*)", "MIN(v)", "MAX(v)", "AVG(v)", "COUNT(*) FILTER (WHERE v > 1)"]
    calls += ["LAST_VALUE(v)", "FIRST_VALUE(v)"]
    partition = chance.choice(["", "PARTITION BY k ", "PARTITION BY k % 2 "])
    order = f"{partition}ORDER BY ts{chance.choice(['', '', ', v DESC'])}"
    items = []
    for place in range(chance.randint(1, 3)):
        rank = chance.choice(["ROW_NUMBER()", "RANK()", "DENSE_RANK()", "LAG(v)", "LAG(v, 2, k)"])
        framed = chance.choice(frames)
        if ", v" in order and framed.startswith("RANGE"):
            framed = ""
        call = f"{rank} OVER ({order})" if chance.random() < 0.4 else f"{chance.choice(calls)} OVER ({order} {framed})"
        items.append(f"{call} AS f{place}")
    where = chance.choice(["", " WHERE v > 1"])
    return f"SELECT {chance.choice(['ts, k, v', 'v', 'k'])}, {', '.join(items)} FROM E{where}"


def problems_of(text: str, chance: Random) -> list[str]:
    """What the operators answer wrongly, instant by instant, for the plan as analysed and as rewritten."""
    rows, plan = inputs(chance), plan_of(text)
    expected = evaluate(plan, rows, LAST)
    final = rewrite(plan, Settings()).plan
    found = local.differences(evaluate(final, rows, LAST), expected) if final != plan else []
    for each in (plan, final):
        beats = local.splits(LAST, chance)
        found += local.differences(local.answered(each, rows, beats, chance), expected)
    return found
