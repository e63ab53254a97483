"""System streams: streams such as tailrace.batches, by which queries can watch the run itself (CQL §12.7).

Every script can read them without declaring them. After each batch of a continuous run they get rows: one for the
batch, one for each source, query or operator. The rows' instant is the time of their arrival.
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
        ("rows", BIGINT),  # read from all sources
        ("late", BIGINT),
        ("shed", BIGINT),
        ("queries", INT),
        ("watermark", STRING),
    ),
)
SOURCES = Stream(
    f"{SYSTEM}.sources",
    Schema.of(
        ("batch", BIGINT),
        ("source", STRING),
        ("rows", BIGINT),  # read in this batch alone
        ("late", BIGINT),
        ("shed", BIGINT),
        ("newest", STRING),
        ("idle_seconds", DOUBLE),  # seconds since the last row arrived
        ("holds_watermark", BOOLEAN),  # whether the watermark waits for this source
    ),
)
QUERIES = Stream(
    f"{SYSTEM}.queries",
    Schema.of(
        ("batch", BIGINT),
        ("query", STRING),
        ("rows", BIGINT),  # results of this batch; NULL if they went to a sink, or if the query is quarantined
        ("failure", STRING),  # why it is quarantined; NULL if it runs
    ),
)
OPERATORS = Stream(
    f"{SYSTEM}.operators",
    Schema.of(
        ("batch", BIGINT),
        ("plan_since_batch", BIGINT),  # the first batch of this plan version: stages and steps are numbered within it
        ("stage", INT),
        ("step", INT),
        ("operator", STRING),
        ("rows_in", BIGINT),
        ("rows_out", BIGINT),
        ("seconds", DOUBLE),  # summed over all workers
        ("state_rows", BIGINT),  # rows in the operator's state
        ("state_bytes", BIGINT),
    ),
)
SYSTEM_STREAMS: dict[str, Stream] = {stream.name: stream for stream in (BATCHES, SOURCES, QUERIES, OPERATORS)}
