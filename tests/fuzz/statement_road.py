"""Statement road: the production plan of a script; Spark SQL evaluates its statements, stages run in this process.

Planning, batches, watermark, statements, wire, operators, state files and delivery are those of `tailrace run`.
Structured Streaming, Spark's shuffle and its Python workers are left out, which makes this about ten times as fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace import Engine
from tailrace.engine.internals import script_of
from tailrace.engine.pipeline import query_set
from tailrace.exchange.payloads import FILES, PORT, SCHEMA, STAGE
from tailrace.spark.batch import batch_job, message_tasks
from tailrace.spark.batch import run_batch as batch_loop
from tailrace.spark.batch.batch_job import BatchJob
from tailrace.spark.batch.run_batch import decide_instants, find_end, run_batch
from tailrace.spark.batch.run_state import BatchInput, RunningPlan
from tailrace.spark.batch.services import RunSetup, open_services
from tailrace.spark.batch.stage_inputs import StageInputs
from tailrace.spark.io.delivery import Sinks
from tailrace.spark.io.sources import open_source
from tailrace.testing.random_scripts.scripts import RandomScript
from tailrace.testing.random_scripts.sources import ORIGIN, RandomSource
from tests.fuzz.answers import Answers
from tests.fuzz.files import table_of

MARKERS = re.compile(r"range\(0, (\d+), 1, 1\)")  # the shards' markers, in the statement of a stage's input
MANY = 1_000_000_000  # more rows and bytes than any table here has


@dataclass(frozen=True)
class LocalRows:
    """Rows in parts, with the methods of a DataFrame that a batch calls."""

    session: SparkSession
    parts: tuple[pa.Table, ...]

    def union(self, other: LocalRows) -> LocalRows:
        return LocalRows(self.session, (*self.parts, *other.parts))

    def coalesce(self, count: int) -> LocalRows:
        assert count == 1
        return LocalRows(self.session, (pa.concat_tables(self.parts),))

    repartition = coalesce

    def where(self, condition: str) -> LocalRows:
        """The messages for these ports, as BatchJob asks for them."""
        either = f"{STAGE} = {FILES} OR "  # the messages that name files, of which there are none here
        text = condition.removeprefix(either)
        found = re.fullmatch(rf"(?:{STAGE} = (-?\d+) AND )?{PORT} (IN|=|<) \(?([-\d, ]+)\)?", text)
        assert found, condition
        stage, sign, ports = found.groups()
        numbers = [int(port) for port in ports.split(",")]

        def is_wanted(part: pa.Table) -> pa.Array:
            port = part[PORT]
            chosen = pc.less(port, numbers[0]) if sign == "<" else pc.is_in(port, pa.array(numbers, pa.int32()))
            return chosen if stage is None else pc.and_(chosen, pc.equal(part[STAGE], int(stage)))

        return LocalRows(self.session, tuple(part.filter(is_wanted(part)) for part in self.parts))

    def repartitionById(self, count: int, column: Any) -> LocalRows:
        rows = pa.concat_tables(self.parts)
        shards = rows[column._jc.toString()]
        return LocalRows(self.session, tuple(rows.filter(pc.equal(shards, shard)) for shard in range(count)))

    def mapInArrow(self, function: Any, schema: Any) -> LocalRows:
        made = []
        for number, part in enumerate(self.parts):
            with patch.object(message_tasks, "partition_number", lambda number=number: number):
                batches = list(function(iter(part.to_batches() or empty_batches(part))))
            made.append(pa.Table.from_batches(batches, getattr(function, "schema", SCHEMA)))
        return LocalRows(self.session, tuple(made))

    def createOrReplaceTempView(self, name: str) -> None:
        rows = pa.concat_tables(self.parts).combine_chunks()
        self.session.createDataFrame(rows, from_arrow_schema(rows.schema)).createOrReplaceTempView(name)

    def toArrow(self) -> pa.Table:
        return pa.concat_tables(self.parts)

    def unpersist(self) -> None:
        pass

    persist = unpersist


def values_of_range(markers: re.Match[str]) -> str:
    """The same rows as VALUES, which the optimiser has at hand.

    >>> MARKERS.sub(values_of_range, "SELECT id FROM range(0, 2, 1, 1)")
    'SELECT id FROM VALUES (0L), (1L) AS markers(id)'
    """
    return f"VALUES {', '.join(f'({shard}L)' for shard in range(int(markers[1])))} AS markers(id)"


def read_stream(data: bytes) -> pa.Table:
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()


def empty_batches(part: pa.Table) -> list[pa.RecordBatch]:
    return [pa.RecordBatch.from_arrays([pa.array([], field.type) for field in part.schema], schema=part.schema)]


@dataclass(frozen=True)
class LocalSession:
    """Evaluates statements by Spark SQL, at once."""

    session: SparkSession

    def range(self, first: int, end: int, step: int, parts: int) -> LocalRows:
        return LocalRows(self.session, tuple(pa.table({"id": [number]}) for number in range(first, end, step)))

    def sql(self, text: str) -> LocalRows:
        frame = self.session.sql(MARKERS.sub(values_of_range, text))
        parts = self.optimised_parts(frame)
        rows = frame.coalesce(1).toArrow() if parts is None else pa.concat_tables(parts)
        return LocalRows(self.session, (rows,))

    def optimised_parts(self, frame: DataFrame) -> list[pa.Table] | None:
        """The rows that Spark's optimiser has computed already; None where it takes a job, three times as long.

        Over rows at hand the optimiser evaluates filters and projections by itself.
        """
        plan = frame._jdf.queryExecution().optimizedPlan()
        parts = [plan]
        if plan.nodeName() == "Union":
            children = plan.children()
            parts = [children.apply(number) for number in range(children.size())]
        if any(part.nodeName() != "LocalRelation" for part in parts):
            return None
        arrow = getattr(self.session._jvm.org.apache.spark.sql.execution.arrow, "ArrowConverters$")
        convert, schema = getattr(arrow, "MODULE$"), frame._jdf.schema()
        zone = self.session.conf.get("spark.sql.session.timeZone")
        empty = convert.createEmptyArrowBatch(schema, zone, False, False)
        found = []
        for part in parts:
            batches = convert.toBatchWithSchemaIterator(part.data().iterator(), schema, MANY, MANY, zone, False, False)
            found.append(read_stream(batches.next() if batches.hasNext() else empty))
            batches.close()
        return found


def local_inputs(*given: Any) -> StageInputs:
    """The inputs of a batch whose statements are evaluated at once, and whose stages run here."""
    inputs = StageInputs(*given)
    session: Any = LocalSession(inputs.session)
    return replace(inputs, session=session)


def local_job(inputs: StageInputs, outputs: Any, frame: Any, *others: Any) -> BatchJob:
    """The job of a batch, whose rows are brought here first."""
    rows = None if frame is None else LocalRows(frame.sparkSession, (frame.toArrow(),))
    return BatchJob(inputs, outputs, cast(Any, rows), *others)


@contextmanager
def in_this_process() -> Iterator[None]:
    with (
        patch.multiple(batch_loop, StageInputs=local_inputs, BatchJob=local_job, free=lambda rows: None),
        patch.multiple(batch_job, cut_off=lambda rows: rows, partition_count=lambda session: 2),
    ):
        yield


def frame_source(engine: Engine, source: RandomSource, frame: DataFrame) -> None:
    """Declare a source whose rows are those of a DataFrame."""
    stamp = None if source.is_static else "ts"
    delay = source.delay or None
    if delay is not None and frame.schema["ts"].dataType.typeName() == "timestamp":
        delay = f"{delay} SECONDS"  # type: ignore[assignment]
    if source.is_stream:
        engine.stream(source.name, frame, stamp, delay)
    else:
        key = source.columns[0][0] if source.kind == "upsert" else ()
        engine.relation(source.name, frame, stamp, "op" if source.kind == "signed" else None, key, delay)


def parts_of(source: RandomSource, count: int) -> list[Sequence[Any]]:
    """A source's rows in so many parts, in the order of arrival; a static table is one part."""
    if source.is_static:
        return [source.rows]
    edges = [len(source.rows) * number // count for number in range(count + 1)]
    return [source.rows[edges[number] : edges[number + 1]] for number in range(count)]


def compile_for(spark: SparkSession, script: RandomScript, settings: Mapping[str, str]) -> Engine:
    engine = Engine(spark)
    lines = [f"SET {name} = '{value}';" for name, value in settings.items()]
    engine.execute("\n".join([*lines, *([] if script.in_ticks else [f"SET origin = '{ORIGIN}';"])]))
    for source in script.sources:
        frame_source(engine, source, frame_of_rows(spark, source, source.rows, script.in_ticks))
    engine.execute("\n".join(f"CREATE VIEW {name} AS {text};" for name, text in script.views.items()))
    engine.execute("\n".join(f"CREATE QUERY {name} AS {text};" for name, text in script.queries.items()))
    return engine


def frame_of_rows(spark: SparkSession, source: RandomSource, rows: Sequence[Any], in_ticks: bool) -> DataFrame:
    table = table_of(source, rows, in_ticks)
    return spark.createDataFrame(table, from_arrow_schema(table.schema))


def run_statements(
    spark: SparkSession, script: RandomScript, batches: int, until: str, folder: Path, settings: Mapping[str, str]
) -> Answers:
    """A script's answers, its rows in so many batches; `spark` is a session as the engine sets its own."""
    engine = compile_for(spark, script, settings)
    answers = Answers()
    frames = {name: frame for name, (_, frame) in engine._frames.items()}
    queries = query_set(script_of(engine), None, until)
    setup, plan = RunSetup(queries.settings, until=until, frames=frames), RunningPlan.start(queries)
    deliver = Sinks(answers.take)
    parts = {source.name: parts_of(source, batches) for source in script.sources}
    with in_this_process(), open_services(spark, plan, setup, deliver, str(folder / "state")) as services:
        # The DataFrames come in parts, as streams do: none is complete with the first batch.
        sources = services.sources
        layout, tracker = sources.layout, replace(sources.tracker, finished=frozenset())
        services = replace(services, sources=replace(sources, complete=(), tracker=tracker))
        state = services.first_state()
        for number in range(batches):
            found = []
            for place in sources.moving:
                source = next(each for each in script.sources if each.name == layout.sources[place].name)
                rows = frame_of_rows(spark, source, parts[source.name][number], script.in_ticks)
                found.append(open_source(spark, layout, place, {source.name.lower(): rows}, script.in_ticks))
            if found:
                if state.better_strategies and plan.version:
                    plan = RunningPlan.advance(queries, plan.version.with_chosen(state.better_strategies), state)
                state = state.after(run_batch(BatchInput(reduce(DataFrame.union, found)), state, plan, services))
        end = find_end(state, services)
        if end > state.decided_until or state.next_batch == 0:
            state = state.after(decide_instants(end, BatchInput(None), state, plan, services))
    return answers
