"""Names: why a name in FROM stands for nothing: it is mistyped, created only later, or part of a circle."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from tailrace.analysis.checks import AlreadyReported, circle_through
from tailrace.catalog.catalog import Catalog
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.errors import AnalysisError, CatalogError, Source, TailraceError, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of

CREATES = (ast.CreateSource, ast.CreateView, ast.CreateQuery, ast.CreateTable)


def unknown_name(
    name: exp.Identifier, catalog: Catalog, source: Source, statements: Iterable[object], circled: set[str]
) -> TailraceError:
    """The error for a name that is not in the catalog. `circled` are names of circles that were reported already."""
    place = place_of(name)
    if table := catalog.tables.get(name.name.lower()):
        return only_a_sink(table.name, name)
    later = {s.this.name.lower(): s for s in statements if isinstance(s, CREATES)}
    circle = circle_through(name.name.lower(), later)
    start = place.start if place else 0
    definition = later.get(name.name.lower())
    if name.name.lower() in circled:
        return AlreadyReported("the circle it is in was told")
    if definition is not None and circle:
        circled |= {step.lower() for step in circle}
        path = " reads ".join([*circle, circle[0]])
        return CatalogError(f"views read each other in a circle: {path}", place)
    if definition is not None and (at := place_of(definition)) and at.start > start:
        line, _ = source.position(at.start)
        return CatalogError(f"{name.name} is created only in line {line}", place, "create it before it is read")
    known = [*(each.name for each in catalog.entries.values()), *SYSTEM_STREAMS]
    return CatalogError(f"no stream, relation or view {name.name}", place, did_you_mean(name.name, known))


def only_a_sink(name: str, read: exp.Identifier) -> TailraceError:
    return AnalysisError(
        f"the table {name} only takes rows: it has no source",
        place_of(read),
        f"INSERT INTO {name} SELECT … makes a query {name}, and that can be read",
    )
