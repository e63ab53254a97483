"""Count names: functions that are named by a bare participle, and class names with several meanings.

Usage: count_names.py [--list] [--root FOLDER]. A participle that is followed by a noun (`closed_runs`) is none here,
one with a preposition (`added_up`) is. A class name counts when two modules define it, but for pairs of one idea on two
levels, which `LEVELS` names.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from rooms import PACKAGE, ROOT, modules

IRREGULAR = set(
    """born bound begun bought brought built chosen come cut dealt done drawn driven fallen fed felt found given gone
    grown had heard held hidden hit kept known laid led left lent let lost made meant met paid put read risen run said
    seen sent set shed shown shut split spent spoken spread stood struck stuck taken taught thought thrown told
    understood woven won written worn""".split()
)
VERBS = {"read", "put", "set", "run", "cut", "let", "split", "shed", "spread", "come", "hit", "shut"}  # verbs as well
NOUNS = set(
    """feed seed need speed thing string substring ring king spring nothing something anything embed heading listing
    setting meaning ordering warning timing sampling grouping padding proceed exceed succeed indeed exceeding binding
    encoding spelling missing ending naming""".split()
)
PARTICLES = set(
    """up off out in on together apart aside by at to of over away down before after back again with from once alone
    here there first last""".split()
)
# Names that others chose: hooks of sqlglot and Spark, and verbs or nouns that only look like participles.
EXCEPTIONS = {"sorted", "read", "split", "put", "set", "run", "cut", "let", "left"}
# One idea on two levels, always told apart by `nodes.` or the module where both meet.
LEVELS = set(
    """Select Project Union Distinct Aggregate Aggregation Join BinaryJoin MultiJoin TopK Except Intersect Window
    TimeWindow RowWindow Relation Stream Single Case Literal Column Cast ToStream Reservoir Stem StemJoin FamilyMembers
    JumpWindow FrequencySample HashSample RelationAtSteps AtPositions EvaluationPoints EmitAtSteps""".split()
)


def is_participle(name: str) -> bool:
    """Whether a function's name is a participle and nothing that says of what.

    >>> [is_participle(name) for name in ("told", "_merged", "added_up", "closed_runs", "feed", "covering")]
    [True, True, True, False, False, True]
    """
    words = name.strip("_").split("_")
    first = words[0]
    if name.strip("_") in EXCEPTIONS or first in NOUNS or (first in VERBS and len(words) > 1):
        return False
    ends = first in IRREGULAR or bool(re.fullmatch(r"[a-z]{2,}ed|[a-z]{3,}ing", first))
    return ends and all(word in PARTICLES for word in words[1:])


def functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions of a tree, with the names of what they are in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{inside}{node.name}", node
            yield from functions(node, f"{inside}{node.name}.")
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{inside}{node.name}.")
        else:
            yield from functions(node, inside)


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(each).endswith(("property", "setter")) for each in node.decorator_list)


def participles(root: Path) -> list[tuple[str, int, str, bool]]:
    """Module, line and name of each function that is named by a participle, and whether it is a property."""
    return [
        (path, node.lineno, name, is_property(node))
        for path, file in modules(root, PACKAGE).items()
        for name, node in functions(ast.parse(file.read_text(encoding="utf-8")))
        if is_participle(node.name)
    ]


def homonyms(root: Path) -> dict[str, list[str]]:
    """Class names that several modules define, and where."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, file in modules(root, PACKAGE).items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{path}.py:{node.lineno}")
    return {name: places for name, places in sorted(found.items()) if len(places) > 1 and name not in LEVELS}


def main(arguments: list[str]) -> int:
    root = Path(arguments[arguments.index("--root") + 1]).resolve() if "--root" in arguments else ROOT
    named, classes = participles(root), homonyms(root)
    if "--list" in arguments:
        for path, line, name, _ in named:
            print(f"{path}.py:{line} {name}")
        for name, places in classes.items():
            print(f"class {name}: {', '.join(places)}")
    print(f"functions named by a bare participle: {sum(not each[3] for each in named)}")
    print(f"properties named so: {sum(each[3] for each in named)}")
    print(f"class names with several meanings: {len(classes)}, {sum(map(len, classes.values()))} classes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
