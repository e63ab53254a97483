"""Queries that fail while others run: they are taken out, and the others answer as if they had not been there."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession

from tailrace import Engine
from tailrace.errors import QueryError, RunError, TailraceError
from tailrace.spark.batch.run_state import RunState
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.quarantine import FailedBatch
from tailrace.staging.plan_version import QuerySet
from tests.patience import PATIENCE
from tests.spark.run.bad_queries import FAILING, JAVA_PATTERN, REFUSED, declare_functions, take_place
from tests.spark.run.growing import Flow
from tests.spark.run.test_live import JOINS, QUERIES, made, past, taken_more, until_taken, wrong

pytestmark = pytest.mark.spark
SINK = "CREATE QUERY {name} INTO json OPTIONS (path 'out/{name}') AS {text};"
STREAM_OF_ALL = "SELECT ISTREAM(k, v) FROM S WHERE v > {a}"


@pytest.fixture
def flow(tmp_path: Path) -> Flow:
    return Flow(tmp_path, Random(24))


@pytest.fixture
def engine(spark: SparkSession, flow: Flow) -> Iterator[Engine]:
    found = begin(spark, flow)
    yield found
    if found.running:
        found.stop()


def begin(spark: SparkSession, flow: Flow) -> Engine:
    found = made(spark, flow)
    declare_functions(found)
    found.execute("SET step.time = '3 seconds'")
    take_place(flow.folder)
    return found


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The rows in a sink."""
    lines = [line for file in sorted(folder.glob("part-*.json")) for line in file.read_text().splitlines()]
    return [json.loads(line) for line in lines]


def rows_until(folder: Path, last: int) -> Counter[tuple[int, int]]:
    """The rows in a sink, up to an instant."""
    return Counter((row["k"], row["v"]) for row in rows_of(folder) if row["_ts"] <= last)


def until_failed(engine: Engine, flow: Flow, name: str) -> str:
    """Have rows come until a query is quarantined; returns why it is."""
    begun = time.monotonic()
    while engine.queries[name].failure is None:
        assert time.monotonic() - begun < PATIENCE
        taken_more(engine, flow)
    return engine.queries[name].failure or ""


def check_isolation(engine: Engine, flow: Flow, standing: list[str], refused: list[str], failing: list[str]) -> None:
    """Bad queries come one by one; all others answer right, in memory and in files, and the bad ones can go."""
    queries = [engine.query(text, f"q{number}") for number, text in enumerate(standing)]
    engine.execute(SINK.format(name="sunk", text=STREAM_OF_ALL.format(a=-1)))
    flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    until_taken(engine, flow)
    for name in refused:
        statement, said = REFUSED[name]
        with pytest.raises(TailraceError, match=said):
            engine.execute(statement)
        assert name not in engine.queries
        flow.more()
    for name in failing:
        engine.query(FAILING[name], name)
        assert f"query {name}" in until_failed(engine, flow, name)
    for name in failing[::2]:
        engine.queries[name].drop()
    for _ in range(3):
        taken_more(engine, flow)
    assert {name for name, query in engine.queries.items() if query.failure} == set(failing[1::2])
    last = past(engine)
    problems = [problem for query in queries if (problem := wrong(query, flow.rows, last))]
    assert not problems, "\n".join(problems)
    assert rows_until(flow.folder / "out" / "sunk", last) == Counter(row for ts, row in flow.rows["S"] if ts <= last)


def test_others_answer_as_if_it_had_not_been_there(engine: Engine, flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tailrace.staging.plan_version.SHARE_FROM", 2)
    standing = [text.format(a=3, b=8) for text in (*QUERIES[:3], *QUERIES[5:7], QUERIES[17], QUERIES[17], JOINS[0])]
    failing = ["bad_pattern", "bad_function_above", "endless_function", "member", "member_of_joins"]
    check_isolation(engine, flow, standing, ["misspelt", "two_texts", "no_folder", "below_file"], failing)


def test_it_stays_out_after_a_restart_until_it_is_resumed_or_changed(
    engine: Engine, flow: Flow, spark: SparkSession
) -> None:
    """What is resumed begins anew; what is changed is another query; the rest goes on with its state."""
    fine, more = "SELECT k, COUNT(*) AS n FROM S [RANGE 6] GROUP BY k", "SELECT MAX(v) AS v FROM R [RANGE 4]"
    before = [engine.query(fine, "fine"), engine.query(more, "more")]
    for name in ("raised", "bad_index", "bad_pattern"):
        engine.query(FAILING[name], name)
    flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    said = {name: until_failed(engine, flow, name) for name in ("raised", "bad_index", "bad_pattern")}
    assert f"quarantined: {said['raised']}" in (engine.execute("SHOW QUERIES") or "")
    summary = engine.stop()
    assert sorted(summary.failed) == sorted(said.values())

    again = begin(spark, flow)
    after = [again.query(fine, "fine"), again.query(more, "more")]
    again.query(FAILING["raised"], "raised")
    again.query(FAILING["bad_pattern"], "bad_pattern")
    changed = again.query("SELECT ISTREAM(v) FROM S", "bad_index")
    again.start(checkpoint=flow.folder / "kept")
    taken_more(again, flow)
    assert {query.name: query.failure for query in again.queries.values() if query.failure} == {
        name: said[name] for name in ("raised", "bad_pattern")
    }
    with pytest.raises(RunError, match="fine is not quarantined"):
        again.execute("RESUME QUERY fine")
    again.execute("RESUME QUERY raised")
    assert again.queries["raised"].failure is None
    taken_more(again, flow)
    assert "seven" in until_failed(again, flow, "raised")
    last = past(again)
    assert [wrong(query, flow.rows, last, old.rows()) for query, old in zip(after, before, strict=True)] == [None] * 2
    assert wrong(changed, flow.rows, last) is None


def test_the_run_ends_if_all_queries_fail_and_goes_on_without_them(engine: Engine, flow: Flow) -> None:
    bad = engine.query(FAILING["bad_function_above"], "bad_function_above")
    flow.more()
    engine.start()
    assert engine._live
    engine._live.thread.join(PATIENCE)
    with pytest.raises(RunError, match="the run has failed, and takes no more queries") as refused:
        engine.query(QUERIES[0].format(a=3), "late")
    assert refused.value.hint == "drop bad_function_above first"
    bad.drop()
    fine = engine.query(QUERIES[0].format(a=3), "fine")
    taken_more(engine, flow)
    taken_more(engine, flow)
    assert wrong(fine, flow.rows, past(engine)) is None


def test_a_lost_worker_harms_nobody(engine: Engine, flow: Flow) -> None:
    """Whether it is lost once, when the batch is run again, or each time, when the query that loses it is taken out."""
    fine = engine.query(QUERIES[1].format(a=4), "fine")
    engine.function("killer_of_one", killer_of_one(flow.folder / "killed"), returns="INT")
    once = engine.query("SELECT ISTREAM(k, killer_of_one(v) AS v) FROM S", "once")
    flow.more()
    engine.start()
    until_taken(engine, flow)
    assert (flow.folder / "killed").exists()
    engine.query(FAILING["lost_worker"], "lost_worker")
    assert "query lost_worker" in until_failed(engine, flow, "lost_worker")
    assert once.failure is None
    last = past(engine)
    assert [wrong(query, flow.rows, last) for query in (fine,)] == [None]
    assert Counter((row.k, row.v) for row in once.rows() if row["_ts"] <= last) == Counter(
        row for ts, row in flow.rows["S"] if ts <= last
    )


def killer_of_one(mark: Path) -> Callable[[int], int]:
    """A function that kills the worker that calls it first."""

    def kill(number: int) -> int:
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    return kill


def failed_batch(names: str, fails: Callable[[set[str]], Exception | None]) -> FailedBatch:
    """A batch of some queries that fails for sets of them."""

    class Tried(FailedBatch):
        def run_for(self, names: Sequence[str]) -> Exception | None:
            return fails(set(names))

    profiles = dict.fromkeys(names, SimpleNamespace(query_id="1"))
    queries, state = SimpleNamespace(profiles=profiles, families={}), SimpleNamespace(next_batch=7)
    nothing: Any = None
    return Tried(nothing, cast(RunState, state), cast(QuerySet, queries), nothing, nothing)


def test_queries_that_fail_only_together() -> None:
    """The batch is run again; if it fails again, those that are named are taken out, unless they are all."""
    problem = QueryError("2 queries (a, b): it took longer than 3 seconds", ["a", "b"])
    together = failed_batch("abc", lambda names: None)
    assert together.find_failures(problem, False) == {}
    assert sorted(together.find_failures(problem, True) or {}) == ["a", "b"]
    assert failed_batch("ab", lambda names: None).find_failures(problem, True) is None
    assert together.find_failures(PySparkException("a worker was lost"), True) is None


def test_queries_that_share_what_failed() -> None:
    """They are tried, unless the step that failed does the same for all of them."""
    for_a = failed_batch("abc", lambda names: ValueError("no") if "a" in names else None)
    assert sorted(for_a.find_failures(QueryError("no", ["a", "b"]), False) or {}) == ["a"]
    assert sorted(for_a.find_failures(QueryError("no", ["a", "b"], names_all=True), False) or {}) == ["a", "b"]


def test_no_query_is_tried_for_a_state_that_is_damaged() -> None:
    said = "[PYTHON_EXCEPTION] no\nTraceback (most recent call last):\n  a\ntailrace.errors.StateError: kept is damaged"
    assert failed_batch("abc", lambda names: ValueError(names)).find_failures(PySparkException(said), False) is None


def test_a_member_takes_only_itself_out(engine: Engine, flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether what all members of its family compute is left to Catalyst or runs in a worker."""
    monkeypatch.setattr("tailrace.staging.plan_version.SHARE_FROM", 2)
    computed = {
        "by_statement": "CASE WHEN v = 7 THEN raise_error('seven') ELSE v END AS v",
        "by_task": "explode_on_seven(v) AS v",
    }
    for name, text in computed.items():
        for least in (2, 9, 12):
            engine.query(f"SELECT ISTREAM({text}) FROM S WHERE v > {least}", f"{name}_{least}")
    for least in (2, 9):
        text = f"SELECT ISTREAM({computed['by_statement']}) FROM S WHERE v > {least}"
        engine.execute(SINK.format(name=f"sunk_{least}", text=text))
    flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    failing = {"by_statement_2", "by_task_2", "sunk_2"}
    for name in sorted(failing):
        assert f"query {name}: " in until_failed(engine, flow, name)
    taken_more(engine, flow)
    assert {name for name, query in engine.queries.items() if query.failure} == failing
    assert engine._live
    assert engine._live.standing.version
    assert engine._live.standing.version.member_ids.keys() == engine.queries.keys() - failing
    last = past(engine)
    came = [v for ts, (_, v) in flow.rows["S"] if ts <= last]
    for name in computed:
        for least in (9, 12):
            found = Counter(row.v for row in engine.queries[f"{name}_{least}"].rows() if row["_ts"] <= last)
            assert found == Counter(v for v in came if v > least), (name, least)
    sunk = [row["v"] for row in rows_of(flow.folder / "out" / "sunk_9") if row["_ts"] <= last]
    assert Counter(sunk) == Counter(v for v in came if v > 9)


def test_a_query_that_reads_other_columns_of_one_input(engine: Engine, flow: Flow) -> None:
    """An expression of the input that both read fails; only the query that reads it is to blame."""
    text = "SELECT k, COUNT(DISTINCT {}) AS n FROM S [RANGE 5] GROUP BY k"
    fine = engine.query(text.format("v"), "fine")
    engine.query(text.format("element_at(array(v), k)"), "bad")
    flow.more()
    engine.start()
    assert "query bad: " in until_failed(engine, flow, "bad")
    taken_more(engine, flow)
    assert fine.failure is None
    assert wrong(fine, flow.rows, past(engine)) is None


def test_a_state_that_is_damaged_is_no_querys_fault(engine: Engine, flow: Flow, spark: SparkSession) -> None:
    """The run ends and names the file, and the batch does not count; with the file put back it goes on."""
    counts = "SELECT k, COUNT(*) AS n FROM S [RANGE 6] GROUP BY k"
    earlier = engine.query(counts, "counts")
    engine.query(STREAM_OF_ALL.format(a=3), "all")
    flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    taken_more(engine, flow)
    engine.stop()
    manifests = sorted((flow.folder / "kept" / "state").rglob("*.manifest"), key=lambda path: path.stat().st_mtime_ns)
    contents = [path.read_bytes() for path in manifests]
    for path in manifests:
        path.write_text("{")
    records = sorted((flow.folder / "kept" / "batches").iterdir())
    again = begin(spark, flow)
    queries = [again.query(counts, "counts"), again.query(STREAM_OF_ALL.format(a=3), "all")]
    flow.more()
    again.start(checkpoint=flow.folder / "kept")
    assert again._live
    again._live.thread.join(PATIENCE)
    with pytest.raises(RunError, match=r"kept/state/.*\.manifest is damaged"):
        again.stop()
    assert sorted((flow.folder / "kept" / "batches").iterdir()) == records
    for path, content in zip(manifests, contents, strict=True):
        path.write_bytes(content)
    again.start(checkpoint=flow.folder / "kept")
    until_taken(again, flow)
    assert [query.failure for query in queries] == [None, None]
    assert wrong(queries[0], flow.rows, past(again), earlier.rows()) is None


def test_a_crash_before_the_batch_counts(
    engine: Engine, flow: Flow, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch comes again, and its query is taken out again; others have each row once."""
    text = "SELECT k, COUNT(*) AS n FROM S [RANGE 6] GROUP BY k"

    def declare(engine: Engine) -> None:
        engine.execute(SINK.format(name="sunk", text=STREAM_OF_ALL.format(a=-1)))
        engine.execute(SINK.format(name="counts", text=text))
        engine.query(FAILING["raised"], "raised")

    def crash_after_quarantine(checkpoint: Checkpoint, batch: int, what: Mapping[str, Any]) -> None:
        if what["quarantined"]:
            raise RunError("down")
        commit(checkpoint, batch, what)

    commit = Checkpoint.commit
    monkeypatch.setattr(Checkpoint, "commit", crash_after_quarantine)
    declare(engine)
    for _ in range(6):
        flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    assert engine._live
    engine._live.thread.join(PATIENCE)
    with pytest.raises(RunError, match="down"):
        engine.stop()

    monkeypatch.setattr(Checkpoint, "commit", commit)
    again = begin(spark, flow)
    declare(again)
    again.start(checkpoint=flow.folder / "kept")
    assert "seven" in until_failed(again, flow, "raised")
    taken_more(again, flow)
    last = past(again)
    assert rows_until(flow.folder / "out" / "sunk", last) == Counter(row for ts, row in flow.rows["S"] if ts <= last)
    earlier = [Row(**row) for row in rows_of(flow.folder / "out" / "counts")]
    assert wrong(again.queries["counts"], flow.rows, last, earlier) is None


@pytest.mark.slow
def test_patterns_that_java_does_not_end(engine: Engine, flow: Flow) -> None:
    """Whether it matches them in the job of the batch or for one output; each without the other's queries."""
    fine = engine.query("SELECT k, COUNT(*) AS n FROM S [RANGE 6] GROUP BY k", "fine")
    engine.execute("SET step.time = '1 second'")
    engine.query(f"SELECT COUNT(*) AS n FROM S [RANGE 5] WHERE {JAVA_PATTERN}", "counted")
    engine.query(f"SELECT ISTREAM(k) FROM S WHERE {JAVA_PATTERN}", "passed_on")
    engine.query("SELECT ISTREAM(k) FROM S WHERE concat('a', k) RLIKE concat('a', k)", "simple")
    flow.more()
    engine.start()
    for name in ("counted", "passed_on"):
        assert f"query {name}: it took longer than 1 seconds" in until_failed(engine, flow, name)
    taken_more(engine, flow)
    assert fine.failure is None
    assert wrong(fine, flow.rows, past(engine)) is None


@pytest.mark.slow
def test_fifty_queries_and_each_kind_of_bad_one(engine: Engine, flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tailrace.staging.plan_version.SHARE_FROM", 2)
    texts = [*QUERIES, *JOINS]
    standing = [texts[number % len(texts)].format(a=2 + number % 4, b=6 + number % 9) for number in range(49)]
    assert len(REFUSED) + len(FAILING) >= 20
    check_isolation(engine, flow, standing, list(REFUSED), list(FAILING))
