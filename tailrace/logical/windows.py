"""Windows: which tuples of a stream a window holds, in ticks or tuples."""

from __future__ import annotations

from dataclasses import dataclass

from tailrace.stable_encoding import stable


@stable("window/time")
@dataclass(frozen=True)
class TimeWindow:
    """A window that at τ holds the elements of τ-size … τ; [NOW] has size 0, [RANGE UNBOUNDED] has no size."""

    size: int | None
    slide: int = 1

    @property
    def is_now(self) -> bool:
        return self.size == 0 and self.slide == 1

    @property
    def is_unbounded(self) -> bool:
        return self.size is None and self.slide == 1

    def __str__(self) -> str:
        if self.is_now:
            return "[NOW]"
        size = "UNBOUNDED" if self.size is None else str(self.size)
        return f"[RANGE {size}{f' SLIDE {self.slide}' if self.slide > 1 else ''}]"


@stable("window/rows")
@dataclass(frozen=True)
class RowWindow:
    """The last `size` tuples; with partition columns (by position), the last `size` of each partition."""

    size: int
    slide: int = 1
    partition: tuple[int, ...] = ()

    def __str__(self) -> str:
        columns = ", ".join(f"#{index}" for index in self.partition)
        slide = f" SLIDE {self.slide}" if self.slide > 1 else ""
        return f"[{f'PARTITION BY {columns} ' if columns else ''}ROWS {self.size}{slide}]"


@stable("window/reservoir")
@dataclass(frozen=True)
class Reservoir:
    """A random sample of `size` tuples of all that have arrived: those with the lowest sample hashes for the seed."""

    size: int
    seed: int

    def __str__(self) -> str:
        return f"[SAMPLE {self.size} ROWS SEED {self.seed}]"


Sliding = TimeWindow | RowWindow
Window = Sliding | Reservoir


@stable("window/every")
@dataclass(frozen=True)
class Every:
    """A number of tuples or ticks: the frequency of a sequence query, or the range of its window."""

    count: int
    unit: str  # "tuples" or "ticks"

    @property
    def in_tuples(self) -> bool:
        return self.unit == "tuples"

    def __str__(self) -> str:
        return f"{self.count} {self.unit.upper()}"


ONE_TUPLE = Every(1, "tuples")
