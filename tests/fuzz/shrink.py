"""Shrink: the smallest script, and the least data, for which something is still wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tailrace.testing.random_scripts.scripts import Draft, RandomScript
from tailrace.testing.random_scripts.sources import RandomSource
from tests.fuzz.run_road import is_read

Fails = Callable[[RandomScript], bool]
SECONDS = 120.0


class Shrinker:
    """Tries smaller scripts one after the other, and keeps each for which `fails` still holds, for a while."""

    def __init__(self, script: RandomScript, fails: Fails, seconds: float = SECONDS) -> None:
        self.script, self.fails = script, fails
        self.end = time.monotonic() + seconds

    def run(self) -> RandomScript:
        for step in (self.fewer_queries, self.fewer_sources, self.fewer_rows, self.simpler_queries, self.fewer_rows):
            for smaller in step():
                if time.monotonic() > self.end:
                    return self.script
                if self.fails(smaller):
                    self.script = smaller
        return self.script

    def fewer_queries(self) -> Iterator[RandomScript]:
        size = len(self.script.queries) // 2
        while size:
            first = 0
            while first < len(self.script.queries):
                names, before = list(self.script.queries), self.script
                left = names[:first] + names[first + size :]
                if left:
                    yield self.script.with_queries(left)
                first += size if self.script is before else 0
            size //= 2

    def fewer_sources(self) -> Iterator[RandomScript]:
        """Without views and sources that nothing reads."""
        script = self.script
        for name in reversed(list(script.views)):
            others = {each: text for each, text in script.views.items() if each != name}
            if not is_read(name, [*others.values(), *script.queries.values()]):
                script = replace(script, views=others)
        texts = [*script.views.values(), *script.queries.values()]
        yield replace(script, sources=tuple(each for each in script.sources if is_read(each.name, texts)))

    def fewer_rows(self) -> Iterator[RandomScript]:
        for name in [source.name for source in self.script.sources]:
            size = 8
            while size:
                first = 0
                while first < len(source_of(self.script, name).rows):
                    source = source_of(self.script, name)
                    fewer = replace(source, rows=source.rows[:first] + source.rows[first + size :])
                    before = self.script
                    if reaches_all_phases(fewer, self.script.phases):
                        yield with_source(self.script, fewer)
                    first += size if self.script is before else 0
                size //= 2

    def simpler_queries(self) -> Iterator[RandomScript]:
        """Each query drawn again with fewer and smaller choices."""
        draft = Draft(self.script.seed)
        draft.script()
        for name in list(self.script.queries):
            taken = list(self.script.drawn.get(name, ()))
            size = max(len(taken) // 2, 1)
            while size and taken:
                first = 0
                while first < len(taken):
                    for smaller in (taken[:first] + taken[first + size :], set_to_zero(taken, first, size)):
                        author, choices = draft.author(tuple(smaller))
                        text = author.query()
                        if smaller == taken or text == self.script.queries.get(name):
                            continue
                        before = self.script
                        yield replace(self.script, queries={**self.script.queries, name: text})
                        if self.script is not before:
                            taken = choices.taken
                            break
                    first += size
                size //= 2


def set_to_zero(taken: list[int], first: int, size: int) -> list[int]:
    return taken[:first] + [0] * len(taken[first : first + size]) + taken[first + size :]


def reaches_all_phases(source: RandomSource, phases: tuple[int, ...]) -> bool:
    """Whether a source still has a row at the end of each phase, up to which a run decides."""
    instants = {row[0] for row in source.rows}
    return source.is_static or instants.issuperset(phases)


def source_of(script: RandomScript, name: str) -> RandomSource:
    return next(source for source in script.sources if source.name == name)


def with_source(script: RandomScript, source: RandomSource) -> RandomScript:
    return replace(script, sources=tuple(source if each.name == source.name else each for each in script.sources))
