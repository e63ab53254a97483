"""Pin labels: before classes are renamed, write down what their names say elsewhere: in EXPLAIN and in state files.

Usage: pin_labels.py [--root FOLDER]. EXPLAIN makes an operator's label of its class's name where the class has no
`called`, and state files name a state by its class. Both get today's names as text, so that goldens and state stay.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from names import Names
from rewrite_imports import Edit, Offsets, apply
from rooms import HERE, ROOT, Rooms

LABEL = "called"
BY_NAME = "CLASSES = {each.__name__: each for each in REMEMBERED}\n"
WRITTEN = "        name = type(value).__name__\n"
LOOKED_UP = "        name = NAMES.get(type(value), type(value).__name__)\n"


def pin_operators(files: list[Path], names: set[str]) -> int:
    """Give each of these operators the label that its name makes; how many got one."""
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}
    found = [node for tree in trees.values() for node in tree.body if isinstance(node, ast.ClassDef) and node.bases]
    classes = {node.name: node for node in found}
    bases = {name: [ast.unparse(base) for base in node.bases] for name, node in classes.items()}
    wanted, number = names | {name for name in bases if inherits(name, names, bases)}, 0
    for file, tree in trees.items():
        text = file.read_text(encoding="utf-8")
        defined = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        others = {node.name for node in defined if not node.bases}  # no operators, though some are called like one
        several = [node for node in defined if node.name in wanted and needs_label(node.name, classes, bases)]
        several = [node for node in several if not others & {node.name, *map(ast.unparse, node.bases)}]
        edits = [pin(node, Offsets(text)) for node in several]
        number += len(edits)
        text = apply(text, edits)
        if edits and not re.search(r"from typing import .*\bClassVar\b", text):
            future = "\nfrom __future__ import annotations\n"
            text = text.replace(future, f"{future}\nfrom typing import ClassVar\n", 1)
        file.write_text(text, encoding="utf-8")
    return number


def pin(node: ast.ClassDef, offsets: Offsets) -> Edit:
    """The label, behind the class's docstring."""
    label = re.sub(r"(?<!^)(?=[A-Z])", "-", node.name).lower()
    _, end = offsets.span(node.body[0])
    return Edit(end, end, f'\n\n    {LABEL}: ClassVar[str] = "{label}"')


def inherits(name: str, names: set[str], bases: dict[str, list[str]]) -> bool:
    """Whether a class is below one of these: it would inherit the label."""
    return any(base in names or inherits(base, names, bases) for base in bases.get(name, []))


def needs_label(name: str, classes: dict[str, ast.ClassDef], bases: dict[str, list[str]]) -> bool:
    """Whether a class is an operator whose label is made of its name: it has and inherits none."""
    if name == "Operator":
        return True
    if name not in classes or has_label(classes[name]):
        return False
    return any(needs_label(base, classes, bases) for base in bases[name])


def has_label(node: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.AnnAssign) and ast.unparse(each.target) == LABEL for each in node.body)


def pin_states(file: Path) -> None:
    """Name the classes of state files by text."""
    text = file.read_text(encoding="utf-8")
    listed = re.search(r"REMEMBERED = \(([^)]*)\)", text)
    if not listed or text.count(BY_NAME) != 1 or text.count(WRITTEN) != 1:
        raise SystemExit(f"{file}: it does not name states by class as it did")
    entries = ", ".join(f'"{name}": {name}' for name in re.findall(r"\w+", listed[1]))
    text = text.replace(BY_NAME, f"CLASSES = {{{entries}}}\nNAMES = {{each: name for name, each in CLASSES.items()}}\n")
    text = text.replace(listed[0] + "\n", "").replace(WRITTEN, LOOKED_UP)
    file.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    root = Path(arguments[1]).resolve() if arguments[:1] == ["--root"] else ROOT
    moves = {} if (root / "tailrace/physical").exists() else Rooms().moves
    entries = Names(HERE / "names.toml").entries
    operators = {module for module in Rooms().moves if "/physical/operators/" in module}
    files = sorted({root / f"{moves.get(module, module)}.py" for module in operators})
    renamed = {old for module, old in entries if module in operators and "." not in old}
    number = pin_operators(files, renamed)
    states = "tailrace/physical/state_files"
    pin_states(root / f"{moves.get(states, states)}.py")
    print(f"{number} operators have their label as text now, and states their names")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
