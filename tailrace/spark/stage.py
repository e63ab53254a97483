"""Stage: what a worker does with a shard of a batch: read it, run the plan's steps, keep the state, answer.

Lives in an importable module, so that what it caches survives from task to task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.physical.delta import Delta
from tailrace.physical.plan import PhysicalPlan
from tailrace.physical.run_local import LocalRun
from tailrace.physical.state_files import StateFolder

SOURCE, INSTANT, WEIGHT = "_source", "_instant", "_weight"


@dataclass(frozen=True)
class StageWork:
    """Everything a worker needs: the plan, the sources by number, where state is kept, which batch this is."""

    plan: PhysicalPlan
    sources: tuple[str, ...]
    folder: str
    batch: int
    to: int


def stage(work: StageWork) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function Spark calls for each shard."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = [batch for batch in batches if batch.num_rows]
        local = load(work)
        answers = local.batch(unpacked(rows, work.sources), work.to)
        save(work, local)
        for number, answer in enumerate(answers.values()):
            if len(answer):
                yield packed(answer, number, list(work.plan.outputs), work.plan)

    return run


def unpacked(batches: list[pa.RecordBatch], sources: tuple[str, ...]) -> dict[str, Delta]:
    """A shard's rows as one delta for each source."""
    if not batches:
        return {}
    table = pa.Table.from_batches(batches).combine_chunks()
    source = table[SOURCE].to_numpy()
    found = {}
    for number, name in enumerate(sources):
        chosen = pa.array(np.flatnonzero(source == number))
        if not len(chosen):
            continue
        struct = table[f"s{number}"].combine_chunks().take(chosen)
        start = table[INSTANT].to_numpy()[chosen.to_numpy()].astype(np.int64)
        weight = table[WEIGHT].to_numpy()[chosen.to_numpy()].astype(np.int64)
        found[name] = Delta(start, start + 1, weight, tuple(struct.flatten()))
    return found


def output_schema(plan: PhysicalPlan) -> pa.Schema:
    """The answers of all queries side by side: which query, the instant, the weight, and a struct for each query."""
    fields = [pa.field("_query", pa.int32()), pa.field("_instant", pa.int64()), pa.field("_weight", pa.int64())]
    for number, step in enumerate(plan.outputs.values()):
        columns = [pa.field(f"c{index}", type) for index, type in enumerate(plan.types(step))]
        fields.append(pa.field(f"q{number}", pa.struct(columns)))
    return pa.schema(fields)


def packed(answer: Delta, number: int, names: list[str], plan: PhysicalPlan) -> pa.RecordBatch:
    schema = output_schema(plan)
    columns = [pa.array(np.full(len(answer), number, np.int32)), pa.array(answer.start), pa.array(answer.weight)]
    for other in range(len(names)):
        type = schema.field(f"q{other}").type
        if other != number:
            columns.append(pa.nulls(len(answer), type))
        elif answer.columns:
            columns.append(pa.StructArray.from_arrays(list(answer.columns), fields=list(type)))
        else:
            columns.append(pa.array([{}] * len(answer), type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


# State ----------------------------------------------------------------------------------------------------


def load(work: StageWork) -> LocalRun:
    """The plan as the batch before left it."""
    before = StateFolder(work.folder).load(work.batch - 1)
    if before is None:
        return LocalRun(work.plan)
    past, state = before
    return LocalRun(work.plan, past, state)


def save(work: StageWork, local: LocalRun) -> None:
    StateFolder(work.folder).save(work.batch, (local.past, local.state))
