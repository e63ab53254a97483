"""Rename members: methods and fields, wherever mypy knows whose they are, and where their name leaves no doubt."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from members import Found, Members
from rewrite_imports import Offsets
from scopes import find


def rename_members(renaming: Any) -> None:
    members = Members(renaming.root, ["tailrace", "tests"])
    families = members.families()
    heads: dict[str, str] = {}
    for old, new in renaming.members.items():
        head = families.get(old, old)
        if heads.setdefault(head, new) != new:
            renaming.unsure.append(f"{old}: its family has two new names, {new} and {heads[head]}")
    new_of = {member: heads[head] for member, head in families.items() if head in heads}
    renaming.unique, renaming.new_of, renaming.families = unique_names(families, new_of), new_of, families
    for file in renaming.files:
        rename_definitions(renaming, file, new_of)
        rename_uses(renaming, file, members.of(file), new_of)


def unique_names(families: dict[str, str], new_of: dict[str, str]) -> dict[str, str]:
    """Old names that mean the same in every class that has such a member, and are no member of what others made."""
    found: dict[str, set[str | None]] = {}
    for member in families:
        found.setdefault(member.rsplit(".", 1)[1], set()).add(new_of.get(member))
    taken = library_names()
    return {
        name: next(iter(new)) or ""
        for name, new in found.items()
        if len(new) == 1 and None not in new and name not in taken
    }


def library_names() -> set[str]:
    """Members of the values without types that the project works with."""
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    kinds = (pa.Table, pa.ChunkedArray, pa.RecordBatch, pa.ListArray, np.ndarray, pd.DataFrame, DataFrame, SparkSession)
    return {name for kind in (*kinds, str, list, dict, set, bytes, Path, re.Match) for name in dir(kind)}


def rename_definitions(renaming: Any, file: Path, new_of: dict[str, str]) -> None:
    """Methods and fields where a class has them."""
    module, offsets = renaming.module(file), Offsets(renaming.texts[file])
    names = {
        member.removeprefix(f"{module}."): new for member, new in new_of.items() if member.startswith(f"{module}.")
    }
    for member, new in names.items():
        path = member.split(".")
        try:
            owner = find(renaming.trees[file], path[:-1])
        except StopIteration:
            continue
        for node in owner.body:  # type: ignore[attr-defined]
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == path[-1]:
                renaming.rename_definition(file, node, new)
            for target in targets:
                if isinstance(target, ast.Name) and target.id == path[-1]:
                    renaming.rename_node(file, target, target.id, new, offsets)


def rename_uses(renaming: Any, file: Path, found: Found, new_of: dict[str, str]) -> None:
    """Attributes, keywords of calls that make a class, and keywords of patterns."""
    offsets = Offsets(renaming.texts[file])
    for node in ast.walk(renaming.trees[file]):
        if not hasattr(node, "col_offset"):
            continue
        place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        if isinstance(node, ast.Attribute):
            owners = found.attributes.get((place, node.attr), set())
            new = one_of(renaming, file, node, {new_of.get(each) for each in owners}, node.attr)
            if not owners and node.attr in renaming.unique and (place, node.attr) not in found.of_modules:
                new = renaming.unique[node.attr]
                renaming.unsure.append(f"{file}:{node.lineno} {node.attr}: renamed without a type")
            if new:
                renaming.rename_node(file, node, node.attr, new, offsets)
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                owners = found.keywords.get((place, keyword.arg or ""), set())
                new = one_of(renaming, file, node, {new_of.get(each) for each in owners}, keyword.arg or "")
                if new and keyword.arg:
                    renaming.add(file, offsets.at(keyword.lineno, keyword.col_offset), keyword.arg, new)
        elif isinstance(node, ast.MatchClass):
            for name in node.kwd_attrs:
                new = one_of(
                    renaming, file, node, {new_of.get(e) for e in found.patterns.get((place, name), set())}, name
                )
                start, end = offsets.span(node)
                match = re.search(rf"\b{name}(?=\s*=)", renaming.texts[file][start:end])
                if new and match:
                    renaming.add(file, start + match.start(), name, new)


def one_of(renaming: Any, file: Path, node: Any, news: set[str | None], name: str) -> str | None:
    """The one new name; where only some of the classes that it can be have one, that is a fault to look at."""
    if len(news) > 1:
        renaming.unsure.append(f"{file}:{node.lineno} {name}: of several classes, of which not all are renamed alike")
    return next(iter(news)) if len(news) == 1 else None
