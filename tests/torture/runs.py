"""Runs: continuous runs from a checkpoint in this process, and what they leave: rows in sinks, and state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, cast

import pyarrow.parquet as pq

from tailrace.engine.pipeline import PlanningSession, compile_script, query_set
from tailrace.errors import Source
from tailrace.spark.batch.run_state import RunState
from tailrace.spark.batch.stage_task import shard_folder, stage_folder
from tailrace.spark.io.sources import spark_name
from tailrace.spark.run.continuous import ContinuousRun, RunObserver
from tailrace.spark.run.run_once import continuous_setup, stand_up
from tailrace.state.state_files import StateFolder
from tests.golden.digests import digest, plain
from tests.torture.scripts import Script, write_inputs
from tests.torture.stand_ins import LocalSession, MovingClock, forget_all, in_this_process
from tests.torture.stream_model import StreamModel

KEPT, OUT = "kept", "out"
NAME = re.compile(r"part-(\d{8})-(\w+)-[0-9a-f]+-\d+\.(?:[\w.]+)")

Rows = dict[str, Counter[str]]  # by query


@dataclass
class World:
    """A script with its inputs, which are in `folder` / inputs; runs are below other folders."""

    script: Script
    folder: Path
    batches: int
    session: PlanningSession = field(init=False)
    clock: MovingClock = field(init=False)
    quarantined: frozenset[str] = frozenset()  # the queries that the last run has taken out
    spark: Any = field(default_factory=LocalSession)

    def __post_init__(self) -> None:
        self.clock = MovingClock(Random(self.script.seed))
        write_inputs(self.script, self.folder / "inputs", self.batches)
        self.session = compile_script(Source(self.script.text), self.folder)

    def files(self) -> dict[str, list[str]]:
        folders = {spark_name(each): self.folder / "inputs" / each.name for each in query_set(self.session).sources}
        return {name: sorted(f"file://{path}" for path in folder.iterdir()) for name, folder in folders.items()}

    @contextmanager
    def open(self, root: Path, model: StreamModel) -> Iterator[ContinuousRun]:
        """A run whose checkpoint and sinks are below `root`, as a new process opens it."""
        forget_all()
        with in_this_process(model, root, self.script.shuffles, self.clock):
            queries = query_set(self.session, str(root))
            setup = continuous_setup(queries, "0 seconds", True)
            observer = RunObserver(lambda query, rows: None)
            yield stand_up(queries, self.spark, observer, str(root / KEPT), setup)

    def run(self, root: Path, batches: int, after: Callable[[RunState, int], None] | None = None) -> StreamModel:
        """Run so many batches from the checkpoint on; `after` gets the state after each, and the batch's number."""
        model = StreamModel(self.files(), batches)
        with self.open(root, model) as run:
            if after is not None:
                take = after
                model.after = lambda number: take(run.state, number)
            try:
                run.run()
            finally:
                self.quarantined = frozenset(run.state.quarantined if hasattr(run, "state") else ())
        return model


def rows_in_sinks(root: Path, script: Script, up_to: int | None = None) -> Rows:
    """The rows in all sinks, of batches up to a number; an OSError or an error of Arrow if a file is torn."""
    found: Rows = {}
    for name, format in script.formats.items():
        rows = found.setdefault(name, Counter())
        for path in sorted((root / OUT / name).glob("*")):
            named = NAME.fullmatch(path.name)
            if path.name == "_tailrace":
                continue
            if named is None:
                raise ValueError(f"{path} is in the folder of a sink")
            if up_to is None or int(named[1]) <= up_to:
                rows.update(rows_of(path, format))
    return found


def rows_of(path: Path, format: str) -> list[str]:
    if format == "parquet":
        table = pq.read_table(path)
        return [repr(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]
    text = path.read_text()
    if text and not text.endswith("\n"):
        raise ValueError(f"{path} ends within a line")
    lines = text.splitlines()
    return lines[1:] if lines and lines[0].startswith("_ts,") else lines  # a header


def state_digests(state: RunState, root: Path) -> str:
    """A digest of the state of all operators, by its values alone."""
    found = []
    for stage, manifests in sorted(state.manifests.items()):
        for shard, name in sorted(manifests.items()):
            folder = shard_folder(stage_folder(str(root / KEPT / "state"), stage), state.shards, shard)
            known = cast(dict[str, Any], StateFolder(folder).load(name))
            found.append(sorted(repr((key, plain(each))) for key, each in known.items()))
    return digest(found)
