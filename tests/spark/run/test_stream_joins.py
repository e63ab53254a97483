"""Interval, temporal and ASOF joins through Spark, in two runs: the second goes on from the state of the first."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from tailrace.testing import evaluate_script
from tests.spark.io.files import written
from tests.spark.run.test_run_once import tailrace

pytestmark = pytest.mark.spark

SOURCES = """
CREATE STREAM Orders (id INT, sym STRING, ts BIGINT) USING csv OPTIONS (path 'Orders', header 'true') TIMESTAMP BY ts;
CREATE STREAM Paid (id INT, sym STRING, ts BIGINT) USING csv OPTIONS (path 'Paid', header 'true') TIMESTAMP BY ts;
CREATE RELATION Rates (sym STRING, rate INT) USING csv OPTIONS (path 'Rates', header 'true') TIMESTAMP BY ts KEY (sym);
"""
QUERIES = {
    "in_time": "SELECT o.id, p.ts - o.ts AS took FROM Orders o JOIN Paid p"
    " ON o.sym = p.sym AND p.ts - o.ts BETWEEN -2 AND 3",
    "nearest": "SELECT o.id, p.id AS paid FROM Orders o ASOF LEFT JOIN Paid p ON o.sym = p.sym AND o.ts >= p.ts",
    "moving": "SELECT o.id, p.id AS paid FROM Orders [RANGE 4] o ASOF JOIN Paid [RANGE 5] p"
    " ON o.sym = p.sym AND o.ts < p.ts",
    "priced": "SELECT o.id, rate FROM Orders o JOIN Rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.sym = r.sym",
    "known": "SELECT id FROM Orders [RANGE 3] o LEFT ANTI JOIN Paid [RANGE 3] p ON o.sym = p.sym",
}

COLUMNS = {
    "in_time": ("id", "took"),
    "nearest": ("id", "paid"),
    "moving": ("id", "paid"),
    "priced": ("id", "rate"),
    "known": ("id",),
}
SIGNS = {"+": 1, "-": -1, None: 1}


def test_joins_of_streams_go_on_after_a_restart(tmp_path: Path) -> None:
    chance = random.Random(5)
    script = SOURCES + "\n".join(
        f"CREATE QUERY {name} INTO json OPTIONS (path 'out/{name}') AS {text};" for name, text in QUERIES.items()
    )
    (tmp_path / "script.cql").write_text(script)
    rows: dict[str, list[tuple[object, ...]]] = {"Orders": [], "Paid": [], "Rates": []}
    for number, instants in enumerate((range(8), range(8, 20))):
        for name, found in rows.items():
            stamps = [*sorted(chance.choices(instants, k=12)), instants[-1]]
            new = [(ts, chance.randrange(5), chance.choice("abc")) for ts in stamps]
            found += [(ts, sym, n) if name == "Rates" else (ts, n, sym, ts) for ts, n, sym in new]
            lines = [f"{ts},{sym},{n}" if name == "Rates" else f"{ts},{n},{sym}" for ts, n, sym in new]
            (tmp_path / name).mkdir(exist_ok=True)
            header = "ts,sym,rate" if name == "Rates" else "ts,id,sym"
            (tmp_path / name / f"{number}.csv").write_text("\n".join([header, *lines]) + "\n")
        done = tailrace(tmp_path, "run", "script.cql", "--once", "--checkpoint", "kept")
        assert done.returncode == 0, done.stderr
    answers = evaluate_script(SOURCES + "".join(f"CREATE QUERY {n} AS {text};" for n, text in QUERIES.items()), rows)
    for name, columns in COLUMNS.items():
        wanted = Counter({(at, *row): 0 for at, _, row in answers[name].changes()})
        for instant, sign, row in answers[name].changes():
            wanted[instant, *row] += SIGNS[sign]
        met: Counter[tuple[object, ...]] = Counter()
        for line in written(tmp_path / "out" / name):
            met[line["_ts"], *(line.get(column) for column in columns)] += SIGNS[line.get("_op")]
        assert met == wanted, name
        assert wanted, name
