"""Payloads: what goes into messages comes out of them, in the order of arrival."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.exchange import payloads
from tailrace.exchange.payloads import SUMMARY, Arrival, Packer, Payload, Target, read_payloads
from tailrace.staging.wire import START

TARGETS = st.builds(Target, st.integers(0, 2), st.integers(0, 3))
ROWS = st.lists(
    st.tuples(TARGETS, st.integers(0, 4), st.lists(st.integers(0, 50), min_size=1, max_size=6)), max_size=20
)


def batch_of(instants: list[int]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({START: instants, "w0": [f"at {instant}" for instant in instants]})


@given(ROWS, st.integers(1, 400))
def test_every_row_comes_out_once_and_in_order(added: list[tuple[Target, int, list[int]]], size: int) -> None:
    wanted: dict[tuple[Target, int], list[int]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(payloads, "MESSAGE_BYTES", size)
        packer, made = Packer(3, "a.csv"), []
        for target, shard, instants in added:
            wanted.setdefault((target, shard), []).extend(instants)
            made += packer.add(target, shard, batch_of(instants))
        made += packer.rest()
    found: dict[tuple[Target, int], list[int]] = {}
    # As rows of Spark, and read again, in any order: the order of arrival is in the message.
    rows = [message.as_row() for message in reversed(made)]
    for message in sorted(read_payloads(rows), key=lambda each: each.arrival):
        table = message.open()
        instants = table[START].to_pylist()
        assert (message.first, message.last, message.rows) == (min(instants), max(instants), len(instants))
        assert table["w0"].to_pylist() == [f"at {instant}" for instant in instants]
        assert message.arrival[:2] == ("a.csv", 3)
        found.setdefault((message.target, message.shard), []).extend(instants)
    assert found == wanted


def test_several_messages_in_one_batch_of_spark() -> None:
    made = [Payload.of(Target(0, port), port, Arrival("", 0, port), [batch_of([port, port + 1])]) for port in range(3)]
    whole = pa.Table.from_batches([message.as_row() for message in made]).combine_chunks().to_batches()
    assert [message.open()[START].to_pylist() for message in read_payloads(whole)] == [[0, 1], [1, 2], [2, 3]]


def test_a_summary_is_no_rows() -> None:
    (message,) = read_payloads([Payload.summary(1, 2, 7, b"{}").as_row()])
    assert (message.target, message.shard, message.arrival.block) == (Target(1, SUMMARY), 2, 7)
    assert bytes(message.content) == b"{}"


def test_rows_without_columns_are_counted() -> None:
    batch = pa.RecordBatch.from_pydict({START: [4, 4]})
    assert Payload.of(Target(0, 0), 0, Arrival("", 0, 0), [batch]).open().num_rows == 2
