"""Protect ports: who has no token cannot call what Spark calls for each batch, and Spark still can."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from tailrace.spark.session.protect_ports import protect_callbacks
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark
# Py4J's protocol: a call of the method `call` of the first function that Java knows, and garbage collection of it.
CALLS = (b"c\np0\ncall\nsx\nL7\ne\n", b"g\np0\ne\n")


def ask(port: int, text: bytes) -> bytes:
    """What somebody gets who connects and says this."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as link:
        try:
            link.sendall(text)
            link.shutdown(socket.SHUT_WR)
            return link.recv(1000)
        except OSError:  # the other side has closed the connection
            return b""


def run(spark: SparkSession, folder: Path) -> list[int]:
    """The numbers of the batches of a stream that runs to its end."""
    seen: list[int] = []

    def on_batch(frame: DataFrame, number: int) -> None:
        seen.append(number)

    (folder / "in").mkdir(exist_ok=True)
    (folder / "in" / "a.txt").write_text("a\n")
    stream = spark.readStream.text(str(folder / "in")).writeStream.foreachBatch(on_batch)
    query = stream.option("checkpointLocation", str(folder / "kept")).trigger(availableNow=True).start()
    assert query.awaitTermination(int(PATIENCE))
    return seen


def test_callbacks_need_a_token(spark: SparkSession, tmp_path: Path) -> None:
    protect_callbacks(spark)
    protect_callbacks(spark)
    assert run(spark, tmp_path) == [0]
    gateway: Any = spark.sparkContext._gateway
    port = gateway._callback_server.port
    for call in CALLS:
        assert not ask(port, call).startswith(b"!y")
        wrong = ask(port, b"A\nguessed\ne\n" + call)
        assert b"!y" not in wrong
    right = ask(port, b"A\n" + gateway.python_parameters.auth_token.encode() + b"\ne\n")
    assert right.startswith(b"!y")
