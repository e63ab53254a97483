"""Queries registered and dropped while data flows: each answers as if it ran alone from its first instant on."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from tailrace import Engine, Query
from tailrace.engine.internals import script_of
from tailrace.errors import RunError
from tailrace.logical.plan import Kind
from tailrace.spark.run.continuous import ContinuousRun
from tailrace.testing.reference.evaluate import evaluate
from tests.conftest import Examples
from tests.patience import PATIENCE
from tests.spark.run.growing import NAMES, Flow

STREAM = (
    "CREATE STREAM {name} (k INT, v INT) USING json OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
)
TABLE = "CREATE RELATION T (k INT, name STRING) USING json OPTIONS (path 'T');"
QUERIES = [
    "SELECT ISTREAM(k, v) FROM S WHERE v % {a} = 1",
    "SELECT k, COUNT(*) AS n, SUM(v) AS v FROM S [RANGE {a}] GROUP BY k",
    "SELECT COUNT(*) AS n FROM S [RANGE {a}]",
    "SELECT k, AVG(v) AS v FROM S [RANGE {b} SLIDE {a}] GROUP BY k",
    "SELECT k, MAX(v) AS v FROM R [PARTITION BY k ROWS {a}] GROUP BY k",
    "SELECT ISTREAM(S.k, S.v, R.v AS w) FROM S [RANGE {a}], R [RANGE {b}] WHERE S.k = R.k",
    "SELECT DISTINCT k FROM R [RANGE {a}]",
    "SELECT MAX(n) AS n FROM (SELECT k, COUNT(*) AS n FROM S [RANGE {b}] GROUP BY k) AS counts",
    "SELECT k, v FROM S [RANGE {a}] WHERE k NOT IN (SELECT k FROM R [NOW])",
    "SELECT S.k, T.name FROM S [RANGE {a}], T WHERE S.k = T.k",
    "SELECT ISTREAM(v) FROM R [ROWS {a}] WHERE v > {b}",
    "SELECT COUNT(DISTINCT v) AS n FROM S [RANGE UNBOUNDED] WHERE v < {b}",
    "SELECT k FROM S [RANGE {a}] EXCEPT SELECT k FROM R [RANGE {b}]",
    "SELECT ISTREAM(COUNT(*) AS n) FROM S [RANGE {a}] WHERE v > {b}",
    "SELECT k, SUM(v) AS v FROM S [RANGE {b} TUPLES, FREQUENCY {a} TUPLES] GROUP BY k",
    "SELECT k, COUNT(*) AS n [FREQUENCY {a} TUPLES PARTITIONED BY k] FROM R [RANGE {b} SECONDS] GROUP BY k",
    "SELECT * [FREQUENCY 2 TUPLES] FROM S [FREQUENCY {a} TUPLES PARTITIONED BY k]",
    "SELECT ISTREAM(k, v) FROM S WHERE v > {a} AND k <> 1",
    "SELECT k, COUNT(*) AS n FROM S [RANGE {a}] WHERE v < {b} GROUP BY k",
]

# Those that are answered together where they are many.
ALIKE = [text for text in QUERIES if text.count("FROM S") == 1 and "WHERE v" in text and "FROM R" not in text]

JOINS = [
    "SELECT ISTREAM(S.k, S.v, R.v AS w) FROM S [RANGE {a}], R [RANGE {b}] WHERE S.k = R.k AND S.v > {a}",
    "SELECT S.k, COUNT(*) AS n FROM S [RANGE {b}], R [RANGE {a}] WHERE S.k = R.k AND R.v < {b} GROUP BY S.k",
    "SELECT MAX(S.v) AS v FROM S [RANGE {a}], R [RANGE {b}] WHERE S.k = R.k AND S.v < R.v",
    "SELECT DISTINCT one.v FROM S [RANGE {a}] AS one, R [NOW] AS R, S [RANGE {b}] AS other "
    "WHERE one.k = R.k AND R.k = other.k AND one.v <> other.v",
]


@pytest.fixture
def flow(tmp_path: Path) -> Flow:
    return Flow(tmp_path, Random(11))


def made(spark: SparkSession, flow: Flow) -> Engine:
    engine = Engine(spark, flow.folder)
    engine.execute("\n".join([*(STREAM.format(name=name) for name in "SR"), TABLE]))
    return engine


@pytest.fixture
def engine(spark: SparkSession, flow: Flow) -> Iterator[Engine]:
    engine = made(spark, flow)
    yield engine
    if engine.running:
        engine.stop()


def until_taken(engine: Engine, flow: Flow) -> None:
    """Wait until all that was written to the streams that are followed has been taken."""
    assert engine._live
    standing = engine._live.standing
    last = flow.files * 3 - 1
    begun = time.monotonic()
    while True:
        with standing.working:
            newest, followed = standing.state.watermark.newest, standing.services.sources.tracker.sources
            found = [newest.get(source.name) for source in followed.values()]
            if found and all(newest == last for newest in found):
                return
        assert engine.running, engine.stop()
        assert time.monotonic() - begun < PATIENCE, standing
        time.sleep(0.02)


def taken_more(engine: Engine, flow: Flow) -> None:
    flow.more()
    until_taken(engine, flow)


def past(engine: Engine) -> int:
    """The last decided instant; the engine is stopped for it."""
    live = engine._live
    assert live
    engine.stop()
    return live.standing.state.decided_until


def wrong(query: Query, rows: dict[str, list[Any]], last: int, earlier: Sequence[Row] = ()) -> str | None:
    """Where a query's answers, and those that it gave earlier, differ from those of a run from its first instant on.

    Of a query with INTO all are given as earlier ones.
    """
    first = int(query.since or 0)
    inputs = {name: [row for row in found if row[0] >= first] for name, found in rows.items()}
    plan = script_of(query.engine).rewrite(query.definition).plan
    expected = evaluate(plan, {**inputs, "T": [(None, None, row) for row in NAMES]}, last, first)
    is_stream = plan.kind is Kind.STREAM
    found: dict[int, Counter[Any]] = {}
    for row in [*earlier, *([] if query.definition.format else query.rows())]:
        weight = 1 if is_stream or row["_op"] == "+" else -1
        found.setdefault(row["_ts"], Counter())[tuple(row)[1 if is_stream else 2 :]] += weight
    now: Counter[Any] = Counter()
    for instant in range(first, last + 1):
        now = Counter() if is_stream else now
        now.update(found.get(instant, Counter()))
        if +now != +expected.bags[instant] or min(now.values(), default=0) < 0:
            return f"{query!r} from {first} at {instant}: {now} and not {expected.bags[instant]}"
    early = [instant for instant in found if instant < first]
    return f"{query!r} from {first} answers at {early}" if early else None


def random_changes(engine: Engine, flow: Flow, count: int, at_once: int) -> list[Query]:
    """Register so many queries while data flows, and drop some so that there are never more than `at_once`."""
    chance = flow.chance
    standing: list[Query] = []
    flow.more()
    engine.start()
    for number in range(count):
        while len(standing) >= at_once or (standing and chance.random() < 0.3):
            standing.pop(chance.randrange(len(standing))).drop()
        text = chance.choice(QUERIES).format(a=chance.randrange(2, 6), b=chance.randrange(6, 15))
        standing.append(engine.query(text, name=f"q{number}"))
        if chance.random() < 0.5:
            flow.more()
            if chance.random() < 0.5:
                until_taken(engine, flow)
    until_begun(engine, flow)
    for _ in range(5):
        taken_more(engine, flow)
    return standing


def until_begun(engine: Engine, flow: Flow) -> None:
    """Queries change with batches, and there are batches while something comes."""
    assert engine._live
    standing = engine._live.standing
    begun = time.monotonic()
    while standing.version is None or set(standing.version.query_ids) != set(engine.queries):
        assert time.monotonic() - begun < PATIENCE, standing.version
        taken_more(engine, flow)


def check_random_changes(engine: Engine, flow: Flow, count: int, at_once: int) -> int:
    standing = random_changes(engine, flow, count, at_once)
    last = past(engine)
    assert last > 12
    problems = [problem for query in standing if (problem := wrong(query, flow.rows, last))]
    assert not problems, "\n".join(problems)
    return len(standing)


def test_queries_come_and_go(engine: Engine, flow: Flow, examples: Examples) -> None:
    check_random_changes(engine, flow, 12, 5)
    examples("queries registered and dropped while data flows", 12)


def test_members_come_and_go(engine: Engine, flow: Flow, examples: Examples, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with every query that can be in a family."""
    monkeypatch.setattr("tailrace.staging.plan_version.SHARE_FROM", 1)
    monkeypatch.setattr("tests.spark.run.test_live.QUERIES", ALIKE)
    check_random_changes(engine, flow, 24, 12)
    examples("members registered and dropped while data flows", 24)


def test_joins_come_and_go(engine: Engine, flow: Flow, examples: Examples, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with joins, which share the stems of their streams."""
    monkeypatch.setattr("tailrace.staging.plan_version.SHARE_FROM", 1)
    monkeypatch.setattr("tests.spark.run.test_live.QUERIES", JOINS)
    check_random_changes(engine, flow, 20, 10)
    examples("joins registered and dropped while data flows", 20)


def test_stems_are_there_after_a_restart(
    spark: SparkSession, engine: Engine, flow: Flow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query of before goes on; a new one, also in place of a dropped one, sees only tuples that come after it."""
    monkeypatch.setattr("tailrace.staging.plan_version.SHARE_FROM", 1)
    texts = {f"q{number}": text.format(a=3 + number, b=9) for number, text in enumerate(JOINS)}
    before = {name: engine.query(text, name) for name, text in texts.items()}
    flow.more()
    engine.start(checkpoint=tmp_path / "kept")
    for _ in range(3):
        taken_more(engine, flow)
    engine.stop()
    again = made(spark, flow)
    gone = texts.pop("q1")
    after = {name: again.query(text, name) for name, text in {"new": gone, **texts}.items()}
    again.start(checkpoint=tmp_path / "kept")
    for _ in range(4):
        flow.more()
    until_taken(again, flow)
    last = past(again)
    assert wrong(after["new"], flow.rows, last) is None
    assert [wrong(after[name], flow.rows, last, before[name].rows()) for name in texts] == [None] * len(texts)


def test_sources_change_again_at_once(engine: Engine, flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch answers the queries for which its sources were opened."""
    take, stays = ContinuousRun.on_batch, engine.query("SELECT COUNT(*) AS n FROM S [RANGE 3]")
    flow.more()
    engine.start()
    until_taken(engine, flow)

    def take_later(standing: ContinuousRun, *batch: Any) -> None:
        if standing.may_repeat and "gone" in engine.queries:
            engine.queries["gone"].drop()
        take(standing, *batch)

    monkeypatch.setattr(ContinuousRun, "on_batch", take_later)
    engine.query("SELECT MAX(v) AS v FROM R [RANGE 3]", name="gone")
    for _ in range(4):
        taken_more(engine, flow)
    assert list(engine.queries) == [stays.name]
    assert not wrong(stays, flow.rows, past(engine))


@pytest.mark.slow
def test_two_hundred_queries_come_and_go(engine: Engine, flow: Flow) -> None:
    check_random_changes(engine, flow, 200, 12)


def test_a_restart_with_other_queries(
    spark: SparkSession, engine: Engine, flow: Flow, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept, other, joined = QUERIES[1].format(a=9), QUERIES[4].format(a=2), QUERIES[5].format(a=4, b=7)
    before = {name: engine.query(text, name) for name, text in zip("abc", (kept, other, joined), strict=True)}
    flow.more()
    engine.start(checkpoint=tmp_path / "kept")
    for _ in range(3):
        taken_more(engine, flow)
    engine.stop()
    again = made(spark, flow)
    changed = QUERIES[1].format(a=3)
    after = {name: again.query(text, name) for name, text in zip("acd", (kept, changed, joined), strict=True)}
    flow.more()
    with caplog.at_level("INFO", "tailrace"):
        again.start(checkpoint=tmp_path / "kept")
        for _ in range(3):
            flow.more()
        until_taken(again, flow)
    last = past(again)
    said = [record.getMessage() for record in caplog.records if record.levelname == "INFO"]
    assert said[:3] == [
        "state restored: a",
        "started empty: c (from instant 12), d (from instant 12)",
        "dropped with state: b",
    ]
    assert wrong(after["a"], flow.rows, last, before["a"].rows()) is None
    assert [wrong(after[name], flow.rows, last) for name in "cd"] == [None, None]


def test_a_restart_of_sequence_queries(spark: SparkSession, engine: Engine, flow: Flow, tmp_path: Path) -> None:
    """Their state is restored: windows, samples, positions of substreams."""
    texts = [
        "SELECT SUM(v) AS v FROM S [RANGE 9 TUPLES, FREQUENCY 7 TUPLES]",
        "SELECT k, COUNT(*) AS n FROM S [RANGE 5 SECONDS, FREQUENCY 5 TUPLES PARTITIONED BY k] GROUP BY k",
        "SELECT k, AVG(v) AS v [FREQUENCY 3 TUPLES PARTITIONED BY k] FROM R [RANGE 20 TUPLES] GROUP BY k",
    ]
    before = [engine.query(text, f"q{number}") for number, text in enumerate(texts)]
    flow.more()
    engine.start(checkpoint=tmp_path / "kept")
    for _ in range(3):
        taken_more(engine, flow)
    engine.stop()
    again = made(spark, flow)
    after = [again.query(text, f"q{number}") for number, text in enumerate(texts)]
    flow.more()
    again.start(checkpoint=tmp_path / "kept")
    for _ in range(3):
        flow.more()
    until_taken(again, flow)
    last = past(again)
    pairs = zip(before, after, strict=True)
    assert [wrong(new, flow.rows, last, old.rows()) for old, new in pairs] == [None] * len(texts)


def test_a_checkpoint_that_does_not_fit(engine: Engine, flow: Flow, spark: SparkSession, tmp_path: Path) -> None:
    engine.query(QUERIES[0].format(a=2))
    flow.more()
    engine.start(checkpoint=tmp_path / "kept")
    until_taken(engine, flow)
    engine.stop()
    again = made(spark, flow)
    again.execute("SET tick = '2 seconds'")
    again.query(QUERIES[0].format(a=2))
    with pytest.raises(RunError, match="does not fit this script: tick was 1000000 and is 2000000"):
        again.start(checkpoint=tmp_path / "kept")


def test_what_cannot_join_a_run_is_refused_and_the_run_goes_on(engine: Engine, flow: Flow) -> None:
    moving = "CREATE RELATION U (k INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;"
    engine.execute(moving)
    query = engine.query(QUERIES[2].format(a=3))
    flow.more()
    engine.start()
    until_taken(engine, flow)
    with pytest.raises(RunError, match="U changes while queries run, and what it was before is not kept"):
        engine.query("SELECT COUNT(*) FROM U", "late")
    assert list(engine.queries) == [query.name]
    with pytest.raises(RunError, match="the engine runs already"):
        engine.start()
    taken_more(engine, flow)
    assert wrong(query, flow.rows, past(engine)) is None


def test_a_run_without_queries_takes_some(engine: Engine, flow: Flow) -> None:
    engine.start()
    static = engine.query("SELECT name FROM T WHERE k > 0", "static")
    flow.more()
    counted = engine.query(QUERIES[2].format(a=3), "counted")
    taken_more(engine, flow)
    assert wrong(counted, flow.rows, past(engine)) is None
    assert sorted(row["name"] for row in static.rows()) == ["one", "two"]


def test_who_does_not_read_is_dropped_and_others_are_told(
    engine: Engine, flow: Flow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tailrace.engine.results.BEHIND", 1)
    query = engine.query("SELECT ISTREAM(k, v) FROM S")
    stuck, told = threading.Event(), []
    query.subscribe(lambda rows: stuck.wait(PATIENCE))
    query.subscribe(told.extend)
    flow.more()
    engine.start()
    for _ in range(5):
        taken_more(engine, flow)
    engine.stop()
    stuck.set()
    assert len(told) == len(query.rows()) > 0
    assert "a subscriber is 1 batches behind and is called no more" in caplog.text


def test_a_query_that_is_registered_again_begins_anew(engine: Engine, flow: Flow) -> None:
    text = QUERIES[1].format(a=9)
    first = engine.query(text, "again")
    flow.more()
    engine.start()
    until_taken(engine, flow)
    first.drop()
    second = engine.query(text, "again")
    for _ in range(5):
        taken_more(engine, flow)
    assert first.since is None
    assert int(second.since or 0) >= 3
    assert wrong(second, flow.rows, past(engine)) is None


def test_equal_parts_become_one_once_their_windows_hold_the_same(engine: Engine, flow: Flow) -> None:
    text, other, part = QUERIES[5].format(a=4, b=7), QUERIES[11].format(b=9), QUERIES[1].format(a=4)
    queries = [engine.query(text, "first"), engine.query(other, "endless"), engine.query(part, "counts")]
    flow.more()
    engine.start()
    until_taken(engine, flow)
    queries += [engine.query(text, "second"), engine.query(other, "endless_too")]
    queries += [engine.query(f"SELECT MAX(n) AS n, MAX(v) AS v FROM ({part}) AS counts", "most")]
    flow.more()
    until_begun(engine, flow)
    assert engine._live
    standing = engine._live.standing
    assert standing.version
    apart = standing.version
    assert apart.begins["second"] != apart.begins["first"]
    assert not apart.merged_steps
    for _ in range(5):
        taken_more(engine, flow)
    assert standing.version.begins == apart.begins
    assert len(standing.version.merged_steps) == 2
    assert standing.version.names < apart.names | {f"{name}-seen" for name in standing.version.merged_steps}
    queries.pop(2).drop()
    for _ in range(2):
        taken_more(engine, flow)
    assert len(standing.version.merged_steps) == 2
    last = past(engine)
    assert [wrong(query, flow.rows, last) for query in queries] == [None] * 5
