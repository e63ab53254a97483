"""System: the streams that tell of the system itself, under names that every script has (CQL §12.7).

A row comes after each batch of a standing run, at the time by the clock at arrival.
"""

from __future__ import annotations

from tailrace.catalog.sources import Stream
from tailrace.language.tokens import SYSTEM
from tailrace.schema import Schema
from tailrace.types import BIGINT, BOOLEAN, DOUBLE, INT, STRING

BATCHES = Stream(
    f"{SYSTEM}.batches",
    Schema.of(
        ("batch", BIGINT),
        ("seconds", DOUBLE),
        ("rows", BIGINT),  # that came from all sources
        ("late", BIGINT),
        ("shed", BIGINT),
        ("queries", INT),
        ("heartbeat", STRING),
    ),
)
SOURCES = Stream(
    f"{SYSTEM}.sources",
    Schema.of(
        ("batch", BIGINT),
        ("source", STRING),
        ("rows", BIGINT),  # of this batch; those of before are not in it
        ("late", BIGINT),
        ("shed", BIGINT),
        ("newest", STRING),
        ("silent", DOUBLE),  # seconds since something came
        ("waited", BOOLEAN),  # whether others wait for it
    ),
)
QUERIES = Stream(
    f"{SYSTEM}.queries",
    Schema.of(
        ("batch", BIGINT),
        ("query", STRING),
        ("rows", BIGINT),  # answered in this batch; NULL where they went to a sink
    ),
)
OPERATORS = Stream(
    f"{SYSTEM}.operators",
    Schema.of(
        ("batch", BIGINT),
        ("plan", BIGINT),  # the batch from which on the stages and steps are these
        ("stage", INT),
        ("step", INT),
        ("operator", STRING),
        ("rows_in", BIGINT),
        ("rows_out", BIGINT),
        ("seconds", DOUBLE),  # in all workers together
        ("remembered", BIGINT),  # rows
        ("bytes", BIGINT),
    ),
)
SYSTEM_STREAMS: dict[str, Stream] = {stream.name: stream for stream in (BATCHES, SOURCES, QUERIES, OPERATORS)}
