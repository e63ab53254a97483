"""Fingerprints: what a step computes, as a short text that stays the same from run to run.

Steps of equal fingerprints give equal rows and remember the same, whatever other queries are in the plan: state is
kept under them.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import fields

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.explain import label
from tailrace.logical.family_nodes import Stem
from tailrace.logical.nodes import Scan
from tailrace.operators.plan import Input, PhysicalPlan, Step
from tailrace.operators.windows.expire import Expire
from tailrace.operators.windows.since import Since

# Functions and classes from Python are known by their names.
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def fingerprints(plan: PhysicalPlan, with_begins: bool = True) -> list[str]:
    """For each step of a plan its fingerprint; without begins, whenever its query began."""
    found: list[str] = []
    seen: list[str] = []  # what those above know a step by: its rows are the same with a W-expire and without
    for step in plan.steps:
        below = [seen[number] for number in step.inputs]
        if isinstance(step.work, Since) and not (with_begins and step.work.first):
            found.append(below[0])
        else:
            text = " ".join([work_text(step), *below])
            found.append(hashlib.blake2b(ADDRESS.sub("", text).encode(), digest_size=10).hexdigest())
        seen.append(below[0] if isinstance(step.work, Expire) else found[-1])
    return found


def work_text(step: Step) -> str:
    work = step.work
    if isinstance(work, Input):
        return f"{source_text(work.source)} columns {work.columns} in batch {work.read_in_batch}"
    return repr(work)


def stem_name(stem: Stem) -> str:
    """The same for the same stream and key, whoever reads it."""
    assert isinstance(stem.child, Scan)
    text = f"{source_text(stem.child.source)} {label(stem)}"
    return f"stem-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def source_text(source: Stream | Relation) -> str:
    """What a source is, but for the folder its script is in."""
    known = {field.name: getattr(source, field.name) for field in fields(source)}
    if source.event_time is None:
        # Without one, the text is that of checkpoints from before there were any.
        del known["event_time"]
    return ", ".join(f"{name} {value}" for name, value in known.items() if name != "folder")
