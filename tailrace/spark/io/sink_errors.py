"""Sink errors: what Spark or a sink raises for a query, as an error that names it, and whose of many queries fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from tailrace.errors import QueryError, RunError, TailraceError
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.session.errors import (
    SPARK_SAYS,
    TRACE_HINT,
    error_line,
    is_cancelled,
    is_disk_error,
    is_state_error,
)

FAILURES = (RunError, PySparkException, Py4JError, OSError)  # what a sink may raise
T = TypeVar("T")


@contextmanager
def failure_of(query: QueryDefinition) -> Iterator[None]:
    """Turn an exception of a query's sink inside the block into a QueryError, unless the sink is not to blame."""
    try:
        yield
    except QueryError:
        raise
    except FAILURES as problem:
        raise_if_not_of_sink(problem)
        raise sink_error(query, problem) from problem


def raise_if_cancelled(problem: Exception) -> None:
    """Raise the exception of a job that was cancelled: whatever it computes must not be computed again.

    Also that for which the sink is not to blame.
    """
    if is_cancelled(problem):
        raise problem
    raise_if_not_of_sink(problem)


def raise_if_not_of_sink(problem: Exception) -> None:
    """Raise an exception for which no sink is to blame: a disk failed, or the state of operators could not be used."""
    if is_disk_error(problem) or is_state_error(problem):
        raise problem


def sink_error(query: QueryDefinition, problem: Exception) -> QueryError:
    """What to say of a sink that failed."""
    return query_error(query.name, problem, " (in its sink)")


def query_error(name: str, problem: Exception, where: str = "") -> QueryError:
    """What to say of a query for which something failed, if nobody knows in which operator."""
    said, hint = error_line(str(problem)).removeprefix(SPARK_SAYS), TRACE_HINT
    if isinstance(problem, TailraceError):
        said, hint = problem.message, problem.hint or hint
    error = QueryError(f"query {name}: {said}{where}", [name], hint)
    error.__cause__ = problem
    return error


def find_failing(names: Sequence[T], fails: Callable[[Sequence[T]], Exception | None]) -> dict[T, Exception]:
    """The names that fail by themselves, each with its exception, found by halving those that fail together.

    >>> def fails(names): return ValueError("no") if {"c", "e"} & set(names) else None
    >>> sorted(find_failing("abcdefgh", fails))
    ['c', 'e']
    """
    problem = fails(names) if names else None
    if problem is None:
        return {}
    if len(names) == 1:
        return {names[0]: problem}
    middle = len(names) // 2
    return {**find_failing(names[:middle], fails), **find_failing(names[middle:], fails)}
