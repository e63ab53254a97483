"""Identity: a fingerprint for each step of a plan, a short text that stands for what the step computes.

Fingerprints stay the same from run to run. Steps of equal fingerprints give equal rows and have equal state, whatever
other queries are in the plan. State is saved under the fingerprint, so that the next plan or run finds it.
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

# Addresses in memory change from run to run: functions and classes from Python are identified by their names.
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def fingerprints(plan: PhysicalPlan, with_begins: bool = True) -> list[str]:
    """The fingerprint of each step of a plan.

    With `with_begins=False` a fingerprint does not depend on the instant at which the query began.
    """
    found: list[str] = []
    seen: list[str] = []  # the fingerprint that steps above use: an Expire gives the same rows as the step below it
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
    """A name for a stem's state: the same for the same stream and key, whichever queries read the stem."""
    assert isinstance(stem.child, Scan)
    text = f"{source_text(stem.child.source)} {label(stem)}"
    return f"stem-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def source_text(source: Stream | Relation) -> str:
    """The declaration of a source as a text, without the folder of its script."""
    known = {field.name: getattr(source, field.name) for field in fields(source)}
    if source.event_time is None:
        # A source without an event time leaves it out, so that checkpoints of versions without event times still fit.
        del known["event_time"]
    return ", ".join(f"{name} {value}" for name, value in known.items() if name != "folder")
