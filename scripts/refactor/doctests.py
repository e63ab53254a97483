"""Doctests: the examples in docstrings, in which names are renamed by their text: they have no scopes and no types."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rewrite_imports import Edit, Offsets
from scopes import Scopes


def examples(text: str, tree: ast.Module) -> Iterator[tuple[int, int, bool]]:
    """From where to where there is a line of an example; whether it is code, else it is what the code prints."""
    offsets = Offsets(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            start, end = offsets.span(node)
            place, inside = start, False
            for line in text[start:end].splitlines(keepends=True):
                bare = line.strip()
                is_code = bare.startswith((">>>", "...")) and (inside or bare.startswith(">>>"))
                inside = is_code or (inside and bool(bare))
                if inside:
                    yield place, place + len(line), is_code
                place += len(line)


def doctest_edits(renaming: Any, file: Path) -> Iterator[Edit]:
    """Names of the module, and classes wherever they are printed; members whose old name only renamed classes have."""
    text, tree = renaming.texts[file], renaming.trees[file]
    if ">>>" not in text:
        return
    scopes = Scopes(renaming.module(file), tree, renaming.exports)
    own = {name: renaming.tops.get(scopes.real(meaning)) for name, meaning in scopes.top.items()}
    own |= imported_in_examples(text, renaming, scopes)
    classes = {old.rsplit(".", 1)[1]: new for old, new in renaming.tops.items() if new[:1].isupper()}
    unique = {**getattr(renaming, "unique", {}), **members_at_hand(renaming, scopes)}
    for start, end, is_code in examples(text, tree):
        for match in re.finditer(r"(?<![\w.\"'])([A-Za-z_]\w*)|\.([A-Za-z_]\w*)", text[start:end]):
            name, member = match.group(1), match.group(2)
            new = None
            if name:
                new = own.get(name)
                after = text[start + match.end() : start + match.end() + 1]
                if new is None and after == "(" and name not in own and not is_code:
                    new = classes.get(name)
                if after == "=" and text[start + match.end() + 1 : start + match.end() + 2] != "=":
                    new = unique.get(name)
            elif member:
                before = re.search(r"\w*$", text[start : start + match.start()])
                owner = scopes.top.get(before.group() if before else "", "")
                new = renaming.tops.get(scopes.real(f"{owner}.{member}")) or unique.get(member)
            if new:
                old = name or member
                yield Edit(start + match.end() - len(old), start + match.end(), new)


def members_at_hand(renaming: Any, scopes: Scopes) -> dict[str, str]:
    """Members of the classes that a module defines or imports, where all that have one of that name agree."""
    owners = {scopes.real(meaning) for meaning in scopes.top.values()}
    found: dict[str, set[str]] = {}
    for member in getattr(renaming, "families", {}):
        owner, name = member.rsplit(".", 1)
        if owner in owners:
            found.setdefault(name, set()).add(renaming.new_of.get(member, name))
    return {name: next(iter(news)) for name, news in found.items() if len(news) == 1 and news != {name}}


def imported_in_examples(text: str, renaming: Any, scopes: Scopes) -> dict[str, str | None]:
    """Names that examples import themselves."""
    found = {}
    for module, names in re.findall(r">>> from (tailrace[\w.]*) import ([\w, ]+)", text):
        for name in names.split(","):
            found[name.strip()] = renaming.tops.get(scopes.real(f"{module}.{name.strip()}"))
    return found
