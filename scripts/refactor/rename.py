"""Rename: apply names.toml: names at the top of modules by scopes, members by the types that mypy finds.

Usage: rename.py [--root FOLDER] [--only classes|functions|members] [--dry]. It runs before or after `move.py`. What it
cannot decide it prints: an attribute of a value without type, a new name that is taken where the old one is used.
Afterwards run `ruff check --fix --select I .`, `ruff format .`, `mypy` and `same_ast.py --names`.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path

from doctests import doctest_edits
from names import Names
from rewrite_imports import DOTTED, Edit, Offsets, apply
from rooms import HERE, ROOT, Rooms, dotted
from scopes import Scopes, bound_in, find

FOLDERS = ["tailrace", "tests", "scripts/bench_baseline.py"]


class Renaming:
    """All files of a repository, and what is to be renamed in them."""

    def __init__(self, root: Path, only: str | None) -> None:
        self.root = root
        paths = [root / each for each in FOLDERS]
        self.files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]
        self.texts = {file: file.read_text(encoding="utf-8") for file in self.files}
        self.trees = {file: ast.parse(text) for file, text in self.texts.items()}
        moves = Rooms().moves
        is_moved = not (root / "tailrace/physical").exists()
        names = Names(HERE / "names.toml", moves if is_moved else {}).full_names()
        self.tops, self.members, self.inner = self.sort_out(names, only)
        self.exports = self.find_exports()
        self.unsure: list[str] = []
        self.edits: dict[Path, dict[tuple[int, int], Edit]] = {file: {} for file in self.files}

    def module(self, file: Path) -> str:
        return dotted(str(file.relative_to(self.root).with_suffix(""))).removesuffix(".__init__")

    def sort_out(self, names: dict[str, str], only: str | None) -> tuple[dict[str, str], ...]:
        """Names at the top, members of classes, and functions inside functions."""
        modules = {self.module(file): self.trees[file] for file in self.files}
        tops, members, inner = {}, {}, {}
        for old, new in names.items():
            module = next(name for name in (old.rsplit(".", n)[0] for n in (1, 2, 3, 4)) if name in modules)
            path = old.removeprefix(f"{module}.").split(".")
            if len(path) == 1:
                kind = "classes" if new[:1].isupper() or new[1:2].isupper() else "functions"
                if only in (None, kind):
                    tops[old] = new
            elif only in (None, "members"):
                owner = find(modules[module], path[:-1])
                (members if isinstance(owner, ast.ClassDef) else inner)[old] = new
        return tops, members, inner

    def find_exports(self) -> dict[str, str]:
        """What each module imports, as names of its own: `tailrace.rewrite.rewrite` is that of `rules`."""
        found = {}
        for file, tree in self.trees.items():
            module = self.module(file)
            for name, meaning in bound_in(tree).items():
                if meaning.startswith(("tailrace.", "tests.")) and meaning != f"{module}.{name}":
                    found[f"{module}.{name}"] = meaning
        return found

    def add(self, file: Path, start: int, old: str, new: str) -> bool:
        """Note an edit, if the old name really is there."""
        if self.texts[file][start : start + len(old)] != old:
            return False
        self.edits[file][start, start + len(old)] = Edit(start, start + len(old), new)
        return True

    def rename_tops(self, file: Path) -> None:
        """Definitions, imports and uses of names at the top of modules."""
        text, tree, offsets = self.texts[file], self.trees[file], Offsets(self.texts[file])
        scopes = Scopes(self.module(file), tree, self.exports)
        self.find_clashes(file, scopes)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    new = self.tops.get(scopes.real(f"{node.module}.{alias.name}"))
                    if new and alias.name != new:
                        self.add(file, offsets.at(alias.lineno, alias.col_offset), alias.name, new)
        for node in tree.body:
            new = self.tops.get(f"{self.module(file)}.{getattr(node, 'name', '')}")
            if new and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.rename_definition(file, node, new)
        for use in scopes.uses():
            new = self.tops.get(use.meaning)
            old = use.node.id if isinstance(use.node, ast.Name) else use.node.attr
            if not new or use.meaning.rsplit(".", 1)[1] != old:
                continue
            if isinstance(use.node, ast.Name) and (
                new in use.around or scopes.top.get(new, use.meaning) != use.meaning
            ):
                self.unsure.append(f"{file}:{use.node.lineno} {old}: {new} is taken there")
            self.rename_node(file, use.node, old, new, offsets)
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                for each in ast.walk(node.value):
                    name = each.value if isinstance(each, ast.Constant) else ""
                    if new := self.tops.get(scopes.real(scopes.top.get(name, ""))):
                        self.add(file, offsets.span(each)[0] + 1, name, new)
        for match in DOTTED.finditer(text):
            if (new := self.tops.get(match.group())) and text[match.start() - 1] in "\"'":
                self.add(file, match.end() - len(match.group().rsplit(".", 1)[1]), match.group().rsplit(".", 1)[1], new)

    def find_clashes(self, file: Path, scopes: Scopes) -> None:
        """Names at the top of a module that would become one."""
        taken: dict[str, str] = {}
        for name, meaning in scopes.top.items():
            real = scopes.real(meaning)
            new = self.tops.get(real, name) if real.rsplit(".", 1)[1:] == [name] else name
            if taken.setdefault(new, real) != real:
                self.unsure.append(f"{file}: {taken[new]} and {real} would both be {new}")

    def rename_definition(self, file: Path, node: ast.AST, new: str) -> None:
        offsets, old = Offsets(self.texts[file]), node.name  # type: ignore[attr-defined]
        start = offsets.at(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        match = re.compile(rf"(?:async\s+)?(?:def|class)\s+(?={old}\b)").match(self.texts[file], start)
        if not match or not self.add(file, match.end(), old, new):
            self.unsure.append(f"{file}:{node.lineno} {old}: its definition is not found")  # type: ignore[attr-defined]

    def rename_node(self, file: Path, node: ast.Name | ast.Attribute, old: str, new: str, offsets: Offsets) -> None:
        """A name, or the end of an attribute. In f-strings Python 3.11 tells wrong places: there the text decides."""
        try:
            _, end = offsets.span(node)
            if self.add(file, end - len(old), old, new):
                return
        except (IndexError, UnicodeDecodeError):
            pass
        sign = r"\." if isinstance(node, ast.Attribute) else r"(?<![\w.\"'])"
        for whole in ast.walk(self.trees[file]):
            if isinstance(whole, ast.JoinedStr) and node in ast.walk(whole):
                start, end = offsets.span(whole)
                for match in re.finditer(rf"{sign}{old}\b", self.texts[file][start:end]):
                    self.add(file, start + match.end() - len(old), old, new)
                return
        self.unsure.append(f"{file}:{node.lineno} {old}: not found in the text")

    def rename_inner(self) -> None:
        """Functions inside functions: everywhere in the function around them."""
        for old, new in self.inner.items():
            file = max(
                (f for f in self.files if old.startswith(f"{self.module(f)}.")), key=lambda f: len(self.module(f))
            )
            path = old.removeprefix(f"{self.module(file)}.").split(".")
            around = find(self.trees[file], path[:-1])
            for node in ast.walk(around):
                if (
                    isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                    and node.name == path[-1]
                    and node is not around
                ):
                    self.rename_definition(file, node, new)
                elif isinstance(node, ast.Name) and node.id == path[-1]:
                    self.rename_node(file, node, node.id, new, Offsets(self.texts[file]))

    def run(self, dry: bool) -> None:
        for file in self.files:
            self.rename_tops(file)
        self.rename_inner()
        if self.members:
            from rename_members import rename_members  # mypy is only needed here

            rename_members(self)
        for file in self.files:
            for edit in doctest_edits(self, file):
                self.edits[file][edit.start, edit.end] = edit
        for file, edits in self.edits.items():
            if edits and not dry:
                file.write_text(apply(self.texts[file], edits.values()), encoding="utf-8")
        print("\n".join(self.unsure))
        print(f"{sum(map(len, self.edits.values()))} places in {sum(map(bool, self.edits.values()))} files,", end=" ")
        print(f"{len(self.unsure)} to look at")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--only", choices=["classes", "functions", "members"])
    parser.add_argument("--dry", action="store_true")
    asked = parser.parse_args()
    Renaming(asked.root.resolve(), asked.only).run(asked.dry)
    return 0


if __name__ == "__main__":
    sys.exit(main())
