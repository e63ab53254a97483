"""The documents keep up with the tree: paths and names exist, links resolve, the first page shows how to start."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tailrace.operators.operator import Operator
from tailrace.staging.explain import name_of
from tests.test_layers import HEIGHT
from tests.test_tidy import ROOT, any_of, lines_matching, project_files, text_of

ARCHITECTURE_LINES = 150
FIRST_LINES = 40
FENCE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
IS_WEB = re.compile(r"[a-z][a-z+.-]*:")
PATH = re.compile(r"\.?[\w-][\w.*-]*(/[\w.*-]+)*/?")
TOP_FOLDERS = {"tailrace", "tests", "docs", "examples", "benchmarks", "scripts", ".ci"}
PACKAGE_FOLDERS = {room.split("/")[0] for room in HEIGHT}
CODE_NAME = re.compile(r"([\w./-]+\.py):([A-Za-z_][\w.]*)")  # file:name, as `tailrace/errors.py:TextSpan`
FILE_ENDINGS = (".py", ".md", ".toml", ".lock", ".sh")
# Documents that were once beside the tree; the dashes keep this file from finding itself.
DOCUMENTS_OUTSIDE = [
    "sha-red/",
    "READ-INGS",
    "INTER-FACE",
    "RE-DESIGN",
    "FRIC-TIONS",
    "DESIGN-.md",
    "STYLE-.md",
    "SQL-.md",
]
OUTSIDE = re.compile(rf"(?<!\w){any_of(DOCUMENTS_OUTSIDE)}")
SECTION = re.compile(r"^#+ (?:Part )?(\d+(?:\.\d+)?|[AB](?:\.\d+)?)[ :]", re.MULTILINE)
NUMBER = r"(?:§\d+(?:\.\d+)?|[AB](?:\.\d+)?)(?![\w])"
CITED = re.compile(rf"\bsemantics (?={NUMBER}){NUMBER}(?:(?:,| to| and)\s+{NUMBER})*")


def named_paths(text: str) -> Iterator[str]:
    """Words that look like paths of the tree: in backticks any, in fenced blocks those below a known folder.

    >>> list(named_paths("`tailrace/types.py`, `x/y`, `errors.py`"))
    ['tailrace/types.py', 'errors.py']
    """
    fenced = [match.group() for match in FENCE.finditer(text)]
    inline_spans = INLINE.findall(FENCE.sub("", text))
    for span, inline in [*((span, True) for span in inline_spans), *((span, False) for span in fenced)]:
        for word in span.split():
            path = word.partition("::")[0].strip(",;:()'\"")
            below = "/" in path and path.split("/")[0] in TOP_FOLDERS | PACKAGE_FOLDERS
            if PATH.fullmatch(path) and (below or (inline and path.endswith(FILE_ENDINGS))):
                yield path


def exists(path: str, root: Path) -> bool:
    """Whether that is in the root, in the package or, without a slash, anywhere in the tree."""
    places = [root, root / "tailrace"]
    if any(next(place.glob(path.rstrip("/")), None) for place in places if place.is_dir()):
        return True
    folders = [folder for folder in root.iterdir() if folder.is_dir() and not folder.name.startswith(".")]
    return "/" not in path and any(next(folder.rglob(path), None) for folder in folders)


def missing_paths(text: str, root: Path) -> list[str]:
    return [path for path in named_paths(text) if not exists(path, root)]


def named_code(text: str) -> list[tuple[str, str]]:
    """The names of functions, classes and methods that a page gives with their file, as file:name.

    >>> named_code("`types.py:Type` and `tailrace/schema.py:Schema.of`, but not `script.cql:2:38` or `errors.py`")
    [('types.py', 'Type'), ('tailrace/schema.py', 'Schema.of')]
    """
    return [match.groups() for span in INLINE.findall(FENCE.sub("", text)) if (match := CODE_NAME.fullmatch(span))]


def defined_names(source: str) -> set[str]:
    """What a module defines: functions, classes, constants, and the methods and fields of classes as Class.name.

    >>> sorted(defined_names("A = 1\\nclass B:\\n  c: int\\n  def d(self): ...\\n"))
    ['A', 'B', 'B.c', 'B.d']
    """
    found: set[str] = set()

    def visit(body: list[ast.stmt], inside: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(f"{inside}{node.name}")
                if isinstance(node, ast.ClassDef):
                    visit(node.body, f"{inside}{node.name}.")
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found.update(f"{inside}{target.id}" for target in targets if isinstance(target, ast.Name))

    visit(ast.parse(source).body, "")
    return found


def missing_code(text: str, root: Path) -> list[str]:
    """The names of a page, as file:name, that are not defined in that file, which is in the root or the package."""
    missing = []
    for path, name in named_code(text):
        file = next((place for place in (root / path, root / "tailrace" / path) if place.is_file()), None)
        if file is None or name not in defined_names(file.read_text(encoding="utf-8")):
            missing.append(f"{path}:{name}")
    return missing


def broken_links(path: Path) -> list[str]:
    """Relative links of a Markdown file that lead nowhere."""
    return [target for target in local_links(path) if not (path.parent / target.partition("#")[0]).exists()]


def headings(text: str) -> set[str]:
    """The anchors of a page's headings: lower case, without punctuation, dashes for blanks.

    >>> sorted(headings("# 7.1 The end\\n\\n## `SET` and *more*"))
    ['71-the-end', 'set-and-more']
    """
    titles = re.findall(r"^#+ +(.+?) *$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def lost_anchors(path: Path) -> list[str]:
    """Links of a Markdown file to headings that its own page, or another one, does not have."""
    found = []
    for target in all_links(path):
        page, mark, anchor = target.partition("#")
        other = path.parent / page if page else path
        leads_to_page = mark and not IS_WEB.match(target) and other.suffix == ".md" and other.is_file()
        if leads_to_page and anchor not in headings(other.read_text(encoding="utf-8")):
            found.append(target)
    return found


def local_links(path: Path) -> list[str]:
    """The targets of a Markdown file's links to other files."""
    return [target for target in all_links(path) if not target.startswith("#") and not IS_WEB.match(target)]


def all_links(path: Path) -> list[str]:
    """The targets of a Markdown file's links, in code blocks and backticks none."""
    text = INLINE.sub("", FENCE.sub("", path.read_text(encoding="utf-8")))
    return [inline or reference for inline, reference in LINK.findall(text)]


def links_outside(path: Path, root: Path) -> list[str]:
    """Relative links of a Markdown file that lead out of the tree."""
    inside = [(target, (path.parent / target.partition("#")[0]).resolve()) for target in local_links(path)]
    return [target for target, place in inside if not place.is_relative_to(root.resolve())]


def cited_sections(text: str) -> list[str]:
    """The numbers of docs/reference/semantics.md that a text cites.

    >>> cited_sections("as in CQL §6, semantics §3.1, B.2 and A, and B.9")
    ['3.1', 'B.2', 'A']
    """
    return [number.lstrip("§") for cited in CITED.findall(text) for number in re.findall(NUMBER, cited)]


def commands_not_at_the_start(readme: str) -> list[str]:
    start = "\n".join(readme.splitlines()[:FIRST_LINES])
    return [command for command in ["make demo", "make test"] if command not in start]


def is_long(architecture: str) -> bool:
    return len(architecture.splitlines()) > ARCHITECTURE_LINES


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_named_paths_exist(name: str) -> None:
    assert missing_paths(page(name), ROOT) == []


def test_named_code_exists() -> None:
    pages = [path for path in project_files() if path.suffix == ".md"]
    assert {path.name: missing for path in pages if (missing := missing_code(text_of(path), ROOT))} == {}
    assert len(named_code(page("ARCHITECTURE.md"))) > 50


def test_contributing_lists_the_folders() -> None:
    named = set(re.findall(r"`([a-z_/]+)/`", page("CONTRIBUTING.md")))
    inside = {room for room in HEIGHT if room.startswith("bench/")}
    rooms = {room for room in HEIGHT if (ROOT / "tailrace" / room).is_dir()} - inside - {".", "spark"}
    assert rooms - named == set()


def test_the_papers_operators_are_called_as_in_explain() -> None:
    lines = page("docs/explanation/papers.md").splitlines()
    rows = [line.split("|")[3:5] for line in lines if line.startswith("|") and "`operators/" in line]
    found = {}
    for classes, label in rows:
        for path, name in named_code(classes):
            operator = getattr(import_module(f"tailrace.{path.removesuffix('.py').replace('/', '.')}"), name)
            if issubclass(operator, Operator) and f"`{name_of(operator.__new__(operator))}`" not in label:
                found[name] = label
    assert found == {}
    assert len(rows) > 20


def test_glossary_names_classes_that_exist() -> None:
    named = set(re.findall(r"`((?:[A-Z][a-z]+)+)`", page("docs/reference/glossary.md")))
    modules = [path for path in project_files() if path.is_relative_to(ROOT / "tailrace") and path.suffix == ".py"]
    assert named - {name for path in modules for name in defined_names(text_of(path))} == set()
    assert len(named) > 30


def test_readme_starts_with_the_commands() -> None:
    assert commands_not_at_the_start(page("README.md")) == []


def test_architecture_is_short() -> None:
    assert not is_long(page("ARCHITECTURE.md"))


def test_links_resolve() -> None:
    pages = [path for path in project_files() if path.suffix == ".md"]
    assert pages
    assert {path.name: broken for path in pages if (broken := broken_links(path))} == {}
    assert {path.name: lost for path in pages if (lost := lost_anchors(path))} == {}


def test_links_stay_in_the_tree() -> None:
    pages = [path for path in project_files() if path.suffix == ".md"]
    assert {path.name: found for path in pages if (found := links_outside(path, ROOT))} == {}


def test_nothing_cites_a_document_outside_the_tree() -> None:
    texts = {path.relative_to(ROOT).as_posix(): text_of(path) for path in project_files()}
    assert [f"{name}:{line}" for name, text in texts.items() for line in lines_matching(OUTSIDE, text)] == []


def test_cited_sections_exist() -> None:
    sections = set(SECTION.findall(page("docs/reference/semantics.md")))
    cited = {
        path.name: numbers
        for path in project_files()
        if (numbers := cited_sections(text_of(path))) and path.suffix == ".py"
    }
    del cited[Path(__file__).name]  # its examples
    assert cited
    assert {name: missing for name, numbers in cited.items() if (missing := set(numbers) - sections)} == {}


def test_readings_are_numbered_without_gaps() -> None:
    sections = SECTION.findall(page("docs/reference/semantics.md"))
    for part, count in (("A", 10), ("B", 15)):
        assert [each for each in sections if each.startswith(f"{part}.")] == [
            f"{part}.{number}" for number in range(1, count + 1)
        ]


class TestTheCheckersThemselves:
    """Each of them finds a made-up fault."""

    def test_missing_path(self, tmp_path: Path) -> None:
        (tmp_path / "tailrace" / "logical").mkdir(parents=True)
        (tmp_path / "tailrace" / "logical" / "walk.py").touch()
        good = "`logical/walk.py` `tailrace/logical/` `tailrace/*/walk.py` `walk.py` `xPos/5280` `out/rows`"
        assert missing_paths(good, tmp_path) == []
        bad = "`logical/run.py`, `run tests/x.py::test_a`, `gone.py`\n```sh\nrun examples/a.cql app.py\n```\n"
        assert missing_paths(bad, tmp_path) == ["logical/run.py", "tests/x.py", "gone.py", "examples/a.cql"]

    def test_missing_code(self, tmp_path: Path) -> None:
        (tmp_path / "tailrace").mkdir()
        (tmp_path / "tailrace" / "walk.py").write_text("class Walk:\n    def on(self): ...\n")
        good = "`tailrace/walk.py:Walk.on` `walk.py:Walk`"
        assert missing_code(good, tmp_path) == []
        assert missing_code("`walk.py:Walk.off` `run.py:run`", tmp_path) == ["walk.py:Walk.off", "run.py:run"]

    def test_broken_link(self, tmp_path: Path) -> None:
        written = tmp_path / "a.md"
        written.write_text(
            "[me](a.md#top) [up](#top) [web](https://example.org/x) `S[1](gone)` [lost](b.md)\n\n"
            "```\n[x](gone)\n```\n\n[ref]: docs/c.md\n"
        )
        assert broken_links(written) == ["b.md", "docs/c.md"]

    def test_lost_anchor(self, tmp_path: Path) -> None:
        (tmp_path / "b.md").write_text("# Two words\n\n```\n# none\n```\n")
        written = tmp_path / "a.md"
        written.write_text("# Top\n[up](#top) [b](b.md#two-words) [no](#lost) [nor](b.md#none) [web](http://b.md#x)\n")
        assert lost_anchors(written) == ["#lost", "b.md#none"]

    def test_link_outside(self, tmp_path: Path) -> None:
        (tmp_path / "docs").mkdir()
        written = tmp_path / "docs" / "a.md"
        written.write_text("[in](../b.md) [out](../../c.md) [web](https://example.org/../..)\n")
        assert links_outside(written, tmp_path) == ["../../c.md"]

    @pytest.mark.parametrize("document", DOCUMENTS_OUTSIDE)
    def test_document_outside(self, document: str) -> None:
        plain = document.replace("-", "")
        assert lines_matching(OUTSIDE, f"(see {plain})\n`../{plain}`\nfine\nx{plain}") == [1, 2]

    def test_late_command(self) -> None:
        late = "make demo\n" + "\n" * FIRST_LINES + "make test\n"
        assert commands_not_at_the_start(late) == ["make test"]

    def test_long_architecture(self) -> None:
        assert not is_long("\n" * ARCHITECTURE_LINES)
        assert is_long("\n" * ARCHITECTURE_LINES + "one more")
