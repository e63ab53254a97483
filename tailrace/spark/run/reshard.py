"""Reshard: distributes the state of a checkpoint over another number of shards, before a run resumes from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tailrace.errors import StateError
from tailrace.spark.batch.run_state import RunState
from tailrace.spark.batch.services import Services
from tailrace.spark.batch.stage_task import BEHIND, shard_folder, stage_folder
from tailrace.staging.stages import Stage, StagedPlan
from tailrace.state.resharding import Shard
from tailrace.state.state_files import StateFolder, raise_state_errors
from tailrace.state.storage import store_at


def reshard(state: RunState, plan: StagedPlan, services: Services) -> RunState:
    """The state in as many shards as this run has: a job per stage; old files stay, so a crash does no harm."""
    old, new, batch = state.shards, services.shards, state.next_batch - 1
    if old == new:
        return state
    kept: dict[int, Mapping[int, str]] = {}
    syncs = services.setup.is_durable
    for number, names in state.manifests.items():
        stage = plan.stages[number] if number < len(plan.stages) else Stage()
        folder = stage_folder(services.folder, number)
        if stage.is_single or stage.is_free:
            # Such a stage has all its state in shard 0, whatever the number of shards.
            before, after = (shard_folder(folder, shards, 0) for shards in (old, new))
            kept[number] = {0: copy_state(before, after, names[0], batch, syncs)} if 0 in names else {}
        else:
            task = Task(stage, folder, old, names, batch, new, syncs)
            kept[number] = dict(services.spark.sparkContext.parallelize(range(new), new).map(task).collect())
        sweep(folder, old, new)
    return replace(state, manifests=kept, shards=new)


def copy_state(old: str, new: str, name: str, batch: int, syncs: bool) -> str:
    """Copy a state to another folder, and return the name of its manifest there."""
    with raise_state_errors(new):
        return StateFolder(new, syncs).save(batch, load_state(old, name))


def load_state(folder: str, name: str) -> dict[str, Any]:
    """The states of a shard by name; a StateError if the manifest that the batch before named is gone."""
    with raise_state_errors(folder):
        found: dict[str, Any] | None = StateFolder(folder).load(name)
    if found is None:
        raise StateError(
            f"{folder}/{name} is not there",
            hint="something was removed from the checkpoint; name a new folder to start empty",
        )
    return found


def sweep(folder: str, *wanted: int) -> None:
    """Remove a stage's state for all numbers of shards except these."""
    store = store_at(folder)
    names = {shard_folder("", of, 0).split("/")[1] for of in wanted}
    for name in store.names():
        if name not in names:
            store.below(name).clear()


@dataclass(frozen=True)
class Task:
    """The Spark task for a new shard of a stage: takes its part of the states of all old shards, and saves it."""

    stage: Stage
    folder: str
    old: int
    names: Mapping[int, str]
    batch: int
    shards: int
    syncs: bool

    def __call__(self, number: int) -> tuple[int, str]:
        folders = {shard: shard_folder(self.folder, self.old, shard) for shard in sorted(self.names)}
        known = [load_state(folder, self.names[shard]) for shard, folder in folders.items()]
        found: dict[str, Any] = {}
        for step, names in self.stage.names.items():
            there = next((name for name in names if name in known[0]), None)
            if there is not None and not (step in self.stage.single and number):
                states = [each[there] for each in known if there in each]
                found |= dict.fromkeys(names, self.stage.reshard_state(step, states, Shard(number, self.shards)))
        if number == 0:
            found |= {name: clock for name, clock in known[0].items() if name.endswith(BEHIND)}
        place = shard_folder(self.folder, self.shards, number)
        with raise_state_errors(place):
            return number, StateFolder(place, self.syncs).save(self.batch, found)
