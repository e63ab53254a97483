"""The documents keep up with the tree: paths exist, links resolve, the first page shows how to start."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_layers import LAYER
from tests.test_tidy import ROOT, project_files

ARCHITECTURE_LINES = 150
FIRST_LINES = 40
FENCE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
PATH = re.compile(r"\.?[\w-][\w.*-]*(/[\w.*-]+)*/?")
TOP_FOLDERS = {"tailrace", "tests", "docs", "examples", "benchmarks", "scripts", ".ci"}
PACKAGE_FOLDERS = set(LAYER)
FILE_ENDINGS = (".py", ".md", ".toml", ".lock", ".sh")


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


def broken_links(path: Path) -> list[str]:
    """Relative links of a Markdown file that lead nowhere."""
    text = INLINE.sub("", FENCE.sub("", path.read_text(encoding="utf-8")))
    targets = [inline or reference for inline, reference in LINK.findall(text)]
    local = [target for target in targets if not re.match(r"[a-z][a-z+.-]*:|#", target)]
    return [target for target in local if not (path.parent / target.partition("#")[0]).exists()]


def commands_not_at_the_start(readme: str) -> list[str]:
    start = "\n".join(readme.splitlines()[:FIRST_LINES])
    return [command for command in ["make demo", "make test"] if command not in start]


def is_long(architecture: str) -> bool:
    return len(architecture.splitlines()) > ARCHITECTURE_LINES


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "README.md"])
def test_named_paths_exist(name: str) -> None:
    assert missing_paths(page(name), ROOT) == []


def test_readme_starts_with_the_commands() -> None:
    assert commands_not_at_the_start(page("README.md")) == []


def test_architecture_is_short() -> None:
    assert not is_long(page("ARCHITECTURE.md"))


def test_links_resolve() -> None:
    pages = [path for path in project_files() if path.suffix == ".md"]
    assert pages
    assert {path.name: broken for path in pages if (broken := broken_links(path))} == {}


class TestTheCheckersThemselves:
    """Each of them finds a made-up fault."""

    def test_missing_path(self, tmp_path: Path) -> None:
        (tmp_path / "tailrace" / "logical").mkdir(parents=True)
        (tmp_path / "tailrace" / "logical" / "walk.py").touch()
        good = "`logical/walk.py` `tailrace/logical/` `tailrace/*/walk.py` `walk.py` `xPos/5280` `out/rows`"
        assert missing_paths(good, tmp_path) == []
        bad = "`logical/run.py`, `run tests/x.py::test_a`, `gone.py`\n```sh\nrun examples/a.cql app.py\n```\n"
        assert missing_paths(bad, tmp_path) == ["logical/run.py", "tests/x.py", "gone.py", "examples/a.cql"]

    def test_broken_link(self, tmp_path: Path) -> None:
        written = tmp_path / "a.md"
        written.write_text(
            "[me](a.md#top) [up](#top) [web](https://example.org/x) `S[1](gone)` [lost](b.md)\n\n"
            "```\n[x](gone)\n```\n\n[ref]: docs/c.md\n"
        )
        assert broken_links(written) == ["b.md", "docs/c.md"]

    def test_late_command(self) -> None:
        late = "make demo\n" + "\n" * FIRST_LINES + "make test\n"
        assert commands_not_at_the_start(late) == ["make test"]

    def test_long_architecture(self) -> None:
        assert not is_long("\n" * ARCHITECTURE_LINES)
        assert is_long("\n" * ARCHITECTURE_LINES + "one more")
