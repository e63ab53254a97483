"""Stem join: combinations of a tuple of each stem that agree on the key, each once for each member that wants it.

Law: a member has a combination for as long as all of its tuples are in that member's windows, if the member wants each
tuple and the combination. Tuples have one total order: by batch and, within a batch, by stem. Each combination is found
by the last of its tuples, which probes the other stems one after the other (CACQ §3.3.1): so it is found once, and no
intermediate result is remembered. Lineage tells which members want a combination; rows are copied for them in the end.

When a tuple comes, it is not known when it will leave a row window. So its combinations are retracted when it leaves,
and found again for that (stem_retractions.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tailrace.columnar.delta import Delta, Span, concat
from tailrace.operators.families.member_sets import StemJoinMembers
from tailrace.operators.families.stem import StemBatch
from tailrace.operators.families.stem_probe import StemProbe
from tailrace.operators.families.stem_retractions import StemRetraction
from tailrace.operators.names import Names
from tailrace.operators.operator import KeyLink, Operator, TaskContext


@dataclass(frozen=True)
class StemJoin(Operator):
    """Inputs are stems. The first output column is the member's number."""

    kind: ClassVar[str] = "stem-join"
    family: str
    keys: tuple[tuple[int, ...], ...]  # the columns of the key in each stem
    moments: tuple[int | None, ...]  # of each stem with row windows, the column of instants
    columns: tuple[tuple[int, int], ...]  # of each further output column its stem and number there
    places: tuple[tuple[int, int], ...]  # the same for columns that conditions may read
    flow: StemJoinMembers = field(compare=False, repr=False)
    records_statistics: ClassVar[bool] = True
    needs_whole_key: ClassVar[bool] = True
    runs_beside_inputs: ClassVar[bool] = True

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        found = []
        for several in zip(*self.keys, strict=True):
            outputs = [at for at, place in enumerate(self.columns, 1) if place in enumerate(several)]
            found.append(KeyLink(several, tuple(outputs)))
        return tuple(found)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return any(each is not None for each in self.moments)

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [[], *([place] for place in self.columns)]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        return {0: "member"}

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        several = [[names[key] for key in keys] for names, keys in zip(inputs, self.keys, strict=True)]
        keys = " AND ".join(" = ".join(each) for each in zip(*several, strict=True))
        return f"of {len(self.flow.begins)} queries on {keys}"

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        held = [each for each in inputs if isinstance(each, StemBatch)]
        kinds = [StemProbe] if any(len(each.new) for each in held) else []
        kinds += [StemRetraction] if any(each.clock and len(each.clock.instants) for each in held) else []
        found: list[Delta] = []
        for kind in kinds:
            probe = kind(self, held, span, context.statistics_of(self.family))
            found += probe.new_rows()
            context.record(self.family, probe.stem_stats.new_counts())
            context.record(self.family, probe.eddy.statistics())
        return concat(found, self.types), state
