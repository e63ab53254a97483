"""Monitors: built-in queries over the system streams; the page shows their results while a run is active.

They are a script of their own, with its own names and tick. So they take no name from a user, and no checkpoint,
listing or restart has them.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tailrace.engine.pipeline import compile_script, plan_system_queries
from tailrace.errors import Source
from tailrace.logical.plan import Kind
from tailrace.logical.queries import QueryDefinition

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.staging.plan_version import SystemQueryPlan

NAME = "<monitors>"
MANY = 20_000  # changes after which insertions and deletions that cancel out are dropped


class Monitors:
    """The queries of a script, each of which gives a relation, and the current content of these relations."""

    def __init__(self, text: str) -> None:
        self.session = compile_script(Source(text, NAME))
        self.told = {name: MaterializedRelation() for name in self.queries}
        assert all(query.kind is Kind.RELATION for query in self.queries.values())

    @property
    def queries(self) -> Mapping[str, QueryDefinition]:
        return self.session.program.queries

    def begin(self) -> list[SystemQueryPlan]:
        """Clear the results of the run before, and give the plans of the queries for a new run."""
        self.told = {name: MaterializedRelation() for name in self.queries}
        return plan_system_queries(self.session, self.take)

    def take(self, query: QueryDefinition, changes: pa.Table) -> None:
        self.told[query.name].take(changes)

    def now(self, name: str) -> list[dict[str, Any]]:
        """The current rows of a query; `_ts` is the instant of the last change of each."""
        return self.told[name].rows()


@dataclass
class MaterializedRelation:
    """The current content of a relation, built from its changes.

    >>> import pyarrow as pa
    >>> told = MaterializedRelation()
    >>> told.take(pa.table({"_ts": [1, 1], "_op": ["+", "+"], "k": ["a", "b"]}))
    >>> told.take(pa.table({"_ts": [2, 2], "_op": ["-", "+"], "k": ["a", "b"]}))
    >>> told.rows()
    [{'_ts': 2, 'k': 'b'}, {'_ts': 2, 'k': 'b'}]
    """

    changes: list[pa.Table] = field(default_factory=list)
    count: int = 0
    settled: int = 0  # changes that were left when cancelling pairs were last dropped
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
    """The rows that remain after all changes, as insertions."""
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
