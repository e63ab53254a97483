"""Circles: views that read each other."""

from __future__ import annotations

from sqlglot import exp

from tailrace.language import nodes as ast


def circle_through(name: str, creates: dict[str, ast.Statement]) -> list[str] | None:
    """The views from `name` back to `name` through what they read, or None."""
    paths = [[name]]
    seen = {name}
    while paths:
        path = paths.pop()
        for read in sorted(names_read(creates.get(path[-1]))):
            if read == name:
                return [creates[step].this.name for step in path]
            if read in creates and read not in seen:
                seen.add(read)
                paths.append([*path, read])
    return None


def names_read(statement: ast.Statement | None) -> set[str]:
    if not isinstance(statement, ast.CreateView):
        return set()
    items = statement.args["query"].find_all(ast.Item)
    return {item.this.name.lower() for item in items if isinstance(item.this, exp.Identifier)}
