"""Code numbers: how large the package is, how it names things, who asks for an operator's class, and how it plans.

Usage: code_numbers.py [--list] [FOLDER…]. Each folder is a checkout; without one it is this repository. The figures of
several checkouts stand side by side, such as before and after a change. `--list` names each place. A figure that a
checkout is too old for is "-".
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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
    """Select Project Union Over Distinct Aggregate Aggregation Join BinaryJoin MultiJoin TopK Except Intersect Window
    TopOfPartition TimeWindow RowWindow Relation Stream Single Case Literal Column Cast ToStream Reservoir Stem
    StemJoin FamilyMembers JumpWindow FrequencySample HashSample RelationAtSteps AtPositions
    EvaluationPoints EmitAtSteps""".split()
)
RUN_CORE = re.compile(
    r"spark/(batch|run|time)/|spark/(batch_loop|standing|heartbeat|intake|shedding|batch|system)\.py$"
)

# Functions of the last two steps of planning, and the folders that they belong to. A module elsewhere that calls one is
# a planning path.
PLANNERS = {"lower", "Lowering", "cut_stages", "stage_plan", "staged"}
PLANNER_ROOMS = re.compile(r"tailrace[./](lowering|staging|physical|engine[./]staging)\b")
# Plans the query of ARCHITECTURE.md in process, and prints each function of the package that is called meanwhile.
TRACE = """
import sys, threading
from tailrace.errors import Source
source = Source(sys.argv[1])
try:
    from tailrace.engine.pipeline import plan_script
    plan = lambda: plan_script(source)
except ImportError:
    try:
        from tailrace.engine.pipeline import compile_script, work
        from tailrace.staging.plan_version import PlanVersion
    except ImportError:
        from tailrace.engine.compile import compile_script
        from tailrace.engine.run import work
        from tailrace.spark.edition import Edition as PlanVersion
    plan = lambda: PlanVersion().next(work(compile_script(source), None, None), 0, -1, -1, {})
plan()
called = set()
def note(frame, event, argument):
    code = frame.f_code
    if event == "call" and "/tailrace/" in code.co_filename and not code.co_name.startswith("<"):
        called.add(f"{code.co_filename} {code.co_qualname}")
threading.setprofile(note)
sys.setprofile(note)
plan()
sys.setprofile(None)
print("\\n".join(sorted(called)))
"""


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


@dataclass(frozen=True)
class Package:
    """The modules of a checkout's package, parsed; all figures are taken from these."""

    root: Path

    @cached_property
    def texts(self) -> Mapping[str, str]:
        files = sorted((self.root / "tailrace").rglob("*.py"))
        return {file.relative_to(self.root).as_posix(): file.read_text(encoding="utf-8") for file in files}

    @cached_property
    def trees(self) -> Mapping[str, ast.Module]:
        return {path: ast.parse(text) for path, text in self.texts.items()}

    def classes(self) -> Iterator[tuple[str, ast.ClassDef]]:
        for path, tree in self.trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    yield path, node

    def participles(self) -> list[str]:
        """Functions that are named by a bare participle. Properties are not counted: they name what they hold."""
        return [
            f"{path}:{node.lineno} {node.name}"
            for path, tree in self.trees.items()
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and is_participle(node.name)
            and not any(ast.unparse(each).endswith(("property", "setter")) for each in node.decorator_list)
        ]

    def homonyms(self) -> list[str]:
        """Class names that several modules define, with their places."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, node in self.classes():
            found[node.name].append(f"{path}:{node.lineno}")
        return [
            f"{name}: {', '.join(places)}"
            for name, places in sorted(found.items())
            if len(places) > 1 and name not in LEVELS
        ]

    def folders(self) -> Counter[str]:
        """How many modules each folder has."""
        return Counter(str(Path(path).parent) for path in self.texts if not path.endswith("__init__.py"))

    @cached_property
    def operators(self) -> Mapping[str, set[str]]:
        """The classes below Operator, with the modules that define them."""
        bases = [
            (path, node, {ast.unparse(base).split("[")[0] for base in node.bases}) for path, node in self.classes()
        ]
        found: dict[str, set[str]] = {"Operator": set()}
        size = 0
        while size != len(found):
            size = len(found)
            for path, node, above in bases:
                if above & found.keys() and "operators" in path:
                    found.setdefault(node.name, set()).add(path)
        return {name: paths for name, paths in found.items() if paths}

    def class_questions(self) -> list[str]:
        """Places outside an operator's own module that ask with isinstance or case whether a value is that operator."""
        found = []
        for path, tree in self.trees.items():
            known, lists = imported_operators(tree, self.operators), class_lists(tree)
            for node in ast.walk(tree):
                for name in (each for asked in asked_classes(node) for each in lists.get(asked, [asked])):
                    if name in known and path not in self.operators[name]:
                        found.append(f"{path}:{getattr(node, 'lineno', 0)} {name}")
        return found

    def mutable_fields(self) -> list[str]:
        """Fields of dataclasses of the run core that are not frozen."""
        found = []
        for path, node in self.classes():
            if RUN_CORE.search(path) and any(ast.unparse(each) == "dataclass" for each in node.decorator_list):
                found += [f"{path}:{part.lineno} {node.name}" for part in node.body if isinstance(part, ast.AnnAssign)]
        return found

    def planning_paths(self) -> list[str]:
        """Modules, of the package and of the tests on Spark, that lower or stage plans themselves."""
        tests = {file.relative_to(self.root).as_posix(): file for file in (self.root / "tests/spark").rglob("*.py")}
        trees = self.trees | {path: ast.parse(file.read_text(encoding="utf-8")) for path, file in tests.items()}
        return [
            path
            for path, tree in trees.items()
            if not PLANNER_ROOMS.match(path) and called_names(tree) & imported_names(tree, PLANNER_ROOMS) & PLANNERS
        ]

    def upward_imports(self) -> list[str] | None:
        """Imports that point up: UPWARD of tests/test_layers.py; None if these rules have no such list."""
        rules = ast.parse((self.root / "tests/test_layers.py").read_text(encoding="utf-8"))
        lists = [node for node in rules.body if ast.unparse(node).startswith(("UPWARD =", "UPWARD:"))]
        return sorted(ast.literal_eval(lists[0].value)) if lists else None

    def upward_calls(self) -> list[str]:
        """Functions inside functions of engine that are handed to a function or class of a folder below."""
        below = re.compile(r"tailrace\.(spark|staging|physical)\b")
        return [
            f"{path}: {name}"
            for path, tree in self.trees.items()
            if path.startswith("tailrace/engine/")
            for name in handed_down(tree, imported_names(tree, below))
        ]

    def planning_calls(self) -> list[str] | None:
        """Functions that the text of ARCHITECTURE.md's query passes on its way to stages, with their files.

        None if the checkout has none of the functions that plan.
        """
        page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
        script = re.search(r"```sql\n(.*?)```", page, re.DOTALL)
        assert script is not None
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        command = [sys.executable, "-c", TRACE, script.group(1)]
        run = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True)
        return run.stdout.split("\n")[:-1] if run.returncode == 0 else None


def code_lines(text: str, tree: ast.Module) -> int:
    """How many lines of a module are neither blank, nor a comment, nor in a docstring.

    >>> text = "'Two.'\\n\\n# One.\\nx = 1  # one\\n"
    >>> code_lines(text, ast.parse(text))
    1
    """
    documented: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                documented.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines = enumerate(text.split("\n"), 1)
    return sum(number not in documented and not line.strip().startswith("#") for number, line in lines if line.strip())


def imported_names(tree: ast.Module, modules: re.Pattern[str]) -> set[str]:
    """The names that a module imports from modules of which the pattern matches the beginning."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and modules.match(node.module or "")
        for alias in node.names
    }


def called_names(tree: ast.Module) -> set[str]:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def handed_down(tree: ast.Module, below: set[str]) -> Iterator[str]:
    """Functions that are defined inside a function, and given to one of the names `below`.

    >>> tree = ast.parse("def f():\\n  def plan(): ...\\n  return QuerySet(plan, 1)")
    >>> list(handed_down(tree, {"QuerySet"}))
    ['f.plan']
    """
    for outer in ast.walk(tree):
        if isinstance(outer, ast.FunctionDef):
            inner = {node.name for node in ast.walk(outer) if isinstance(node, ast.FunctionDef)} - {outer.name}
            calls = [node for node in ast.walk(outer) if isinstance(node, ast.Call) and ast.unparse(node.func) in below]
            for call in calls:
                given = [*call.args, *(each.value for each in call.keywords)]
                yield from (
                    f"{outer.name}.{each.id}" for each in given if isinstance(each, ast.Name) and each.id in inner
                )


def imported_operators(tree: ast.Module, operators: Mapping[str, set[str]]) -> set[str]:
    """Names by which a module knows operators: those that it imports from a folder of operators."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "operators" in (node.module or "")
        for alias in node.names
        if alias.name in operators
    }


def class_lists(tree: ast.Module) -> dict[str, list[str]]:
    """The names in each list or tuple that a module gives a name, such as `JOINS = (BinaryJoin, MultiJoin)`."""
    return {
        ast.unparse(node.targets[0]): [each.id for each in node.value.elts if isinstance(each, ast.Name)]
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.List)
    }


def asked_classes(node: ast.AST) -> Iterator[str]:
    """The classes that an isinstance or a case pattern asks for.

    >>> list(asked_classes(ast.parse("isinstance(x, Select | Union)", mode="eval").body))
    ['Select', 'Union']
    """
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
        yield from (each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name))
    elif isinstance(node, ast.MatchClass):
        yield ast.unparse(node.cls)


def figures(root: Path) -> dict[str, tuple[int | None, list[str]]]:
    """Each figure of a checkout, None if it has none, with the places behind it."""
    package = Package(root)
    counted = {
        "functions named by a bare participle": package.participles(),
        "class names with several meanings": package.homonyms(),
        "questions for an operator's class outside its module": package.class_questions(),
        "fields of the run core that change": package.mutable_fields(),
        "planning paths": package.planning_paths(),
        "imports that point up": package.upward_imports(),
        "functions of engine that are handed down": package.upward_calls(),
        "functions from a text to its stages": (calls := package.planning_calls()),
        "files from a text to its stages": None if calls is None else sorted({call.split(" ")[0] for call in calls}),
    }
    product = [path for path in package.texts if not path.startswith(("tailrace/bench/", "tailrace/testing/"))]
    sizes = {
        "modules": len(package.texts),
        "lines": sum(text.count("\n") for text in package.texts.values()),
        "lines without bench and testing": sum(package.texts[path].count("\n") for path in product),
        "lines of code without bench and testing": sum(
            code_lines(package.texts[path], package.trees[path]) for path in product
        ),
        "modules of the largest folder": max(package.folders().values()),
    }
    shown: dict[str, tuple[int | None, list[str]]] = {name: (size, []) for name, size in sizes.items()}
    return shown | {name: (None if p is None else len(p), p or []) for name, p in counted.items()}


def main(arguments: list[str]) -> int:
    roots = [Path(each).resolve() for each in arguments if not each.startswith("--")] or [ROOT]
    found = [figures(root) for root in roots]
    for name in found[0]:
        sizes = [each[name][0] for each in found]
        print(f"{name:54}" + "".join(f"{'-' if size is None else f'{size:,}':>10}" for size in sizes))
        if "--list" in arguments:
            print("".join(f"    {place}\n" for place in found[-1][name][1]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
