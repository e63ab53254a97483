"""The style that can be checked by reading files: sizes, names, leftovers, orphans, traces of one machine."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.test_layers import imports

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tailrace"
FILE_LINES = 400
FUNCTION_LINES = 50
FOLDER_MODULES = 13
LARGER_FOLDERS = {
    "columnar/functions": 16,  # a table of topics that nobody reads through
}
# Tests that stand beside those of modules: what several modules do together, or one of them in many cases.
TOPICS = {
    "analysis": {"monotonic", "random_queries"},
    "analysis/scalars": {"column_names", "python_calls"},
    "bench": {"baseline", "bench", "over_time"},
    "language": {"fuzz", "round_trip"},
    "operators": {"every_operator", "renamed"},
    "operators/families": {"dropped_members", "families"},
    "operators/relational": {"single"},
    "operators/sequence": {"sequences"},
    "operators/windows": {"window_operators"},
    "rewrite": {"by_definition"},
    "spark": {"random_scripts"},
    "spark/batch": {"cases", "families", "random_plans", "skewed_runs", "small_batches", "stems", "strategies"},
    "rewrite/rules": {"window_tables"},
    "spark/io": {"disk", "event_times", "left_out_files", "prefilter", "remote_files", "scan", "written_files"},
    "spark/run": {
        "broken_sinks",
        "live",
        "registering",
        "replacing",
        "stored_checkpoint",
        "stream_joins",
        "window_tables",
    },
    "spark/session": {"cluster"},
    "spark/time": {"heartbeat_rows", "time", "time_not_known"},
    "state": {"hash_collisions", "split_and_merge", "synopses"},
    "testing": {"cases"},
    "testing/reference": {"duckdb", "duckdb_subqueries"},
}
VAGUE_NAMES = {"utils", "util", "misc", "helpers", "helper", "common"}
# Imported from outside: the public names, `python -m tailrace` and the test kit; and, by name, the benchmarks.
PUBLIC = {PACKAGE, f"{PACKAGE}.__main__", f"{PACKAGE}.testing", f"{PACKAGE}.bench.report.run"}
PUBLIC |= {f"{PACKAGE}.bench.peers.__main__", f"{PACKAGE}.bench.peers.run_tailrace"}  # run as processes
PUBLIC |= {f"{PACKAGE}.bench.profile.run_batches"}  # so is this
PUBLIC |= {f"{PACKAGE}.scan.scan_split"}  # used by the scan tasks that come next

# The dashes keep this file from finding itself.
FORBIDDEN_WORDS = ["TO-DO", "FIX-ME"]
FORBIDDEN_HOSTS = ["py-pi.org", "python-hosted.org", "npm-js.org", "ana-conda.org", "repo1.mav-en.org"]
HOME_FOLDERS = ["home", "root", "work", "Users"]


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, their dashes taken out."""
    return "(?:" + "|".join(re.escape(word.replace("-", "")) for word in words) + ")"


LEFTOVER = re.compile(rf"\b{any_of(FORBIDDEN_WORDS)}\b(?!\(#\d+\))")
MACHINE_PATH = re.compile(rf"(?<![\w.])/{any_of(HOME_FOLDERS)}/")
REGISTRY = re.compile(any_of(FORBIDDEN_HOSTS) + r"|--(?:extra-)?index[-]url|--trusted[-]host")
NO_PIN = re.compile(r"^(?!#|$|[\w.-]+==[\w.+!]+ \\$|    --hash=sha256:[0-9a-f]{64}( \\)?$)")


def project_files() -> list[Path]:
    """Files that are tracked, or would be after `git add .`; without git, all that are not hidden."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        visible = [path for path in ROOT.iterdir() if not path.name.startswith(".")]
        return sorted(file for path in visible for file in [path, *path.rglob("*")] if file.is_file())
    names = sorted(set(listing.split("\0")) - {""})
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_name(path: Path, root: Path = ROOT) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def long_files(sources: dict[str, str]) -> list[str]:
    return [name for name, source in sources.items() if len(source.splitlines()) > FILE_LINES]


def without_docstring(sources: dict[str, str]) -> list[str]:
    return [name for name, source in sources.items() if ast.get_docstring(ast.parse(source)) is None]


def long_functions(source: str) -> Iterator[str]:
    """Functions with more lines than allowed.

    >>> list(long_functions("def f():\\n" + "    f()\\n" * 60))
    ['f (line 1) has 61 lines']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{node.name} (line {node.lineno}) has {lines} lines"


def vague_names(paths: Iterable[Path]) -> list[str]:
    return [path.as_posix() for path in paths if VAGUE_NAMES & {*path.parent.parts, path.stem.removeprefix("test_")}]


def lines_matching(pattern: re.Pattern[str], text: str) -> list[int]:
    return [number for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


def imported_names(path: Path, module: str) -> set[str]:
    """Every dotted name a module imports, with the packages around it; its own name left out."""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    found = [target for _, target in imports(path.read_text(encoding="utf-8"), package)]
    return {".".join(target[:end]) for target in found for end in range(1, len(target) + 1)} - {module}


def orphans(package: Path, entries: set[str]) -> list[str]:
    """Modules that no other module of the package imports."""
    modules = {module_name(path, package.parent): path for path in sorted(package.rglob("*.py"))}
    used = set(entries)
    for module, path in modules.items():
        used |= imported_names(path, module)
    return [module for module in modules if module not in used]


def large_folders(package: Path, limits: dict[str, int]) -> list[str]:
    """Folders with more modules than allowed."""
    found = []
    for folder in sorted({path.parent for path in package.rglob("*.py")}):
        name = folder.relative_to(package).as_posix()
        modules = [path for path in folder.glob("*.py") if path.stem != "__init__"]
        if len(modules) > limits.get(name, FOLDER_MODULES):
            found.append(f"{name} has {len(modules)} modules")
    return found


def strays(tests: Path, package: Path, topics: dict[str, set[str]]) -> list[str]:
    """Tests in a folder named as one of the package that are neither of a module there nor of a listed topic."""
    found = []
    for path in sorted(tests.rglob("test_*.py")):
        folder, name = path.parent.relative_to(tests).as_posix(), path.stem.removeprefix("test_")
        if folder == "." or not (package / folder).is_dir() or name in topics.get(folder, ()):
            continue
        if not (package / folder / f"{name}.py").is_file():
            found.append(path.relative_to(tests).as_posix())
    return found


def entry_points() -> set[str]:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    return PUBLIC | {target.partition(":")[0] for target in scripts.values()}


def text_of(path: Path) -> str:
    """The text of a file, or nothing if it is not text."""
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode("utf-8", errors="replace")


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return {shown(path): path.read_text(encoding="utf-8") for path in python_files(PACKAGE, "tests")}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {shown(path): text_of(path) for path in project_files()}


def test_files_are_short(sources: dict[str, str]) -> None:
    assert long_files(sources) == []


def test_functions_are_short(sources: dict[str, str]) -> None:
    assert [f"{name}: {found}" for name, source in sources.items() for found in long_functions(source)] == []


def test_folders_are_small() -> None:
    assert large_folders(ROOT / PACKAGE, LARGER_FOLDERS) == []


def test_tests_stand_where_their_modules_do() -> None:
    assert strays(ROOT / "tests", ROOT / PACKAGE, TOPICS) == []


def test_every_topic_has_its_test() -> None:
    files = {folder: {path.stem for path in (ROOT / "tests" / folder).glob("test_*.py")} for folder in TOPICS}
    assert {folder: names for folder in TOPICS if (names := TOPICS[folder] - {f[5:] for f in files[folder]})} == {}


def test_names_say_something(sources: dict[str, str]) -> None:
    assert vague_names(map(Path, sources)) == []


def test_modules_start_with_a_docstring(sources: dict[str, str]) -> None:
    assert without_docstring(sources) == []


def test_nothing_is_left_over(texts: dict[str, str]) -> None:
    assert [f"{name}:{line}" for name, text in texts.items() for line in lines_matching(LEFTOVER, text)] == []


def test_no_module_is_an_orphan() -> None:
    assert orphans(ROOT / PACKAGE, entry_points()) == []


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["machine path", "registry"])
def test_no_trace_of_one_machine(texts: dict[str, str], pattern: re.Pattern[str]) -> None:
    assert [f"{name}:{line}" for name, text in texts.items() for line in lines_matching(pattern, text)] == []


def test_version_is_said_once(texts: dict[str, str]) -> None:
    configured = tomllib.loads(texts["pyproject.toml"])
    assert "version" in configured["project"].get("dynamic", ())
    assert configured["tool"]["setuptools"]["dynamic"]["version"] == {"attr": f"{PACKAGE}.__version__"}
    said = re.compile(r"^(?:__)?version(?:__)? *= *[\"'][\d.]+", re.MULTILINE)
    assert [name for name, text in texts.items() if said.search(text)] == [f"{PACKAGE}/__init__.py"]


def test_lock_holds_nothing_but_pins_and_hashes() -> None:
    assert lines_matching(NO_PIN, (ROOT / "requirements.lock").read_text(encoding="utf-8")) == []


class TestTheCheckersThemselves:
    """Each of them finds a made-up fault."""

    def test_long_file(self) -> None:
        assert long_files({"a.py": "\n" * FILE_LINES, "b.py": "\n" * (FILE_LINES + 1)}) == ["b.py"]

    def test_large_folder_and_stray_test(self, tmp_path: Path) -> None:
        package, tests = tmp_path / "pack", tmp_path / "tests"
        for folder in (package / "part", tests / "part", tests / "other"):
            folder.mkdir(parents=True)
        for number in range(FOLDER_MODULES + 1):
            (package / "part" / f"m{number}.py").touch()
        for name in ["part/test_m1", "part/test_x", "part/test_y", "part/build", "other/test_z"]:
            (tests / f"{name}.py").touch()
        assert large_folders(package, {}) == ["part has 14 modules"]
        assert large_folders(package, {"part": 14}) == []
        assert strays(tests, package, {"part": {"y"}}) == ["part/test_x.py"]

    def test_missing_docstring(self) -> None:
        assert without_docstring({"a.py": '"""What it is."""', "b.py": "# no\n", "c.py": ""}) == [
            "b.py",
            "c.py",
        ]

    def test_long_function(self) -> None:
        body = "    pass\n" * FUNCTION_LINES
        assert list(long_functions(f"class A:\n  async def f():\n{body}")) == ["f (line 2) has 51 lines"]
        assert list(long_functions(f"def f():\n{body[9:]}")) == []

    @pytest.mark.parametrize("name", ["tailrace/utils.py", "tailrace/common/rows.py", "tests/test_helpers.py"])
    def test_vague_name(self, name: str) -> None:
        assert vague_names([Path(name), Path("tailrace/types.py")]) == [name]

    def test_leftover(self) -> None:
        assert lines_matching(LEFTOVER, "x = 1\n# TO" + "DO: later\n# TO" + "DO(#12): known") == [2]

    @pytest.mark.parametrize("folder", HOME_FOLDERS)
    def test_machine_path(self, folder: str) -> None:
        text = f"see\npath '/{folder}/ann/x.csv'\nhttps://host/{folder}/x\n../{folder}/x"
        assert lines_matching(MACHINE_PATH, text) == [2]

    @pytest.mark.parametrize("host", FORBIDDEN_HOSTS)
    def test_registry(self, host: str) -> None:
        text = f"fine\nhttps://a.{host.replace('-', '')}/x\n--{'index'}-url x"
        assert lines_matching(REGISTRY, text) == [2, 3]

    def test_lock(self) -> None:
        good = f"# made\n\na-b==1.0 \\\n    --hash=sha256:{'0' * 64}"
        bad = "a @ https://host/a.whl\n--find-links x\nb>=1\n    # via c"
        assert lines_matching(NO_PIN, f"{good}\n{bad}") == [5, 6, 7, 8]

    def test_orphan(self, tmp_path: Path) -> None:
        package = tmp_path / "pack"
        (package / "part").mkdir(parents=True)
        (package / "__init__.py").write_text("from . import used\n")
        (package / "used.py").write_text("from pack.part import deep\nfrom .part.far import name\n")
        for name in ["part/__init__", "part/deep", "part/far", "main"]:
            (package / f"{name}.py").touch()
        (package / "part" / "alone.py").write_text("import pack.part.alone.itself\n")
        assert orphans(package, {"pack", "pack.main"}) == ["pack.part.alone"]
        assert orphans(package, {"pack"}) == ["pack.main", "pack.part.alone"]
