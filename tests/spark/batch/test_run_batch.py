"""How a batch delivers its results: when it may, once more where that may help, and when it is reported."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.errors import PySparkException

from tailrace.analysis.program import analyse
from tailrace.errors import EndlessPatternError, QueryError, RunError, Source
from tailrace.language.script import parse_script
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress
from tailrace.spark.batch.prepare_results import Output
from tailrace.spark.batch.run_batch import BatchRun
from tailrace.spark.batch.run_state import BatchInput
from tailrace.spark.batch.stage_task import StepFailure
from tailrace.spark.io.delivery import ResultRows
from tailrace.spark.io.sinks import BatchId
from tests.torture.runs import KEPT, OUT, World
from tests.torture.scripts import draw_script
from tests.torture.stream_model import StreamModel

TEXT = """CREATE STREAM S (k INT);
CREATE QUERY sunk INTO json OPTIONS (path 'out') AS SELECT k FROM S;
CREATE QUERY shown AS SELECT k FROM S;"""
QUERIES = analyse(parse_script(Source(TEXT))).queries
FAILED = StepFailure(0, 1, "no").error()


class Deliveries:
    """Delivers to nobody; some deliveries fail."""

    def __init__(self, *problems: Exception) -> None:
        self.problems = list(problems)
        self.seen: list[tuple[str, bool]] = []

    def one(self, query: QueryDefinition, rows: ResultRows, batch: BatchId | None) -> None:
        self.seen.append((query.name, bool(batch and batch.again)))
        if self.problems:
            raise self.problems.pop(0)

    def many(self, queries: Mapping[int, QueryDefinition], rows: Any, batch: BatchId | None) -> dict[int, Exception]:
        self.seen.append((" ".join(query.name for query in queries.values()), bool(batch and batch.again)))
        return dict(zip(queries, [self.problems.pop(0)], strict=False)) if self.problems else {}


def deliver(
    deliveries: Deliveries, queries: Mapping[int | None, QueryDefinition], is_continuous: bool = True
) -> Mapping[int | None, QueryError]:
    """Those for which the delivery of an output fails."""
    services: Any = SimpleNamespace(deliver=deliveries, setup=SimpleNamespace(is_continuous=is_continuous))
    nothing: Any = None
    run = BatchRun(BatchInput(None, id=BatchId(7, "ab", False)), nothing, nothing, services)
    rows = ResultRows(None, lambda: nothing)
    return run.deliver_output(Output("q", nothing, queries), rows, nullcontext)


def test_what_fails_once_is_delivered_the_second_time() -> None:
    deliveries = Deliveries(PySparkException("503"))
    assert deliver(deliveries, {None: QUERIES["sunk"]}) == {}
    assert deliveries.seen == [("sunk", False), ("sunk", True)]


def test_only_members_that_failed_are_delivered_again() -> None:
    deliveries = Deliveries(PySparkException("503"))
    assert deliver(deliveries, {3: QUERIES["sunk"], 5: QUERIES["sunk"]}) == {}
    assert deliveries.seen == [("sunk sunk", False), ("sunk", True)]


def test_what_fails_twice() -> None:
    deliveries = Deliveries(PySparkException("503"), PySparkException("504"))
    (problem,) = deliver(deliveries, {None: QUERIES["sunk"]}).values()
    assert "504" in problem.message
    assert len(deliveries.seen) == 2


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("shown", PySparkException("503")),
        ("sunk", EndlessPatternError("too long", ["sunk"])),
        ("sunk", PySparkException(f"tailrace.spark.batch.stage_task.StepError: {FAILED}")),
    ],
)
def test_what_is_not_delivered_again(name: str, problem: Exception) -> None:
    deliveries = Deliveries(problem)
    assert list(deliver(deliveries, {None: QUERIES[name]})) == [None]
    assert deliveries.seen == [(name, False)]


def test_a_run_that_ends_by_itself_fails_as_a_whole() -> None:
    with pytest.raises(QueryError, match=r"query sunk: .*503"):
        deliver(Deliveries(PySparkException("503")), {None: QUERIES["sunk"]}, False)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(draw_script(1), tmp_path, 3)


def test_a_batch_is_reported_once_it_counts(world: World, tmp_path: Path) -> None:
    model = StreamModel(world.files(), 2)
    with world.open(tmp_path / "root", model) as run:
        counts: list[bool] = []

        def note(progress: Progress) -> None:
            counts.append(run.checkpoint.has_record(len(counts)))

        run.observer = type(run.observer)(run.observer.on_rows, note)
        run.run()
    assert counts == [True, True]


def test_a_run_whose_checkpoint_was_taken_over_delivers_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if that happened while the batch was computed."""
    root, publish = tmp_path / "root", BatchRun.output_files

    def take_over(batch: BatchRun, *given: Any) -> Any:
        number = len(list((root / KEPT / "locks").glob("*.json")))
        (root / KEPT / "locks" / f"{number + 1}.json").write_text("{}")
        return publish(batch, *given)

    monkeypatch.setattr(BatchRun, "output_files", take_over)
    with pytest.raises(RunError, match="was taken over"):
        world.run(root, 1)
    assert not list((root / OUT).rglob("part-*"))
