"""Monitors: queries of the system's own over its own streams, and what they tell of a run.

They are a script like any other, with names and a tick of its own: no name of a user's is taken, and no checkpoint,
listing or restart knows of them.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tailrace.analysis.program import QueryDefinition
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.plan import Kind

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.spark.run.watching import SystemQueryPlan

NAME = "<monitors>"
MANY = 20_000  # changes after which those that undo each other are forgotten


class Monitors:
    """The queries of a script, relations all of them, and each as it is now."""

    def __init__(self, text: str) -> None:
        self.compiled = compile_script(Source(text, NAME))
        self.told = {name: MaterializedRelation() for name in self.queries}
        assert all(query.kind is Kind.RELATION for query in self.queries.values())

    @property
    def queries(self) -> Mapping[str, QueryDefinition]:
        return self.compiled.program.queries

    def begin(self) -> list[SystemQueryPlan]:
        """Forget what was; who is to watch a run from now on."""
        from tailrace.spark.run.watching import SystemQueryPlan

        self.told = {name: MaterializedRelation() for name in self.queries}
        tick = self.compiled.program.settings.tick
        return [SystemQueryPlan(each, self.compiled.final(each), tick, self.take) for each in self.queries.values()]

    def take(self, query: QueryDefinition, changes: pa.Table) -> None:
        self.told[query.name].take(changes)

    def now(self, name: str) -> list[dict[str, Any]]:
        """The rows of a query as they are now; `_ts` is since when."""
        return self.told[name].rows()


@dataclass
class MaterializedRelation:
    """A relation as its changes so far have made it.

    >>> import pyarrow as pa
    >>> told = MaterializedRelation()
    >>> told.take(pa.table({"_ts": [1, 1], "_op": ["+", "+"], "k": ["a", "b"]}))
    >>> told.take(pa.table({"_ts": [2, 2], "_op": ["-", "+"], "k": ["a", "b"]}))
    >>> told.rows()
    [{'_ts': 2, 'k': 'b'}, {'_ts': 2, 'k': 'b'}]
    """

    changes: list[pa.Table] = field(default_factory=list)
    count: int = 0
    settled: int = 0  # changes that do not undo each other
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, changes: pa.Table) -> None:
        with self.lock:
            self.changes.append(changes)
            self.count += len(changes)
            if self.count > 2 * self.settled + MANY:
                self.settle()

    def settle(self) -> None:
        self.changes = [current_rows(self.changes)] if self.changes else []
        self.count = self.settled = sum(map(len, self.changes))

    def rows(self) -> list[dict[str, Any]]:
        with self.lock:
            self.settle()
            found = self.changes
        return found[0].drop_columns("_op").to_pylist() if found else []


def current_rows(changes: list[pa.Table]) -> pa.Table:
    """The rows that are left, as changes."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    every = pa.concat_tables(changes)
    schema = every.schema
    signed = every.append_column("_n", pc.if_else(pc.equal(every["_op"], "+"), 1, -1))
    summed = signed.group_by(schema.names[2:], use_threads=False).aggregate([("_ts", "max"), ("_n", "sum")])
    left = summed.take(np.repeat(np.arange(len(summed)), np.maximum(summed["_n_sum"].to_numpy(), 0)))
    columns = [left["_ts_max"], pa.repeat("+", len(left)), *(left[name] for name in schema.names[2:])]
    return pa.table(dict(zip(schema.names, columns, strict=True)), schema)
