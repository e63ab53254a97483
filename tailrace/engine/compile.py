"""Compile: a script to the final plans of its standing queries, remembering how each came about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tailrace.analysis.program import Derived, Program, analyse, go_on
from tailrace.catalog.user_functions import NO_FUNCTIONS, UserFunctions
from tailrace.engine.deep import deep
from tailrace.errors import Source
from tailrace.language.script import Known, Script
from tailrace.logical.plan import Plan
from tailrace.rewrite.rules import Rewritten, rewrite
from tailrace.rewrite.share_subplans import share
from tailrace.settings import DEFAULTS, Settings


@dataclass(frozen=True)
class Compiled:
    """A program and what the rewrites made of its plans."""

    program: Program
    known: dict[int, tuple[Derived, Settings, Rewritten]] = field(default_factory=dict, compare=False)

    @cached_property
    def rewritten(self) -> dict[str, Rewritten]:
        """Each standing query's plan after the rewrites, by name."""
        return deep(lambda: {name: self.rewrite(query) for name, query in self.program.queries.items()})

    def rewrite(self, derived: Derived) -> Rewritten:
        """A plan after the rewrites; what was rewritten before, for a program that this one goes on from, is known."""
        whose, settings, rewritten = self.known.get(id(derived), (None, None, None))
        if whose is not derived or settings != self.program.settings or rewritten is None:
            rewritten = deep(lambda: rewrite(derived.plan, self.program.settings))
            self.known[id(derived)] = derived, self.program.settings, rewritten
        return rewritten

    def final(self, query: Derived) -> Plan:
        return self.rewrite(query).plan

    @cached_property
    def shared(self) -> dict[str, Plan]:
        """The final plans of all standing queries, with what they have in common marked as shared."""
        plans = {name: rewritten.plan for name, rewritten in self.rewritten.items()}
        return deep(lambda: share(plans))


def compile_script(
    source: Source,
    folder: str | Path | None = None,
    functions: UserFunctions = NO_FUNCTIONS,
    settings: Settings = DEFAULTS,
) -> Compiled:
    """Parse, analyse and rewrite a script that may call these functions; a ScriptError lists all that is wrong."""
    return Compiled(deep(lambda: analyse(source, folder, functions, settings)))


def compile_more(
    before: Compiled, read: Callable[[Source, Known], Script], source: Source, folder: str | Path | None = None
) -> Compiled:
    """A program and the statements that `read` finds in one more text; where those are wrong, a ScriptError."""
    catalog, settings = before.program.catalog, before.program.settings
    program = deep(lambda: go_on(read(source, catalog.shapes), folder, catalog, settings))
    known = before.known
    if len(known) > 2 * len(program.catalog.entries):
        there = {id(entry) for entry in program.catalog.entries.values()}
        known = {key: found for key, found in list(known.items()) if key in there}
    return Compiled(program, known)


def find(compiled: Compiled, name: str) -> Derived | None:
    """The view or query of this name."""
    entry = compiled.program.catalog.find(name)
    return entry if isinstance(entry, Derived) else None
