"""Internals: what the server and the shell need of an engine, and a user of the Python interface does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tailrace.engine.engine import Engine
from tailrace.engine.explain import stages
from tailrace.engine.monitors import Monitors
from tailrace.engine.pipeline import PlanningSession
from tailrace.engine.query import Query
from tailrace.logical.queries import QueryDefinition

if TYPE_CHECKING:
    from tailrace.operators.families.routing.statistics import StatsByFamily
    from tailrace.staging.stages import StagedPlan


def script_of(engine: Engine) -> PlanningSession:
    """The compiled script of all statements that the engine has executed."""
    return engine._session


def trigger_of(engine: Engine) -> str:
    """The shortest time between two batches."""
    return engine._how.trigger


def on_each_query(engine: Engine, callback: Callable[[Query], None]) -> None:
    """Have `callback` called with each new query before it runs, in place of an earlier callback."""
    engine._on_query = callback


def attach_monitors(engine: Engine, monitors: Monitors) -> None:
    """Have these queries over system streams answered beside every run of the engine."""
    engine._monitors = monitors


def restart(engine: Engine) -> None:
    """Start with the same trigger and checkpoint as the last time."""
    engine._restart()


def refuse_taken_over(engine: Engine) -> None:
    """Raise a RunError if another run has taken the checkpoint of the engine's run over."""
    if engine._live is not None:
        engine._live.standing.checkpoint.lock.check()


def fork_without_queries(engine: Engine) -> Engine:
    """An engine with the same sources, views, functions and settings, and without queries; it does not run."""
    other = Engine(engine._spark, engine._folder, engine._keep)
    program = engine._session.program
    catalog = replace(program.catalog.copy(), queries={})  # the entries stay: other queries may read them
    other._session = PlanningSession(replace(program, catalog=catalog))
    other._frames = dict(engine._frames)
    return other


def staged_plan(engine: Engine) -> tuple[StagedPlan, list[QueryDefinition]]:
    """The stages in which the queries run, or would run, and the queries."""
    running = None if engine._live is None else engine._live.standing.stages()
    if running is not None:
        return running
    return stages(engine._session), list(engine._session.program.queries.values())


def filter_statistics(engine: Engine) -> StatsByFamily:
    """The statistics that the run has collected of grouped filters, by family."""
    return {} if engine._live is None else engine._live.standing.state.statistics
