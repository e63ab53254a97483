"""Mutations: deliberate faults in push-down, staging, restart and sharing code, and which tests notice each.

`python -m tests.fuzz.mutations [NUMBER…]` puts one fault after the other into a copy of the tree, and runs the tests
named here, a part of `make test`, until the first fails. Where none does, or with `--always`, it runs the fuzzer until
the first difference.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    "tests/golden", "tests/operators", "tests/spark/io/test_stage_sql.py", "tests/spark/test_random_scripts.py",
    "tests/spark/run/test_continuous.py", "tests/spark/time/test_watermark.py", "tests/spark/batch/test_families.py",
    "tests/spark/run/test_live.py",
)  # fmt: skip
COPIED = ("tailrace", "tests", "docs", "examples", "pyproject.toml", "README.md")

MISSED = "finds nothing"


@dataclass(frozen=True)
class Mutation:
    """A fault: in which file, what stands there, and what is put in its place."""

    what: str
    file: str
    old: str
    new: str


MUTATIONS = (
    Mutation("a predicate joined to its source's without parentheses", "spark/io/stage_sql.py",
             'of_feed.append(f"({spark_text(all_of(feed.predicates), named)})")',
             "of_feed.append(spark_text(all_of(feed.predicates), named))"),
    Mutation("rows of before a query's first instant", "spark/io/stage_sql.py",
             "if feed.since > past + 1 else []", "if feed.since > past + 99 else []"),
    Mutation("a shard by another hash where sources are read together", "spark/io/stage_sql.py",
             "shard_text(feed.key, named, place.shards)), *order])",
             "shard_text(feed.key and feed.key[:1], named, place.shards)), *order])"),
    Mutation("a row copied to all shards but the last", "spark/io/stage_sql.py",
             "sequence(0, {shards - 1})", "sequence(0, {max(shards - 2, 0)})"),
    Mutation("pre-aggregation over a window that slides keeps the first end only", "spark/io/stage_sql.py",
             "return [comes] if window.size is None else [comes,", "return [comes] if window.size else [comes,"),
    Mutation("a FILTER left out of pre-aggregation", "spark/io/stage_sql.py",
             "return text if each.condition is None else", "return text if True else"),
    Mutation("the sources of a layer read by the columns of the first", "spark/batch/stage_inputs.py",
             "named = {number: column_text(self.layout.slots(number)) for number in layer}",
             "named = {number: column_text(self.layout.slots(min(layer))) for number in layer}"),
    Mutation("a static table read in every batch", "spark/batch/stage_inputs.py",
             "feed.read_in_batch == self.state.next_batch", "feed.read_in_batch <= self.state.next_batch"),
    Mutation("a task sends rows of before a query's first instant", "exchange/prepare_input.py",
             "if feed.since > self.past + 1:", "if feed.since > self.past + 99:"),
    Mutation("a task copies a row to all shards but the last", "exchange/prepare_input.py",
             "(shard, batch) for shard in range(self.shards)",
             "(shard, batch) for shard in range(max(self.shards - 1, 1))"),
    Mutation("a task sums up what leaves a sliding window at different instants", "exchange/pre_aggregate_rows.py",
             "return [enters] if window.size is None else [enters, leaves]", "return [enters]"),
    Mutation("a task takes rows of the last instant that is decided", "spark/batch/source_task.py",
             'pc.greater(rows.start, self.late_until)',
             'pc.greater_equal(rows.start, self.late_until)'),
    Mutation("the newest event time of a batch is that of one task", "spark/time/decision.py",
             'return max(one, other) if name.startswith(("last", "promised"))',
             'return one if name.startswith(("last", "promised"))'),
    Mutation("rows of one portion are decided before those of the next are there", "spark/batch/stage_task.py",
             "min(waiting[-1].first - 1, decide_until)", "min(waiting[-1].last, decide_until)"),
    Mutation("predicates of a selection over a selection dropped", "operators/relational/select.py",
             "predicates=below.predicates + conjuncts(", "predicates=conjuncts("),
    Mutation("signed relations pre-aggregated", "operators/relational/pre_aggregation.py",
             "isinstance(below.origin, Relation) and below.origin.op", "False"),
    Mutation("DISTINCT aggregates pre-aggregated", "operators/relational/pre_aggregation.py",
             "if of.user or of.distinct or len(of.arguments) > 1:", "if of.user or len(of.arguments) > 1:"),
    Mutation("an input without order where a row window needs it", "staging/cut_stages.py",
             "ordered and chain.of_source,", "False,"),
    Mutation("inputs of different keys share a port", "staging/cut_stages.py",
             "= replace(known, columns=feed.columns,", "= replace(known, key=feed.key, columns=feed.columns,"),
    Mutation("what joins late sees earlier rows", "staging/cut_stages.py",
             "picked = stage.plan.add(Since(stage.plan.types(picked), chain.first), picked)", "pass"),
    Mutation("steps merged before their windows hold the same", "staging/merge_steps.py",
             "yield name, other, other_first, first + reached", "yield name, other, other_first, first"),
    Mutation("column names take part in the identity of state", "logical/expressions.py",
             'field(default="", compare=False, repr=False)', 'field(default="", repr=False)'),
    Mutation("a restart forgets the watermark", "spark/batch/run_state.py",
             'watermark=WatermarkState.from_json(record["watermark"], self.watermark.clock.tick),', ""),
    Mutation("a restart begins one instant early", "spark/batch/run_state.py",
             'decided_until=record["decided_until"]', 'decided_until=record["decided_until"] - 1'),
    Mutation("queries that were replaced keep the state of the old one", "staging/plan_version.py",
             "if self.query_ids.get(name) == profile.query_id:", "if name in self.query_ids:"),
    Mutation("members of a family numbered anew when one leaves", "staging/plan_version.py",
             "{name: self.last + 1 + place for place, name in enumerate(new)}",
             "{name: len(member_ids) + place for place, name in enumerate(new)}"),
    Mutation("DELAY one instant too short", "spark/time/watermark.py",
             "newest - 1 - source.delay", "newest - source.delay"),
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", type=int, nargs="*", help="which mutations, from 1; all without")
    parser.add_argument("--minutes", type=float, default=10.0, help="for which the fuzzer looks for each")
    parser.add_argument("--always", action="store_true", help="run the fuzzer also where a test has failed")
    given = parser.parse_args()
    survivors = 0
    for number in given.numbers or range(1, len(MUTATIONS) + 1):
        mutation = MUTATIONS[number - 1]
        tests, fuzz = try_mutation(mutation, given.minutes, given.always)
        survivors += not tests and fuzz == MISSED
        print(f"{number:2} {mutation.what}: tests {tests or 'notice nothing'}; fuzz {fuzz}", flush=True)
    print(f"{survivors} of {len(given.numbers or MUTATIONS)} survive")
    return 1 if survivors else 0


def try_mutation(mutation: Mutation, minutes: float, always: bool) -> tuple[str, str]:
    """What the tests and the fuzzer say of a fault; nothing where they do not notice it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in COPIED:
            source = ROOT / name
            shutil.copytree(source, folder / name) if source.is_dir() else shutil.copy(source, folder / name)
        file = folder / "tailrace" / mutation.file
        text = file.read_text()
        assert mutation.old in text, f"{mutation.file} has no {mutation.old}"
        file.write_text(text.replace(mutation.old, mutation.new))
        pytest = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *TESTS]
        fuzz = ["-m", "tests.fuzz", f"--minutes={minutes}", "--first", "--size=20"]
        noticed = run(pytest, folder)
        return noticed, (run(fuzz, folder) or MISSED) if always or not noticed else "not run"


def run(command: list[str], folder: Path) -> str:
    """After how many seconds a command failed, and what it named; nothing if it did not fail."""
    begun = time.monotonic()
    env = {**os.environ, "PYTHONPATH": str(folder)}  # for Spark's workers too
    done = subprocess.run([sys.executable, *command], cwd=folder, env=env, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "seed "))]
    return f"fail after {time.monotonic() - begun:.0f} s ({lines[0][:90] if lines else 'no line'})"


if __name__ == "__main__":
    sys.exit(main())
