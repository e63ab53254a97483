"""Statement guard: a script from the network reaches nothing but files below its folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.engine.engine import Engine
from tailrace.errors import ScriptError
from tailrace.server.statement_guard import Guard, guard


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.csv").write_text("password,ts\n1,1\n")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "own.csv").write_text("a,ts\n1,1\n")
    return folder


def refused(text: str, inside: Path, rules: Guard | None = None) -> list[str]:
    """The problems of a script; none if it is accepted."""
    try:
        Engine(folder=inside).execute(text, rules or guard([inside], inside))
    except ScriptError as problem:
        return [each.message for each in problem.problems]
    return []


def stream(path: str) -> str:
    literal = path.replace("\\", "\\\\")
    return f"CREATE STREAM X (a INT) USING csv OPTIONS (path '{literal}') TIMESTAMP BY ts"


def test_inside(inside: Path) -> None:
    for path in ("own.csv", "./own.csv", str(inside / "own.csv"), "*.csv", "new/deep", "~/x"):
        assert refused(stream(path), inside) == []


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.csv",
        "link/secret.csv",
        "link/*.csv",
        "link",
        "/etc/passwd",
        "/",
        "file:///etc/passwd",
        "hdfs://host/x",
        "S3A://b/x",
        "{own.csv,/etc/passwd}",
        "new/{a,../../outside}/secret.csv",
        "own\\.csv",
        "*/../../outside/secret.csv",
        "link/../own.csv",
    ],
)
def test_outside(inside: Path, path: str) -> None:
    assert refused(stream(path), inside) == [f"the path {path} is not for the network"]


def test_a_file_outside_is_not_even_looked_at(inside: Path) -> None:
    (said,) = refused(stream("../outside/secret.csv"), inside)
    assert "password" not in said


def test_options_and_settings(inside: Path) -> None:
    archive = stream("new', cleanSource 'archive', sourceArchiveDir '/tmp")
    assert refused(archive, inside) == ["the path /tmp is not for the network"]
    assert refused("SET unreadable = '../x'", inside) == ["the path ../x is not for the network"]
    assert refused("SET unreadable = 'x'", inside) == []
    assert refused("SET spark.jars = 'x'", inside) == ["SET spark.jars is not for the network"]
    assert refused("SET late = '/x'; SET tick = '1 hour'", inside) == ["the path /x is not for the network"]


@pytest.mark.parametrize("format", ["kafka", "jdbc", "avro", "xml", "delta", "socket", "com.example.Source", "console"])
def test_other_formats(inside: Path, format: str) -> None:
    text = f"CREATE STREAM X (a INT) USING `{format}` OPTIONS (path 'own.csv') TIMESTAMP BY ts"
    assert refused(text, inside)[0] == f"the format {format} is not for the network"


def test_what_reads_a_refused_stream_is_not_one_more_mistake(inside: Path) -> None:
    text = f"{stream('/etc/passwd')}; CREATE VIEW V AS SELECT a FROM X"
    assert refused(text, inside) == ["the path /etc/passwd is not for the network"]
    assert refused("CREATE QUERY q INTO json OPTIONS (path '/x') AS SELECT 1 AS a", inside)[0].startswith("the path /x")


def test_queries_that_are_like_others_are_looked_at_too(inside: Path) -> None:
    engine, rules = Engine(folder=inside), guard([inside], inside)
    engine.execute(stream("own.csv"))
    for number in range(40):
        engine.execute(
            f"CREATE QUERY q{number} INTO json OPTIONS (path 'q') AS SELECT a FROM X WHERE a > {number}", rules
        )
    with pytest.raises(ScriptError, match="is not for the network"):
        engine.execute("CREATE QUERY q99 INTO json OPTIONS (path '/x') AS SELECT a FROM X WHERE a > 99", rules)


def test_functions_that_reach_out_are_none(inside: Path) -> None:
    text = f"{stream('own.csv')}; CREATE QUERY q AS SELECT reflect('java.lang.System', 'getenv', 'HOME') AS h FROM X"
    assert len(refused(text, inside)) == 1


def test_tables(inside: Path) -> None:
    def table(connector: str, path: str) -> str:
        given = f"'connector' = '{connector}', 'format' = 'json', 'path' = '{path}'"
        return f"CREATE TABLE X (a INT) WITH ({given})"

    assert refused(table("filesystem", "new"), inside) == []
    for path in ("/etc/passwd", "file:///etc/passwd", "../outside"):
        seen = path.removeprefix("file://")
        assert refused(table("filesystem", path), inside) == [f"the path {seen} is not for the network"]
    assert refused(table("print", "new"), inside) == ["the format console is not for the network"]
    text = f"{table('filesystem', '/x')}; CREATE STREAM S (a INT) TIMESTAMP BY ts; INSERT INTO X SELECT a FROM S"
    assert refused(text, inside) == ["the path /x is not for the network"]
