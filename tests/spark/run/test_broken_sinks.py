"""Sinks that break while queries run: their queries are taken out, begin anew, or the run goes on where it failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import Row, SparkSession

from tailrace import Engine
from tests.patience import PATIENCE
from tests.spark.run.growing import Flow
from tests.spark.run.test_live import past, taken_more, wrong
from tests.spark.run.test_quarantine import SINK, STREAM_OF_ALL, begin, rows_of, rows_until, until_failed

pytestmark = pytest.mark.spark


@pytest.fixture
def flow(tmp_path: Path) -> Flow:
    return Flow(tmp_path, Random(25))


@pytest.fixture
def engine(spark: SparkSession, flow: Flow) -> Iterator[Engine]:
    found = begin(spark, flow)
    yield found
    if found.running:
        found.stop()


def test_a_sink_that_can_be_written_no_more(engine: Engine, flow: Flow) -> None:
    """Its query is taken out with the batch that it cannot take; mended and resumed, it begins anew."""
    engine.execute(SINK.format(name="sunk", text=STREAM_OF_ALL.format(a=-1)))
    engine.execute(SINK.format(name="lost", text="SELECT k, COUNT(*) AS n FROM S [RANGE 6] GROUP BY k"))
    flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    taken_more(engine, flow)
    (flow.folder / "out" / "lost").rename(flow.folder / "lost")
    (flow.folder / "out" / "lost").touch()
    assert "query lost" in until_failed(engine, flow, "lost")
    (flow.folder / "out" / "lost").unlink()
    engine.execute("RESUME QUERY lost")
    for _ in range(3):
        taken_more(engine, flow)
    last = past(engine)
    assert rows_until(flow.folder / "out" / "sunk", last) == Counter(row for ts, row in flow.rows["S"] if ts <= last)
    assert rows_of(flow.folder / "lost")
    lost = engine.queries["lost"]
    assert int(lost.since or 0) > 3
    assert wrong(lost, flow.rows, last, [Row(**row) for row in rows_of(flow.folder / "out" / "lost")]) is None


def test_a_run_begins_beside_a_sink_that_is_broken_still(engine: Engine, flow: Flow, spark: SparkSession) -> None:
    """Its query is seen to be out at once, and may be resumed before the first batch."""

    def declare(engine: Engine) -> None:
        engine.execute(SINK.format(name="sunk", text=STREAM_OF_ALL.format(a=-1)))
        engine.execute(SINK.format(name="lost", text=STREAM_OF_ALL.format(a=-1)))

    declare(engine)
    flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    taken_more(engine, flow)
    (flow.folder / "out" / "lost").rename(flow.folder / "lost")
    (flow.folder / "out" / "lost").touch()
    said = until_failed(engine, flow, "lost")
    assert engine.stop().failed == (said,)
    again = begin(spark, flow)
    declare(again)
    again.start(checkpoint=flow.folder / "kept")
    assert again.queries["lost"].failure == said
    (flow.folder / "out" / "lost").unlink()
    again.execute("RESUME QUERY lost")
    assert again.queries["lost"].failure is None
    for _ in range(2):
        taken_more(again, flow)
    last, since = past(again), int(again.queries["lost"].since or 0)
    came = [(ts, row) for ts, row in flow.rows["S"] if ts <= last]
    assert rows_until(flow.folder / "out" / "sunk", last) == Counter(row for _, row in came)
    assert rows_until(flow.folder / "out" / "lost", last) == Counter(row for ts, row in came if ts >= since > 3)


def test_a_run_that_failed_for_a_sink_begins_again_once_it_is_resumed(engine: Engine, flow: Flow) -> None:
    """No row is lost: it goes on with the batch that failed."""
    engine.execute(SINK.format(name="lone", text=STREAM_OF_ALL.format(a=-1)))
    flow.more()
    engine.start(checkpoint=flow.folder / "kept")
    taken_more(engine, flow)
    (flow.folder / "out" / "lone").rename(flow.folder / "lone")
    (flow.folder / "out" / "lone").touch()
    flow.more()
    assert engine._live
    engine._live.thread.join(PATIENCE)
    assert "query lone" in str(engine.problem)
    (flow.folder / "out" / "lone").unlink()
    (flow.folder / "lone").rename(flow.folder / "out" / "lone")
    engine.execute("RESUME QUERY lone")
    taken_more(engine, flow)
    last = past(engine)
    came = Counter(row for ts, row in flow.rows["S"] if ts <= last)
    assert rows_until(flow.folder / "out" / "lone", last) == came
