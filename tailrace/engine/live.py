"""Live: an engine's queries while they stand, in a thread of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING

from tailrace.engine.compile import Compiled
from tailrace.engine.run import work
from tailrace.outcome import Outcome

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.analysis.program import Query
    from tailrace.spark.edition import Changed
    from tailrace.spark.frames import DataFrame, SparkSession

PATIENCE = 60.0  # seconds in which Spark should begin to follow the sources


class Live:
    """Queries that stand beside a user's session, over files, any Spark source and DataFrames."""

    def __init__(
        self,
        compiled: Compiled,
        folder: str | None,
        spark: SparkSession,
        frames: Mapping[str, DataFrame],
        take: Callable[[Query, pa.Table], None],
        changed: Callable[[Changed], None],
        checkpoint: str | None,
        pace: str,
    ) -> None:
        from tailrace.engine.book import Book
        from tailrace.spark.problems import in_plain_words
        from tailrace.spark.run import stand_beside, standing_folder

        self.folder = folder
        self.book = Book()
        self.problem: BaseException | None = None
        self.outcome = Outcome()
        self.open = ExitStack()
        with in_plain_words():
            place = self.open.enter_context(standing_folder(checkpoint))
            self.standing = stand_beside(work(compiled, folder, None, self.book), spark, frames, take, place, pace)
        self.standing.changed = changed
        self.thread = threading.Thread(target=self._run, name="tailrace", daemon=True)

    def _run(self) -> None:
        from tailrace.spark.problems import in_plain_words

        try:
            with in_plain_words():
                self.outcome = self.standing.run()
        except BaseException as problem:
            self.problem = problem
        finally:
            self.standing.begun.set()

    def start(self) -> None:
        """Once this returns, the sources are followed; what is wrong with them is raised here."""
        self.thread.start()
        self.standing.begun.wait(PATIENCE)
        if self.problem:
            self.stop()

    def change(self, compiled: Compiled, frames: Mapping[str, DataFrame]) -> None:
        """Other queries, from the next batch on."""
        self.standing.change(work(compiled, self.folder, None, self.book), frames)

    def stop(self) -> Outcome:
        """Finish the batch at hand; what went wrong is raised here."""
        self.standing.stop.set()
        self.thread.join()
        self.open.close()
        if self.problem:
            raise self.problem
        return self.outcome
