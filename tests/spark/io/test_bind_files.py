"""Columns of csv files are bound by name, file by file, whatever the order of columns in the first one."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tailrace.spark.io.read_files import remote_head
from tests.spark.io.files import aged, kept
from tests.spark.run.loops import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

EVERY = "CREATE QUERY every AS SELECT a, b FROM S;"


def stream(options: str = "", columns: str = "a INT, b INT", clauses: str = "TIMESTAMP BY ts") -> str:
    return f"CREATE STREAM S ({columns}) USING csv OPTIONS (path 'S'{options}) {clauses};"


def write(folder: Path, *texts: str, encoding: str = "utf-8") -> None:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number} of all.csv").write_text(text, encoding=encoding)
    aged(folder)


@pytest.mark.parametrize(("files", "scan"), [("1", "arrow"), ("2", "arrow"), ("10", "arrow"), ("2", "spark")])
def test_other_orders(spark: SparkSession, tmp_path: Path, files: str, scan: str) -> None:
    """The same in one batch and in several; the first instant's rows come in the order of files."""
    write(tmp_path / "S", "ts,a,b\n1,1,2\n", "ts,b,a\n2,4,3\n", "b,a,ts\n6,5,3\n", "ts,a,b\n4,7,8\n")
    script = f"SET scan = '{scan}';" + stream(f", maxFilesPerTrigger '{files}'")
    outcome, answers = run(spark, tmp_path, f"{script}{EVERY}CREATE QUERY last AS SELECT ISTREAM(a) FROM S [ROWS 1];")
    assert not outcome.unreadable
    assert answers["every"] == [(1, 1, 2), (2, 3, 4), (3, 5, 6), (4, 7, 8)]
    assert answers["last"] == [(1, 1), (2, 3), (3, 5), (4, 7)]


@pytest.mark.parametrize("scan", ["arrow", "spark"])
def test_columns_more_or_less(spark: SparkSession, tmp_path: Path, scan: str) -> None:
    """A column that a file does not have is NULL; a row without a timestamp is reported."""
    texts = ["ts,a,b\n1,1,2\n", "x,ts,a,b,a,\nx,2,3,4,9,\n", "b,ts\n5,3\n", "a,b\n7,8\n", ""]
    write(tmp_path / "S", *texts)
    outcome, answers = run(
        spark, tmp_path, f"SET scan = '{scan}';{stream()}CREATE QUERY every AS SELECT COALESCE(a, -1), b FROM S;"
    )
    assert answers["every"] == [(1, 1, 2), (2, 3, 4), (3, -1, 5)]
    (told,) = outcome.unreadable
    assert (told.rows, told.files) == (1, ("3%20of%20all.csv",))
    assert kept(tmp_path / "unreadable" / "S") == [{"a": 7, "b": 8}]


def test_rows_that_cannot_be_read_are_kept(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "S", "ts,a,b\n1,1,2\n1,x,2\n", "ts,b,a\n2,4,3\n3,x,7\n4,5\n")
    outcome, answers = run(spark, tmp_path, stream() + EVERY)
    assert answers["every"] == [(1, 1, 2), (2, 3, 4)]
    (told,) = outcome.unreadable
    assert told.rows == 3
    assert sorted(row["unreadable"] for row in kept(tmp_path / "unreadable" / "S")) == ["1,x,2", "3,x,7", "4,5"]


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        (", sep ';', quote '~'", ["ts;a;b\n1;1;2\n", "ts;~b~;a\n2;4;3\n"]),
        (", sep '||'", ["ts||a||b\n1||1||2\n", "ts||b||a\n2||4||3\n"]),
        (", multiLine 'true'", ["ts,a,b\n1,1,2\n", 'ts,"b","a",c\n2,4,3,"x\ny"\n']),
        (", comment '#'", ["# ours\nts,a,b\n1,1,2\n", "#\n\nts,b,a\n2,4,3\n"]),
        (", HEADER 'true', enforceSchema 'false'", ["ts,a,b\n1,1,2\n", "ts,b,a\n2,4,3\n"]),
        (", header 'false'", ["1,2,1\n", "3,4,2\n"]),
    ],
)
def test_options(spark: SparkSession, tmp_path: Path, options: str, texts: list[str]) -> None:
    write(tmp_path / "S", *texts)
    _, answers = run(spark, tmp_path, stream(options) + EVERY)
    assert answers["every"] == [(1, 1, 2), (2, 3, 4)]


def test_encodings_and_compressed_files(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "S", "ts,ä,b\n1,1,ö\n", encoding="iso-8859-1")
    with gzip.open(tmp_path / "S" / "1.csv.gz", "wt", encoding="iso-8859-1") as file:
        file.write("b,ä,ts\nü,3,2\n")
    script = stream(", encoding 'ISO-8859-1'", "ä INT, b STRING") + "CREATE QUERY every AS SELECT ä, b FROM S;"
    assert run(spark, tmp_path, script)[1]["every"] == [(1, 1, "ö"), (2, 3, "ü")]


def test_static_relations(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "R", "k,name\n1,one\n", "name,k\ntwo,2\n", " name, more , k\nthree,,3\n")
    (tmp_path / "S.csv").write_text("ts,k\n1,1\n1,2\n1,3\n")
    script = (
        "CREATE STREAM S (k INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;"
        "CREATE RELATION R (k INT, name STRING) USING csv OPTIONS (path 'R');"
        "CREATE QUERY named AS SELECT ISTREAM(name) FROM S [NOW], R WHERE S.k = R.k;"
    )
    assert run(spark, tmp_path, script)[1]["named"] == [(1, "one"), (1, "three"), (1, "two")]


def test_one_folder_as_two_sources(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "S", "ts,a,b\n1,1,2\n", "ts,b,a\n2,4,3\n")
    script = (
        stream() + "CREATE STREAM T (b INT) USING csv OPTIONS (path 'S') TIMESTAMP BY ts;"
        "CREATE QUERY both AS SELECT 'a' AS c, a FROM S UNION ALL SELECT 'b', b FROM T;"
    )
    assert run(spark, tmp_path, script)[1]["both"] == [(1, "a", 1), (1, "b", 2), (2, "a", 3), (2, "b", 4)]


def test_heartbeats(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "S", "ts,a,b,beat\n1,1,2,false\n", "beat,b,a,ts\nfalse,4,3,2\ntrue,,,7\n")
    _, answers = run(
        spark,
        tmp_path,
        stream(clauses="TIMESTAMP BY ts HEARTBEAT BY beat") + EVERY + "CREATE QUERY n AS SELECT COUNT(*) FROM S [NOW];",
    )
    assert answers["every"] == [(1, 1, 2), (2, 3, 4)]
    assert answers["n"][-1][0] == 3


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_blanks_and_byte_order_marks(spark: SparkSession, tmp_path: Path, mark: str) -> None:
    write(tmp_path / "S", f"{mark}ts, a , b\n1,1,2\n", f"{mark}b\t, a,ts\n4,3,2\n", f'{mark}"ts","a","b"\n3,5,6\n')
    outcome, answers = run(spark, tmp_path, stream() + EVERY)
    assert not outcome.unreadable
    assert answers["every"] == [(1, 1, 2), (2, 3, 4), (3, 5, 6)]


def test_folders_that_are_columns(spark: SparkSession, tmp_path: Path) -> None:
    for b, text in ((2, "ts,a\n1,1\n"), (4, "a,ts\n3,2\n")):
        (tmp_path / "S" / f"b={b}").mkdir(parents=True)
        (tmp_path / "S" / f"b={b}" / "x.csv").write_text(text)
    assert run(spark, tmp_path, stream() + EVERY)[1]["every"] == [(1, 1, 2), (2, 3, 4)]


@pytest.mark.parametrize("format", ["csv", "json"])
@pytest.mark.parametrize("clauses", ["RELATION", "STREAM"])
def test_rows_of_which_no_column_is_read(spark: SparkSession, tmp_path: Path, format: str, clauses: str) -> None:
    text = "k\n1\n2\n" if format == "csv" else '{"k": 1}\n{"k": 2}\n'
    (tmp_path / f"R.{format}").write_text(text)
    (tmp_path / "S.csv").write_text("ts\n1\n")
    columns = f"USING {format} OPTIONS (path 'R.{format}')"
    script = f"CREATE {clauses} R (k INT) {columns}; CREATE QUERY n AS SELECT COUNT(*) AS n FROM R;"
    found = run(spark, tmp_path, script)[1]["n"]
    assert [row[1:] for row in found] == [("+", 2)]


def test_a_table_of_which_no_column_is_read_in_a_continuous_run(spark: SparkSession, tmp_path: Path) -> None:
    """There, every column of a source is in the common shape, and a statement may still read none of them."""
    (tmp_path / "R.csv").write_text("k\n1\n")
    (tmp_path / "S.csv").write_text("ts,a\n1,7\n")
    script = (
        "CREATE STREAM S (a INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;"
        "CREATE RELATION R (k INT) USING csv OPTIONS (path 'R.csv');"
        "CREATE QUERY q AS SELECT a FROM S [ROWS 2] WHERE EXISTS (SELECT 1 FROM R);"
    )
    found: list[tuple[object, ...]] = []
    compiled = compile_script(Source(script), tmp_path)
    stand(
        compiled,
        str(tmp_path),
        str(tmp_path / "c"),
        None,
        lambda stop: None,
        "local[2]",
        lambda q, n, r: found.extend(r),
    )
    assert found == [(1, "+", 7)]


def test_the_first_bytes_of_files_that_hadoop_reads(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a b.csv").write_text("ts,a\n")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"ts,b\n" * 1000))
    assert remote_head(spark, f"file:{tmp_path}/a b.csv", 100) == b"ts,a\n"
    assert remote_head(spark, f"file:{tmp_path}/a.csv.gz", 7) == b"ts,b\nts"
