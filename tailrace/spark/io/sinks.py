"""Sinks: writes the rows of queries to their sinks by Spark's writers, with the columns of semantics §8.1.

Files that tasks can write themselves are in sink_files.py.

In a run that may repeat a batch, files are written exactly once: a batch writes to a staging folder below `_tailrace/`,
then moves its files into place under names with the batch's number (`prefix`). A repeated batch first deletes the files
that an earlier attempt moved. So a crash at any point leaves only files that the next attempt deletes or overwrites.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.catalog.formats import FILES
from tailrace.catalog.sources import beside_script, path_option
from tailrace.columnar.arrow_types import arrow_type
from tailrace.errors import RunError
from tailrace.fault_injection import fault
from tailrace.file_names import file_name_of
from tailrace.logical.plan import Kind
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.text.spark_sql import name_text
from tailrace.spark.io.sink_errors import FAILURES, raise_if_cancelled
from tailrace.spark.io.snapshots import is_snapshot, replace_file, snapshot_name
from tailrace.spark.io.stage_sql import SqlTable, value, where
from tailrace.spark.session.errors import SPARK_SAYS, error_line
from tailrace.spark.time.event_clock import EventClock
from tailrace.staging.stages import StageInput
from tailrace.staging.wire import START, WEIGHT
from tailrace.state.sync_files import make_folder, sync_folders, sync_present
from tailrace.types import BIGINT, STRING, TIMESTAMP

LOG = logging.getLogger("tailrace")
MEMBER = "_member"
ONE_FILE = ("maxRecordsPerFile", "0")  # an option of Spark's writers: a snapshot is one file, however many its rows

# The kinds of sinks that were tried, by what may be wrong with them: format, options and types.
_tried: set[object] = set()


@dataclass(frozen=True)
class BatchId:
    """Names a batch in its files: its number and the run's unique name; `again` says that it may be a repetition.

    If it `syncs`, its files are durable before the batch is recorded.
    """

    number: int
    run: str
    again: bool
    syncs: bool = False


@dataclass(frozen=True)
class SinkTarget:
    """Where rows are written; with `replaces`, each batch replaces the rows of the batch before (a snapshot)."""

    name: str
    format: str
    path: str | None
    options: tuple[tuple[str, str], ...] = ()
    replaces: bool = False


def answers(rows: SqlTable, feed: StageInput, query: QueryDefinition, clock: EventClock) -> str:
    """The SELECT statement for the rows that a query delivers: a stream's elements or a relation's changes."""
    head = [f"{stamp(clock)} AS _ts"]
    if query.kind is Kind.RELATION:
        head.append(f"IF({WEIGHT} > 0, '+', '-') AS _op")
    columns = zip(feed.columns, query.names, strict=True)
    names = [f"{value(column, rows.named)} AS {name_text(name)}" for column, name in columns]
    wanted = [*([] if query.is_snapshot else head), *names]
    return f"SELECT {', '.join(wanted)} FROM {rows.table}{where(feed.predicates, rows.named)}"


def columns(query: QueryDefinition, clock: EventClock) -> pa.Schema:
    """The Arrow schema of the rows that a query delivers."""
    head = [("_ts", arrow_type(BIGINT if clock.in_ticks else TIMESTAMP))]
    if query.kind is Kind.RELATION:
        head.append(("_op", arrow_type(STRING)))
    return pa.schema([*head, *((field.name, arrow_type(field.type)) for field in query.schema)])


def stamp(clock: EventClock) -> str:
    """The SQL expression for a row's instant, in the type of the input's timestamps."""
    return START if clock.in_ticks else f"timestamp_micros({START} * {clock.tick}L + {clock.origin or 0}L)"


def location(query: QueryDefinition, folder: str | None) -> str | None:
    """The path of a query's sink, None if it has none; a relative one is relative to the script's folder."""
    return beside_script(path_option(query.options), folder)


def write(frame: DataFrame, query: QueryDefinition, folder: str | None, batch: BatchId | None = None) -> None:
    """Write the rows of a query to its sink."""
    write_batch(frame, target_of(query, folder), batch)


def target_of(query: QueryDefinition, folder: str | None) -> SinkTarget:
    options = tuple((key, value) for key, value in query.options if key.lower() not in ("path", "mode", "strategy"))
    return SinkTarget(query.name, query.format or "noop", location(query, folder), options, query.is_snapshot)


def write_members(
    frame: DataFrame, queries: Mapping[int, QueryDefinition], folder: str | None, batch: BatchId | None
) -> dict[int, Exception]:
    """Write the rows of a family's members, told apart by the column MEMBER; returns the members for which it failed.

    Members that write files of one format with the same options and columns are written by one job. Each other sink
    takes a job of its own.
    """
    alike: dict[object, dict[int, QueryDefinition]] = {}
    for number, query in queries.items():
        alike.setdefault((query.format, query.options, query.names), {})[number] = query
    groups: dict[object, dict[int, QueryDefinition]] = {}
    for members in alike.values():
        some = next(iter(members.values()))
        target = target_of(some, folder)
        where = None if target.format.lower() in FILES and target.path else target.path
        groups.setdefault((replace(target, name="", path=where), some.names), {}).update(members)
    failed: dict[int, Exception] = {}
    for group in groups.values():
        some = next(iter(group.values()))
        one, names = target_of(some, folder), some.names
        named = frame.toDF(*frame.columns[: -len(names)], *names) if names else frame
        if one.format.lower() == "noop":
            try:
                write_batch(named, one, batch)
            except FAILURES as problem:
                raise_if_cancelled(problem)
                failed |= dict.fromkeys(group, problem)
            continue
        targets = {number: target_of(query, folder) for number, query in group.items()}
        if one.format.lower() in FILES and one.path:
            failed |= move_into_place_or_singly(named, targets, batch)
        else:
            for number, target in targets.items():
                try:
                    write_batch(named.where(f"{MEMBER} = {number}").drop(MEMBER), target, batch)
                except FAILURES as problem:
                    raise_if_cancelled(problem)
                    failed[number] = problem
    return failed


def move_into_place_or_singly(
    frame: DataFrame, targets: Mapping[int, SinkTarget], batch: BatchId | None
) -> dict[int, Exception]:
    """Write the files of many targets by one job or, if that fails, by one for each; returns those that fail."""
    batch = batch or BatchId(0, uuid4().hex[:8], False)
    try:
        deliver = replace_snapshots if next(iter(targets.values())).replaces else move_into_place
        deliver(frame.where(F.col(MEMBER).isin(list(targets))), targets, batch)
        return {}
    except FAILURES as problem:
        raise_if_cancelled(problem)
        if len(targets) == 1:
            return dict.fromkeys(targets, problem)
    again, failed = replace(batch, again=True), dict[int, Exception]()
    for number, target in targets.items():
        failed |= move_into_place_or_singly(frame, {number: target}, again)
    return failed


def move_into_place(frame: DataFrame, targets: Mapping[int, SinkTarget], batch: BatchId) -> None:
    """Write the files of many targets by one job into a staging folder, then move them to the targets' folders."""
    one = next(iter(targets.values()))
    aside = f"{one.path}/_tailrace/members-{batch.run}"
    files, _ = folder_and_mark(frame.sparkSession, aside)
    named: Any = frame.sparkSession.sparkContext._jvm.org.apache.hadoop.fs.Path  # type: ignore[union-attr]
    writer = frame.write.format(one.format).options(**dict(one.options)).mode("overwrite")
    writer.partitionBy(MEMBER).save(aside)
    fault("written")
    for target in targets.values():
        remove_earlier(frame.sparkSession, target, batch)
    moved: list[Any] = []
    for place, new in enumerate(files.globStatus(named(aside, f"{MEMBER}=*/part-*")) or ()):
        target = targets[int(new.getPath().getParent().getName().partition("=")[2])]
        ending = new.getPath().getName().partition(".")[2]
        files.mkdirs(named(target.path))
        moved.append(named(target.path, f"{prefix(target, batch)}-{place}.{ending}"))
        move(files, new.getPath(), moved[-1])
        fault("moved")
    if batch.syncs:
        sync_moved(files, moved)
    files.delete(named(aside), True)


def remove_earlier(spark: SparkSession, target: SinkTarget, batch: BatchId) -> None:
    """Remove the files that an earlier attempt at a batch moved to a target, if there may have been one."""
    if not batch.again or target.path is None:
        return
    files, mark = folder_and_mark(spark, target.path)
    if files.exists(mark.getParent()):
        remove_files(files, mark.getParent(), lambda name: name.startswith(f"{prefix(target, batch)}-"), batch.syncs)


def remove_files(files: Any, folder: Any, is_old: Callable[[str], bool], syncs: bool) -> None:
    """Remove the files of a folder whose names are old; if it `syncs`, a power loss does not bring them back."""
    old = [each.getPath() for each in files.listStatus(folder) if is_old(each.getPath().getName())]
    for path in old:
        files.delete(path, False)
    if syncs and old:
        sync_moved(files, [], folder)


def prefix(target: SinkTarget, batch: BatchId) -> str:
    """The beginning of the names of all files that a batch writes to a target."""
    return f"part-{batch.number:08}-{file_name_of(target.name)}-{batch.run}"


def write_batch(frame: DataFrame, target: SinkTarget, batch: BatchId | None) -> None:
    """Write rows to a target. With a batch id, files get them exactly once, also if the batch is repeated.

    Files are written to a staging folder and then moved, under names with the batch's number. Other formats may get a
    repeated batch twice. A snapshot replaces the one before.
    """
    if target.replaces and target.path is not None and target.format.lower() in FILES:
        write_snapshot(frame, target, batch or BatchId(0, uuid4().hex[:8], False))
        return
    if batch is None or target.path is None or target.format.lower() not in FILES:
        save(frame, target, target.path, "overwrite" if target.replaces else "append")
        return
    begin = prefix(target, batch)
    aside = f"{target.path}/_tailrace/{file_name_of(target.name)}-{batch.run}"
    save(frame, target, aside, "overwrite")
    fault("written")
    spark = frame.sparkSession
    files, _ = folder_and_mark(spark, target.path)
    named: Any = spark.sparkContext._jvm.org.apache.hadoop.fs.Path  # type: ignore[union-attr]
    remove_earlier(spark, target, batch)
    moved: list[Any] = []
    for number, new in enumerate(files.globStatus(named(aside, "part-*"))):
        if new.getLen():
            ending = new.getPath().getName().partition(".")[2]
            moved.append(named(target.path, f"{begin}-{number}.{ending}"))
            move(files, new.getPath(), moved[-1])
            fault("moved")
    if batch.syncs:
        sync_moved(files, moved)
    files.delete(named(aside), True)


def replace_snapshots(frame: DataFrame, targets: Mapping[int, SinkTarget], batch: BatchId | None) -> None:
    """Write the snapshots of many members by one job, each to a file; one without rows needs a job of its own."""
    one, spark = next(iter(targets.values())), frame.sparkSession
    batch = batch or BatchId(0, uuid4().hex[:8], False)
    aside = f"{one.path}/_tailrace/members-{batch.run}"
    files, mark = folder_and_mark(spark, aside)
    named: Any = spark.sparkContext._jvm.org.apache.hadoop.fs.Path  # type: ignore[union-attr]
    writer = frame.coalesce(1).write.format(one.format).options(**dict(one.options)).mode("overwrite")
    writer.option(*ONE_FILE).partitionBy(MEMBER).save(aside)
    fault("written")
    for number, target in targets.items():
        found = files.globStatus(named(aside, f"{MEMBER}={number}/part-*")) or ()
        if not found:
            write_snapshot(frame.where("false").drop(MEMBER), target, batch)
        for new in (each.getPath() for each in found):
            files.mkdirs(named(target.path))
            replace_snapshot(spark, files, new, target, batch)
            fault("moved")
    files.delete(mark.getParent(), True)


def write_snapshot(frame: DataFrame, target: SinkTarget, batch: BatchId) -> None:
    """Write rows to one file, which replaces the one of the batch before."""
    aside = f"{target.path}/_tailrace/{file_name_of(target.name)}-{batch.run}"
    save(frame.coalesce(1), replace(target, options=(*target.options, ONE_FILE)), aside, "overwrite")
    fault("written")
    files, mark = folder_and_mark(frame.sparkSession, aside)
    named: Any = frame.sparkSession.sparkContext._jvm.org.apache.hadoop.fs.Path  # type: ignore[union-attr]
    (new,) = (found.getPath() for found in files.globStatus(named(aside, "part-*")))
    replace_snapshot(frame.sparkSession, files, new, target, batch)
    fault("moved")
    files.delete(mark.getParent(), True)


def replace_snapshot(spark: SparkSession, files: Any, new: Any, target: SinkTarget, batch: BatchId) -> None:
    """Move a new snapshot over the one before; one that has another ending, of another format, goes after that."""
    folder = folder_and_mark(spark, target.path or "")[1].getParent()
    named: Any = spark.sparkContext._jvm.org.apache.hadoop.fs.Path  # type: ignore[union-attr]
    name = snapshot_name(target.name, new.getName())
    replace_file(spark, files, new, named(folder, name), batch.syncs)
    remove_files(files, folder, lambda other: other != name and is_snapshot(target.name, other), batch.syncs)


def move(files: Any, path: Any, to: Any) -> None:
    """Move a file of a Hadoop file system, which says by its answer that it could not."""
    if not files.rename(path, to):
        raise RunError(f"{path} could not be moved to {to}", hint="look whether the folder can be written")


def sync_moved(files: Any, paths: Sequence[Any], *folders: Any) -> None:
    """Make moved files durable, with the checksums that Hadoop keeps beside them; nothing if they are not local.

    So are the names in other `folders`.
    """
    if files.getUri().getScheme() != "file":
        return
    moved, others = ([Path(files.makeQualified(path).toUri().getPath()) for path in each] for each in (paths, folders))
    for folder in {path.parent for path in moved}:
        make_folder(folder)
    sync_present(each for path in moved for each in (path, path.with_name(f".{path.name}.crc")))
    sync_folders([*(path.parent for path in moved), *others])


def save(frame: DataFrame, target: SinkTarget, path: str | None, mode: str) -> None:
    """Run the Spark job that writes rows in the target's format."""
    writer = frame.write.format(target.format).options(**dict(target.options)).mode(mode)
    writer.save(path) if path else writer.save()


def write_shed_counts(
    spark: SparkSession, query: QueryDefinition, folder: str | None, rows: Mapping[str, int], beat: int
) -> None:
    """Overwrite the JSON file beside a query's results that says how many rows of its sources were shed so far.

    If that fails, the results are there all the same: the next batch tries again.
    """
    path = location(query, folder)
    if not (query.format and path and rows):
        return
    try:
        files, _ = folder_and_mark(spark, path)
        java: Any = spark.sparkContext._jvm
        text = json.dumps({"query": query.name, "shed": dict(rows), "watermark": beat})
        name = f"shed-{file_name_of(query.name)}.json"
        out = files.create(java.org.apache.hadoop.fs.Path(f"{path}/_tailrace", name), True)
        out.write(text.encode())
        out.close()
    except FAILURES as problem:
        raise_if_cancelled(problem)
        LOG.warning(f"{query.name}: how many rows were shed could not be written: {error_line(str(problem))}")


def begin(spark: SparkSession, query: QueryDefinition, folder: str | None) -> None:
    """Before a run: remove the _SUCCESS of an earlier run from a query's folder, and refuse a path that is a file."""
    path = location(query, folder)
    if query.format and path:
        files, mark = folder_and_mark(spark, path)
        if files.isFile(mark.getParent()):
            raise RunError(f"{query.name}: {path} is a file, not a folder")
        files.delete(mark, False)


def try_sink(spark: SparkSession, query: QueryDefinition, folder: str | None) -> None:
    """Raise a RunError if a query cannot be written: its path is a file, or Spark refuses its options or columns.

    Spark says that only when it writes. So a file without rows is written once for each kind of sink; the folder is
    made and removed each time.
    """
    target = target_of(query, folder)
    kind = target.format.lower(), target.options, tuple(str(field.type) for field in query.schema)
    begin(spark, query, folder)
    if target.path is None or target.format.lower() not in FILES:
        return
    schema = columns(query, EventClock(1, True))
    fields = list(schema)[-len(query.schema) :] if query.is_snapshot else list(schema)
    place = f"{target.path}/_tailrace/tried-{uuid4().hex[:8]}"
    files, mark = folder_and_mark(spark, place)
    try:
        if kind not in _tried:
            frame = spark.createDataFrame([], from_arrow_schema(pa.schema(fields)))
            save(frame.coalesce(1), target, place, "overwrite")
        elif not files.mkdirs(mark.getParent()):
            raise RunError(f"{target.path}: the folder cannot be made")
    except FAILURES as problem:
        said = error_line(str(problem)).removeprefix(SPARK_SAYS)
        raise RunError(f"{query.name} cannot be written: {said}") from problem
    finally:
        files.delete(mark.getParent(), True)
    _tried.add(kind)


def finish(spark: SparkSession, query: QueryDefinition, folder: str | None) -> None:
    """After a run: mark a query's folder as finished with _SUCCESS, as Spark's own jobs do."""
    path = location(query, folder)
    if query.format and path:
        files, mark = folder_and_mark(spark, path)
        if files.exists(mark.getParent()):
            files.create(mark, True).close()


def folder_and_mark(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """The Hadoop file system of a folder, and the path of the _SUCCESS file in it."""
    java: Any = spark.sparkContext._jvm
    mark = java.org.apache.hadoop.fs.Path(path, "_SUCCESS")
    context: Any = spark.sparkContext._jsc
    return mark.getFileSystem(context.hadoopConfiguration()), mark
