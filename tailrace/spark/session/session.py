"""Session: the Spark session a run uses, set for small batches on whatever master is given."""

from __future__ import annotations

import os
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pyspark.errors import PySparkRuntimeError
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from tailrace.errors import RunError
from tailrace.spark.session import daemon, package
from tailrace.spark.session.errors import check_master
from tailrace.state.storage import is_remote, store_at

# Rows are young and gone again: a small place for them and a plain collector take a third of the default's time, and
# memory that a long run does not need is not taken, or given back.
JAVA = (
    "-XX:+UseSerialGC -Xmn200m -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40 "
    f"-Dlog4j2.configurationFile=file:{Path(__file__).with_name('log4j2.properties')}"
)
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.ansi.enabled": "false",
    # Rows go to Python in batches of so many (see `small_batches`); weighing each row too costs as much as writing it.
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    # These would be taken of every row that is exchanged. A task that runs again writes the same rows.
    "spark.sql.shuffle.orderIndependentChecksum.enabled": "false",
    "spark.shuffle.checksum.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.streaming.metricsEnabled": "false",
    # Spark describes and remembers the plan of every job, with all that is cached below it: megabytes of text.
    "spark.sql.maxPlanStringLength": "1000",
    # Spark would remember a thousand jobs, and statements with their plans, for a page that is not served.
    "spark.ui.retainedJobs": "100",
    "spark.ui.retainedStages": "100",
    "spark.ui.retainedTasks": "1000",
    "spark.sql.ui.retainedExecutions": "100",
    # A folder of results gets its _SUCCESS when the run is over, not with each batch.
    "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    # Small batches over TCP wait 40 ms for an acknowledgement, more than the rest of a small task takes.
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.python.daemon.module": daemon.__name__,
}

# What else answers depend on, where somebody else made the session.
OF_ANSWERS = {
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.caseSensitive": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    # The session's form of the setting above that Hadoop gets.
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
}

# How Structured Streaming writes its logs. What it does by default starts processes for each file on a local disk,
# 0.1 s a batch; this takes 0.02 s. Both write aside and rename.
LOGS = "spark.sql.streaming.checkpointFileManagerClass"
LOCAL_LOGS = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
# Spark keeps the logs of 100 batches, and what lists the files of a batch for ten minutes: thousands of files. A batch
# is run again only if it was the last, and on a local disk what was removed is not seen again.
FEW_LOGS = {
    "spark.sql.streaming.minBatchesToRetain": "10",
    "spark.sql.streaming.fileSource.log.cleanupDelay": "1s",
}
OLDEST = 4, 3
GATHERING, SETTLED = 60.0, 1.0  # seconds in which a cluster should give executors; no more come after so many
LISTENING = 10_000  # milliseconds in which Spark should have heard of all tasks that have ended


def start(master: str = "local[*]", settings: tuple[tuple[str, str], ...] = ()) -> SparkSession:
    """A session on the master; `settings` are the script's own `SET spark.…`."""
    check_master(master)
    # It would write a page for what Spark refuses, beside the one line that we write.
    PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True
    os.environ.setdefault("SPARK_SUBMIT_OPTS", JAVA)
    # Java's threads would each keep memory that they once had.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    own = of_machine() if is_local(master) else of_cluster(dict(settings))
    builder = SparkSession.builder.master(master).appName("tailrace")
    for key, value in {**SETTINGS, **own, **dict(settings)}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    if not is_local(master):
        wait_for_executors(spark)
        spark.conf.set("spark.sql.shuffle.partitions", str(spark.sparkContext.defaultParallelism))
    return spark


def of_machine() -> dict[str, str]:
    """What is set where all workers are on this machine: they run the Python that runs this."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    cores = os.cpu_count() or 1
    return {
        "spark.sql.shuffle.partitions": str(cores),
        "spark.memory.fraction": str(memory_fraction(cores)),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }


def of_cluster(settings: Mapping[str, str]) -> dict[str, str]:
    """What is set on a cluster: its workers get Python and all packages, unless somebody says which Python to run."""
    given = "PYSPARK_PYTHON" in os.environ or {"spark.archives", "spark.pyspark.python"} & settings.keys()
    if given:
        return {}
    os.environ["PYSPARK_PYTHON"] = package.PYTHON
    return {"spark.archives": f"{package.make_package()}#{package.FOLDER}"}


def wait_for_executors(spark: SparkSession) -> None:
    """Wait for the executors that a cluster gives at the start: how many cores they have decides how work is spread."""
    context = spark.sparkContext
    if is_local(context.master or "") or context.getConf().get("spark.dynamicAllocation.enabled") == "true":
        return
    java: Any = context._jsc
    begun = changed = time.monotonic()
    known = 0
    while time.monotonic() - begun < GATHERING and (not known or time.monotonic() - changed < SETTLED):
        # The driver is one of them.
        executors = java.sc().getExecutorMemoryStatus().size() - 1
        if executors != known:
            known, changed = executors, time.monotonic()
        time.sleep(0.1)
    if not known:
        raise RunError(
            f"{context.master} gave no executor in {GATHERING:.0f} seconds",
            hint="its workers may be taken, or have less memory than spark.executor.memory asks for",
        )


def memory_fraction(cores: int) -> float:
    """How much of its memory Spark sorts and adds up in before it goes to disk, so that memory follows no batch.

    Each core needs a few megabytes to work at all.
    """
    return min(0.6, max(0.15, 0.03 * cores))


def current_or_new() -> SparkSession:
    """The session that is there, or a new one on all cores of this machine."""
    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        return start()


def task_seconds() -> float:
    """The seconds that tasks have taken so far, on all executors of the session at hand.

    Spark tells what it has heard by then; it writes that down at once if `spark.ui.liveUpdate.period` is 0.
    """
    java: Any = SparkSession.active().sparkContext._jsc
    java.sc().listenerBus().waitUntilEmpty(LISTENING)
    known = java.sc().statusStore().executorList(False)
    executors = (known.apply(place) for place in range(known.size()))
    # The driver, which is one of them, runs no tasks; of it the time is told that it has been there.
    return sum(each.totalDuration() for each in executors if each.id() != "driver") / 1000


def stop() -> None:
    """End the session at hand, if there is one."""
    with suppress(PySparkRuntimeError):
        SparkSession.active().stop()


def private_session(spark: SparkSession, settings: tuple[tuple[str, str], ...] = ()) -> SparkSession:
    """A session of our own beside a user's, whose settings stay as they are and hold here where answers allow it."""
    if getattr(spark, "_jsparkSession", None) is None:
        raise RunError("this is no Spark session that runs here", hint="Spark Connect has no batches to follow")
    if spark.sparkContext._jsc is None:
        raise RunError("this Spark session was stopped")
    if tuple(map(int, spark.version.split(".")[:2])) < OLDEST:
        raise RunError(f"this is Spark {spark.version}", hint=f"Tailrace needs Spark {'.'.join(map(str, OLDEST))}")
    wait_for_executors(spark)
    ours = spark.newSession()
    for key, value in {**spark.conf.getAll, **SETTINGS, **OF_ANSWERS}.items():
        if ours.conf.isModifiable(key) or not key.startswith("spark.") or key.startswith("spark.sql.catalog."):
            ours.conf.set(key, value)
    for key, value in settings:
        ours.conf.set(key, value)
    return ours


@contextmanager
def open_state_folder(spark: SparkSession, checkpoint: str | None, scratch: str | None) -> Iterator[str]:
    """A folder that all workers reach: the checkpoint's or, where none is named, one that goes away again."""
    if checkpoint is not None:
        yield checkpoint
    elif scratch is not None:
        store = store_at(scratch).below(f"tailrace-{uuid.uuid4().hex[:12]}")
        store.make()
        try:
            yield store.address
        finally:
            store.clear()
    elif is_local(spark.sparkContext.master or ""):
        with tempfile.TemporaryDirectory(prefix="tailrace-", ignore_cleanup_errors=True) as folder:
            yield folder
    else:
        raise RunError(
            f"workers of {spark.sparkContext.master} must reach what queries remember, and no folder is named for it",
            hint="name one that all machines have: a checkpoint, or SET scratch = 'hdfs://…', 's3a://…' or 'file://…'",
        )


def is_local(master: str) -> bool:
    """Whether all workers of a master are on this machine.

    >>> [is_local(master) for master in ("local[2]", "local-cluster[2,1,1024]", "spark://one:7077", "yarn")]
    [True, True, False, False]
    """
    return master.startswith("local")


@contextmanager
def small_batches(spark: SparkSession, checkpoint: str, rows: int) -> Iterator[None]:
    """While this lasts, Spark is set for small batches; so many rows at a time go to Python."""
    wanted = {
        # Files are cut so that every core has as much to read, though opening one twice costs something. Of no cost at
        # all, a file of an odd size is cut into two halves and one byte, which is a task more.
        "spark.sql.files.openCostInBytes": "1000",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(rows),
        **({} if is_remote(checkpoint) else {LOGS: LOCAL_LOGS, **FEW_LOGS}),
    }
    before = {name: spark.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, known in before.items():
            spark.conf.unset(name) if known is None else spark.conf.set(name, known)
