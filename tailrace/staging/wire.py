"""Wire: packs the rows of all inputs, or all outputs, of a stage into one table, which Spark moves.

Each input or output is a port, with columns of its own. A slot is a column of the table. Columns of different ports
that have one type share a slot, so the table has few columns; slots that a port does not use are NULL in its rows.

>>> wire = WireFormat.of([(pa.int32(), pa.string()), (pa.int32(), pa.int32())])
>>> wire.types, wire.places
((DataType(int32), DataType(string), DataType(int32)), ((0, 1), (0, 2)))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta
from tailrace.logical.text.spark_sql import INSTANT

PORT, START, UNTIL, WEIGHT, SHARD = "_port", INSTANT, "_until", "_weight", "_shard"


@dataclass(frozen=True)
class WireFormat:
    """The types of the slots, and for each port the slots of its columns."""

    types: tuple[pa.DataType, ...]
    places: tuple[tuple[int, ...], ...]
    insert_only: bool = False  # all rows are elements of streams: their ends and weights are not sent

    @staticmethod
    def of(ports: Sequence[Sequence[pa.DataType]], plain: bool = False) -> WireFormat:
        slots: list[pa.DataType] = []
        places = []
        for types in ports:
            taken: list[int] = []
            for type in types:
                free = (slot for slot, known in enumerate(slots) if known == type and slot not in taken)
                slot = next(free, len(slots))
                if slot == len(slots):
                    slots.append(type)
                taken.append(slot)
            places.append(tuple(taken))
        return WireFormat(tuple(slots), tuple(places), plain)

    @property
    def heads(self) -> list[str]:
        """The names of the table's columns before the slots: port, start, end and weight, as far as needed."""
        return [*([PORT] if len(self.places) > 1 else []), START, *([] if self.insert_only else [UNTIL, WEIGHT])]

    @property
    def is_narrow(self) -> bool:
        """Whether all values have a fixed length."""
        return not any(pa.types.is_nested(type) or is_variable(type) for type in self.types)

    @cached_property
    def schema(self) -> pa.Schema:
        heads = [(name, pa.int32() if name == PORT else pa.int64()) for name in self.heads]
        return pa.schema([*heads, *((f"w{slot}", type) for slot, type in enumerate(self.types))])

    def unpack(self, table: pa.Table) -> dict[int, Delta]:
        """The rows of each port that has any, by port."""
        if len(self.places) == 1:
            return {0: self._delta(table, 0)} if len(table) else {}
        port = table[PORT].to_numpy()
        found = {}
        for number in np.unique(port).tolist():
            chosen = np.flatnonzero(port == number)
            mine = table if len(chosen) == len(port) else table.take(pa.array(chosen))
            found[number] = self._delta(mine, number)
        return found

    def _delta(self, table: pa.Table, port: int) -> Delta:
        start = table[START].to_numpy()
        columns = tuple(_single(table[f"w{slot}"]) for slot in self.places[port])
        if self.insert_only:
            return Delta(start, start + 1, np.ones(len(start), np.int64), columns)
        return Delta(start, table[UNTIL].to_numpy(), table[WEIGHT].to_numpy(), columns)

    def pack(self, port: int, rows: Delta) -> pa.RecordBatch:
        heads: Mapping[str, pa.Array] = {
            PORT: pa.array(np.full(len(rows), port, np.int32)),
            START: pa.array(rows.start),
            UNTIL: pa.array(rows.until),
            WEIGHT: pa.array(rows.weight),
        }
        slots: list[pa.Array | None] = [None] * len(self.types)
        for slot, column in zip(self.places[port], rows.columns, strict=True):
            slots[slot] = column
        filled = [pa.nulls(len(rows), type) if slot is None else slot
                  for slot, type in zip(slots, self.types, strict=True)]  # fmt: skip
        return pa.RecordBatch.from_arrays([*(heads[name] for name in self.heads), *filled], schema=self.schema)


def _single(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def is_variable(type: pa.DataType) -> bool:
    return any(test(type) for test in (pa.types.is_string, pa.types.is_binary, pa.types.is_large_string))
