"""Session: starts the Spark session of a run, or a private one beside a user's, configured for small batches."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark import java_gateway
from pyspark.errors import PySparkRuntimeError
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from tailrace.errors import RunError
from tailrace.private_folder import make_private_folder
from tailrace.spark.session import daemon, package
from tailrace.spark.session.errors import check_master, translate_spark_errors
from tailrace.spark.session.protect_ports import AUTHENTICATED, protect_callbacks
from tailrace.state.storage import is_remote, store_at

# Rows are short-lived: a small young generation and the serial collector take a third of the default's time. The heap
# ratios keep a long run from taking memory that it does not need, and give unused memory back.
JAVA = (
    "-XX:+UseSerialGC -Xmn200m -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40 "
    f"-Dlog4j2.configurationFile=file:{Path(__file__).with_name('log4j2.properties')}"
)
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.ansi.enabled": "false",
    # Arrow batches to Python are limited by rows (see `small_batches`). A limit in bytes would measure every row, which
    # costs as much as writing it.
    "spark.sql.execution.arrow.maxBytesPerBatch": str(1 << 26),
    # Checksums would be computed of every shuffled row. They are not needed: a retried task writes the same rows.
    "spark.sql.shuffle.orderIndependentChecksum.enabled": "false",
    "spark.shuffle.checksum.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.streaming.metricsEnabled": "false",
    # Spark keeps a text of every job's plan, with all plans cached below it: megabytes, unless it is cut short.
    "spark.sql.maxPlanStringLength": "1000",
    # Spark would keep a thousand jobs, and SQL executions with their plans, for a web page that is not served.
    "spark.ui.retainedJobs": "100",
    "spark.ui.retainedStages": "100",
    "spark.ui.retainedTasks": "1000",
    "spark.sql.ui.retainedExecutions": "100",
    # A folder of results gets its _SUCCESS when the run is over (`sinks.finish`), not with each batch.
    "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    # Small batches over TCP wait 40 ms for an acknowledgement, more than the rest of a small task takes.
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.python.daemon.module": daemon.__name__,
}

# Further settings that results depend on, for a private session: the user's own session may have others.
OF_ANSWERS = {
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.caseSensitive": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    # marksuccessfuljobs of SETTINGS again, in the form that a session, not Hadoop, accepts.
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
}

# How Structured Streaming writes its logs on a local disk. The default starts processes for each file, 0.1 s a batch;
# this class takes 0.02 s. Both write a temporary file and rename it.
LOGS = "spark.sql.streaming.checkpointFileManagerClass"
LOCAL_LOGS = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
# By default Spark keeps the logs of 100 batches, and removed log files of file sources for ten minutes: thousands of
# files. Few are enough: only the last batch is ever run again, and a local disk never lists a file that was removed.
FEW_LOGS = {
    "spark.sql.streaming.minBatchesToRetain": "10",
    "spark.sql.streaming.fileSource.log.cleanupDelay": "1s",
}
OLDEST = 4, 3  # the oldest version of Spark that a user's session may have
GATHERING, SETTLED = 60.0, 1.0  # seconds to wait for the first executor; for another one after the last


def start(master: str = "local[*]", settings: tuple[tuple[str, str], ...] = ()) -> SparkSession:
    """Start a Spark session on a master, or get the one that runs; `settings` are the script's own `SET spark.…`."""
    check_master(master)
    # This logger would print a page about a statement that Spark refuses, beside our one line.
    PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True
    os.environ.setdefault("SPARK_SUBMIT_OPTS", JAVA)
    # By default glibc gives threads arenas of their own, which keep the memory that Java's threads once had.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    own = of_machine() if is_local(master) else of_cluster(dict(settings))
    builder = SparkSession.builder.master(master).appName("tailrace")
    for key, value in {**SETTINGS, **own, **dict(settings)}.items():
        builder = builder.config(key, value)
    with translate_spark_errors(), ignore_end_in_java():
        spark = builder.getOrCreate()
    protect_callbacks(spark)
    if not is_local(master):
        wait_for_executors(spark)
        spark.conf.set("spark.sql.shuffle.partitions", str(spark.sparkContext.defaultParallelism))
    return spark


@contextmanager
def ignore_end_in_java() -> Iterator[None]:
    """Have Java, if PySpark starts it inside the block, and Java's own children ignore SIGTERM, which asks for an end.

    Whoever ends a run may tell all its processes, as systemd does. This one finishes the batch, which needs the others;
    they end with it. Nothing changes for this process.
    """
    gateway: Any = java_gateway
    popen = gateway.Popen

    def start_child(command: Sequence[str], preexec_fn: Callable[[], None], **options: Any) -> object:
        def prepare() -> None:
            preexec_fn()
            # Java keeps the first of these, and hands both to its children.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

        return popen(command, preexec_fn=prepare, **options)

    gateway.Popen = start_child
    try:
        yield
    finally:
        gateway.Popen = popen


def of_machine() -> dict[str, str]:
    """Settings for a local master: workers run on this machine, with the Python that runs this process."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    cores = os.cpu_count() or 1
    return {
        "spark.sql.shuffle.partitions": str(cores),
        "spark.memory.fraction": str(memory_fraction(cores)),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        **AUTHENTICATED,
    }


def of_cluster(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings for a cluster: executors get an archive with Python and all packages, unless the user names a Python."""
    given = "PYSPARK_PYTHON" in os.environ or {"spark.archives", "spark.pyspark.python"} & settings.keys()
    if given:
        return {}
    os.environ["PYSPARK_PYTHON"] = package.PYTHON
    return {"spark.archives": f"{package.make_package()}#{package.FOLDER}"}


def wait_for_executors(spark: SparkSession) -> None:
    """Wait until a cluster has given its executors: their number of cores decides the number of shards.

    Returns once no executor has come for SETTLED seconds; raises a RunError if none has come within GATHERING. A local
    master has none, and with dynamic allocation executors come and go, so then nothing is waited for.
    """
    context = spark.sparkContext
    if is_local(context.master or "") or context.getConf().get("spark.dynamicAllocation.enabled") == "true":
        return
    java: Any = context._jsc
    begun = changed = time.monotonic()
    known = 0
    while time.monotonic() - begun < GATHERING and (not known or time.monotonic() - changed < SETTLED):
        # Spark counts the driver too.
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
    """The share of the heap in which Spark sorts and aggregates before it spills to disk: 3 % per core.

    It is kept small so that memory does not grow with the batch, between 15 % and Spark's default of 60 %: each core
    needs a few megabytes to work at all.
    """
    return min(0.6, max(0.15, 0.03 * cores))


def current_or_new() -> SparkSession:
    """The active session or, if there is none, a new one on all cores of this machine."""
    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        return start()


def private_session(spark: SparkSession, settings: tuple[tuple[str, str], ...] = ()) -> SparkSession:
    """Make a session of our own in a user's Spark application, with the user's settings where results allow it.

    The user's session is not changed. In the private one SETTINGS and OF_ANSWERS override the user's settings, and the
    script's own `settings` override both. A stopped session, Spark Connect and an old Spark are refused.
    """
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
    """Yield a folder for state that all workers reach: the checkpoint or, without one, a temporary folder.

    A temporary folder is below `SET scratch` or, on a local master, in this machine's own; it is removed at the end.
    Without a checkpoint and a scratch folder, a run on a cluster is refused.
    """
    if checkpoint is not None:
        yield checkpoint
    elif scratch is not None:
        store = store_at(scratch).below(f"tailrace-{uuid.uuid4().hex[:12]}")
        store.make()
        if is_local(spark.sparkContext.master or "") and not is_remote(scratch):
            make_private_folder(Path(store.address))  # on a cluster, workers of other users may need it
        try:
            yield store.address
        finally:
            store.clear()
    elif is_local(spark.sparkContext.master or ""):
        with tempfile.TemporaryDirectory(prefix="tailrace-", ignore_cleanup_errors=True) as folder:
            yield folder
    else:
        raise RunError(
            f"workers of {spark.sparkContext.master} must reach the state of queries, and no folder is named for it",
            hint="name one that all machines have: a checkpoint, or SET scratch = 'hdfs://…', 's3a://…' or 'file://…'",
        )


def is_local(master: str) -> bool:
    """Whether a master runs all its workers on this machine.

    >>> [is_local(master) for master in ("local[2]", "local-cluster[2,1,1024]", "spark://one:7077", "yarn")]
    [True, True, False, False]
    """
    return master.startswith("local")


@contextmanager
def small_batches(spark: SparkSession, checkpoint: str, rows: int) -> Iterator[None]:
    """Configure the session for small batches inside the block, with Arrow batches of `rows` rows to Python."""
    wanted = {
        # With a small open cost, Spark splits files so that every core reads about as much. With a cost of 0, a file of
        # an odd size would be split into two halves and one byte, which is one task more.
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
