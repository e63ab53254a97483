"""Query: the Python interface of one standing query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tailrace.deep_stack import on_deep_stack
from tailrace.engine.explain import explain_report, head
from tailrace.engine.results import ResultBuffer, Subscriber, Subscribers, current_rows, in_order
from tailrace.errors import RunError
from tailrace.logical.plan import Kind
from tailrace.logical.queries import QueryDefinition

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.engine.engine import Engine
    from tailrace.spark.io.frames import DataFrame, Row


class Query:
    """A standing query of an engine, with the results of the last run.

    The results of a stream have the column `_ts` and the select list. Those of a relation are its changelog, with
    `_ts`, `_op` (`+` or `-`) and the select list. Rows are ordered by instant; at an instant, deletions come first.
    """

    def __init__(self, engine: Engine, definition: QueryDefinition) -> None:
        self.engine = engine
        self.definition = definition
        self.answers = ResultBuffer(engine._keep)
        self.subscribers = Subscribers(definition.name)
        self.since: str | None = None  # the first instant it sees, if it was added to an active run; None: all instants

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def shed_rows(self) -> dict[str, int]:
        """How many rows of its sources the run has shed because batches fell behind (SET shedding = on), by source."""
        live = self.engine._live
        return {} if live is None else live.standing.shed_of(self.definition)

    @property
    def failure(self) -> str | None:
        """Why the query was taken out of the run, in one line; None if it runs. RESUME QUERY starts it anew."""
        live = self.engine._live
        found = None if live is None else live.standing.failure(self.definition)
        return None if found is None else found.describe()

    def __repr__(self) -> str:
        return head(self.definition)

    def rows(self) -> list[Row]:
        """The results: the newest, if there are more than the engine keeps; none before the first run."""
        from tailrace.spark.io.frames import rows_of

        self._refuse_sink()
        table = self.answers.table
        return [] if table is None else rows_of(table)

    def dataframe(self) -> DataFrame:
        """The results, as `rows` gives them, as a DataFrame of the engine's Spark session."""
        from tailrace.spark.io.frames import frame_of

        self._refuse_sink()
        table = self.answers.table
        if table is None:
            raise RunError(f"{self.name} has no results before the first run", hint="engine.run(once=True)")
        return frame_of(self.engine.spark, table)

    def snapshot(self) -> list[Row]:
        """The content of a relation after the last run, computed from its changelog."""
        if self.definition.kind is not Kind.RELATION:
            raise RunError(f"{self.name} is a stream; only a relation has a snapshot")
        if self.answers.forgotten:
            raise RunError(
                f"{self.name} had more than the {self.engine._keep:,} rows that are kept",
                hint="Engine(keep=…) keeps more; OPTIONS (mode 'snapshot') writes the relation to a sink",
            )
        return current_rows(self.rows())

    def subscribe(self, callback: Subscriber, tables: bool = False) -> None:
        """Have `callback` called with the rows of each batch that has any: Rows or, with `tables`, an Arrow table.

        In a background run each callback has its own thread, and is dropped if it falls 100 batches behind.
        """
        self._refuse_sink()
        self.subscribers.callbacks.append(callback)
        if tables:
            self.subscribers.by_table.append(callback)

    def unsubscribe(self, callback: Subscriber) -> None:
        self.subscribers.remove(callback)

    def drop(self) -> None:
        """Remove the query from the engine; its results stay readable here."""
        from tailrace.engine.dataframes import identifier_text

        self.engine.execute(f"DROP QUERY {identifier_text(self.name)}")

    def explain(self, form: str = "text") -> str:
        """The output of `tailrace explain` for this query; `form` is text, mermaid or json."""
        return on_deep_stack(lambda: explain_report(self.engine._session, [self.definition], form))

    def add_batch(self, rows: pa.Table, in_background: bool = False) -> None:
        """Add the rows of a batch. Subscribers are called here or, in the background, each in its own thread."""
        self.answers.take(rows)
        if len(rows) and self.subscribers.callbacks:
            self.subscribers.take(in_order(rows), in_background)

    def _refuse_sink(self) -> None:
        if self.definition.format:
            raise RunError(f"the rows of {self.name} go into {self.definition.format} and are not kept")
