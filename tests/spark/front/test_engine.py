"""The engine from Python on Spark: DataFrames in, rows and DataFrames out, whatever the session is set to."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from tailrace import AnalysisError, Engine, RunError
from tests.patience import PATIENCE
from tests.spark.io.files import aged, written
from tests.spark.run.speeds import CHANGES, NAMES, SPEEDS, SUMS

pytestmark = pytest.mark.spark


@pytest.fixture
def engine(spark: SparkSession, tmp_path: Path) -> Engine:
    """Speeds in ticks, and names that never change."""
    found = Engine(spark, folder=tmp_path)
    found.stream("S", spark.createDataFrame(SPEEDS, "ts BIGINT, k INT, v INT"), timestamp="ts")
    found.relation("R", spark.createDataFrame(NAMES, "k INT, name STRING"))
    return found


@pytest.fixture
def strange(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    """The session, set to something that answers must not depend on."""
    before = {key: spark.conf.get(key) for key in request.param}
    for key, value in request.param.items():
        spark.conf.set(key, value)
    yield spark
    for key, known in before.items():
        spark.conf.set(key, str(known))


def plain(rows: list[Row]) -> list[tuple[Any, ...]]:
    """Rows as tuples, those of one instant and sign in the order of their values."""
    return sorted((tuple(row) for row in rows), key=lambda row: (row[0], row[1] == "+", row[2:]))


# Answers ------------------------------------------------------------------------------------------------------


def test_answers_over_dataframes(engine: Engine) -> None:
    sums = engine.query(SUMS, name="sums")
    big = engine.query("SELECT k, v FROM S WHERE v > 5")
    outcome = engine.run(once=True)
    assert outcome.rows == 4
    assert plain(sums.rows()) == CHANGES
    assert [row._op for row in sums.rows() if row._ts == 1] == ["-", "+", "+"]
    assert [row.asDict() for row in big.rows()] == [
        {"_ts": 1, "k": 1, "v": 6},
        {"_ts": 1, "k": 2, "v": 7},
        {"_ts": 5, "k": 1, "v": 8},
    ]
    assert sums.snapshot() == [Row(name="one", total=8)]
    frame = sums.dataframe()
    assert [field.simpleString() for field in frame.schema] == [
        "_ts:bigint",
        "_op:string",
        "name:string",
        "total:bigint",
    ]
    assert frame.groupBy("name").count().count() == 2


def test_each_run_starts_anew_and_until_ends_it(engine: Engine) -> None:
    sums = engine.query(SUMS, name="sums")
    engine.run(once=True, until=3)
    assert plain(sums.rows()) == CHANGES[:6]
    engine.run(once=True, until=8)
    assert plain(sums.rows()) == [*CHANGES, (8, "-", "one", 8)]
    sums.drop()
    other = engine.query("SELECT COUNT(*) AS n FROM S [NOW]")
    engine.run(once=True)
    assert other.rows()[-1] == Row(_ts=5, _op="+", n=1)
    assert len(sums.rows()) == len(CHANGES) + 1


def test_types_are_right_where_there_is_no_answer(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    engine = Engine(spark, folder=tmp_path)
    schema = "at TIMESTAMP, d DECIMAL(8,2), m MAP<STRING, ARRAY<INT>>, s STRUCT<a: DATE>"
    engine.stream("B", spark.createDataFrame([], schema), timestamp="at")
    engine.stream("F", spark.readStream.schema(schema).parquet(str(tmp_path / "in")), timestamp="at")
    queries = [engine.query(f"SELECT d, m, s FROM {name}") for name in "BF"]
    changes = engine.query("SELECT d FROM F [RANGE 5]")
    engine.run(once=True)
    for query in queries:
        assert query.rows() == []
        types = [field.dataType.simpleString() for field in query.dataframe().schema]
        assert types == ["timestamp", "decimal(8,2)", "map<string,array<int>>", "struct<a:date>"]
        assert query.dataframe().collect() == []
    assert changes.dataframe().columns == ["_ts", "_op", "d"]


def test_values_of_all_types_come_back(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT TIMESTAMP '2024-03-01 10:00:00 UTC' AS at, CAST(1.5 AS DECIMAL(8,2)) AS d, map('a', array(1)) AS m,"
        " named_struct('a', DATE '2024-03-01') AS s, TIMESTAMP_NTZ '2024-03-01 12:00:00' AS n"
    )
    engine = Engine(spark)
    engine.stream("S", frame, timestamp="at", mirror=True)
    query = engine.query("SELECT * FROM S")
    engine.run(once=True)
    (row,) = query.rows()
    noon = datetime(2024, 3, 1, 12)
    ten = datetime(2024, 3, 1, 10, tzinfo=UTC)
    assert (row["_ts"], row["at"], str(row["d"]), row["m"], row["n"]) == (ten, ten, "1.50", {"a": [1]}, noon)
    texts = ["CAST(at AS STRING)", "CAST(n AS STRING)", "s.a", "m['a'][0] AS x"]
    (again,) = query.dataframe().selectExpr(*texts).collect()
    assert tuple(map(str, again)) == ("2024-03-01 10:00:00", "2024-03-01 12:00:00", "2024-03-01", "1")


def test_a_sink(engine: Engine, tmp_path: Path) -> None:
    engine.query(SUMS, "sums", into="json", options={"path": "out"})
    engine.run(once=True)
    assert len(written(tmp_path / "out")) == len(CHANGES)
    assert (tmp_path / "out" / "_SUCCESS").exists()


def test_few_rows_are_kept(spark: SparkSession) -> None:
    engine = Engine(spark, keep=2)
    engine.stream("S", spark.createDataFrame(SPEEDS, "ts BIGINT, k INT, v INT"), timestamp="ts")
    query = engine.query("SELECT v FROM S [NOW]")
    engine.run(once=True)
    assert [row._ts for row in query.rows()] == [2, 5]
    with pytest.raises(RunError, match="more than the 2 rows that are kept"):
        query.snapshot()


# Sources ------------------------------------------------------------------------------------------------------


def test_what_streams_and_what_is_complete_together(spark: SparkSession, tmp_path: Path) -> None:
    """The complete one begins later and ends earlier: neither makes rows of the other late, nor holds them back."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(4):
        lines = [f"2024-03-01 10:0{number}:{second:02},{second}" for second in (0, 30)]
        (folder / f"{number}.csv").write_text("\n".join(["at,v", *lines, ""]))
    aged(folder)
    streaming = spark.readStream.schema("at TIMESTAMP, v INT").option("header", "true").option("maxFilesPerTrigger", 1)
    complete = spark.sql("SELECT TIMESTAMP '2024-03-01 10:01:00' AS at, 0 AS v")
    engine = Engine(spark, folder=tmp_path)
    engine.stream("F", streaming.csv(str(folder)), timestamp="at")
    engine.stream("B", complete, timestamp="at")
    heard: list[list[Row]] = []
    both = engine.query("SELECT F.v FROM F [NOW], B WHERE F.v = B.v")
    counted = engine.query("SELECT COUNT(*) AS n FROM F")
    counted.subscribe(lambda rows: heard.append(list(rows)))
    outcome = engine.run(once=True)
    assert (outcome.rows, outcome.late) == (9, ())
    assert [f"{row._op} {row._ts:%M:%S}" for row in both.rows()] == [
        f"{sign} 0{minute}:0{second}" for minute in (1, 2, 3) for second, sign in enumerate("+-")
    ]
    assert [row.n for row in counted.rows() if row._op == "+"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len(heard) > 1
    assert [row for rows in heard for row in rows] == counted.rows()


def test_time_of_arrival(spark: SparkSession) -> None:
    engine = Engine(spark)
    engine.stream("S", spark.createDataFrame([(1,), (2,)], "v INT"))
    query = engine.query("SELECT SUM(v) AS total FROM S")
    plain_query = engine.query("SELECT v FROM S")
    before = datetime.now(UTC).replace(microsecond=0)
    engine.run(once=True)
    assert query.snapshot() == [Row(total=3)]
    assert sorted(row.v for row in plain_query.rows()) == [1, 2]
    assert all(row._ts >= before for row in plain_query.rows())


def test_relations_that_change(spark: SparkSession) -> None:
    changes = spark.createDataFrame(
        [(1, "+", "a", 1), (2, "+", "a", 2), (3, "-", "a", 1)], "ts INT, op STRING, k STRING, v INT"
    )
    engine = Engine(spark)
    engine.relation("Signed", changes, timestamp="ts", op="op")
    engine.relation("Newest", changes.drop("op"), timestamp="ts", key="k")
    signed, newest = engine.query("SELECT k, v FROM Signed"), engine.query("SELECT k, v FROM Newest")
    engine.run(once=True)
    assert signed.snapshot() == [Row(k="a", v=2)]
    assert newest.snapshot() == [Row(k="a", v=1)]


def test_a_dataframe_is_computed_once(spark: SparkSession) -> None:
    """What is looked at, shared out and answered is the same, also of a DataFrame that is another each time."""
    engine = Engine(spark)
    engine.stream("S", spark.range(200).selectExpr("id AS ts", "CAST(rand() * 1000000 AS INT) AS v"), timestamp="ts")
    values = engine.query("SELECT v FROM S")
    top = engine.query("SELECT MAX(v) AS top FROM S")
    engine.run(once=True)
    assert [row.top for row in top.snapshot()] == [max(row.v for row in values.rows())]


def test_rows_of_one_instant_arrive_in_their_order(spark: SparkSession) -> None:
    engine = Engine(spark)
    first = spark.createDataFrame([(7, number) for number in range(40)], "ts INT, v INT").repartition(5)
    engine.stream("S", first, timestamp="ts")
    query = engine.query("SELECT v FROM S [ROWS 3]")
    engine.run(once=True)
    assert sorted(row.v for row in query.snapshot()) == sorted(row.v for row in first.collect()[-3:])


def test_dropped_sources_are_forgotten(engine: Engine, spark: SparkSession) -> None:
    engine.execute("DROP STREAM S; CREATE STREAM S (x INT) USING dataframe;")
    engine.query("SELECT x FROM S")
    with pytest.raises(RunError, match="S has no DataFrame"):
        engine.run(once=True)
    engine.execute("DROP QUERY q1; DROP STREAM S")
    engine.stream("s", spark.createDataFrame([(3, 1)], "ts INT, x INT"), timestamp="ts")
    query = engine.query("SELECT x FROM S")
    engine.run(once=True)
    assert query.rows() == [Row(_ts=3, x=1)]


def test_dataframes_that_cannot_be_sources(spark: SparkSession, engine: Engine) -> None:
    with pytest.raises(AnalysisError, match="the column i is interval day to second, which queries do not know"):
        engine.stream("I", spark.sql("SELECT INTERVAL '1' DAY AS i").selectExpr("i * 1 AS i"))
    with pytest.raises(AnalysisError, match="when does each change happen"):
        engine.relation("T", spark.readStream.format("rate").load())
    with pytest.raises(Exception, match="no column kk for the KEY"):
        engine.stream("K", spark.createDataFrame([(1,)], "k INT"), key="kk")
    with pytest.raises(Exception, match="there is already a stream S"):
        engine.stream("S", spark.createDataFrame([(1,)], "k INT"))


def test_rows_without_a_time_are_told_of(spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    engine = Engine(spark, folder=tmp_path)
    engine.stream("S", spark.createDataFrame([(1, 1), (None, 2)], "ts INT, v INT"), timestamp="ts")
    query = engine.query("SELECT v FROM S")
    with caplog.at_level(logging.WARNING, "tailrace"):
        outcome = engine.run(once=True)
    assert [(left.source, left.rows) for left in outcome.unreadable] == [("S", 1)]
    assert caplog.messages[0].startswith("S: 1 row could not be read; it is kept in ")
    assert query.rows() == [Row(_ts=1, v=1)]


# Functions ----------------------------------------------------------------------------------------------------


def test_functions_and_aggregates(engine: Engine) -> None:
    class Spread:
        """The distance between the least and the greatest value."""

        returns = "INT"

        def __init__(self) -> None:
            self.values: list[int] = []

        def add(self, value: int) -> None:
            self.values.append(value)

        def remove(self, value: int) -> None:
            self.values.remove(value)

        def result(self) -> int | None:
            return max(self.values) - min(self.values) if self.values else None

    engine.function("times", lambda one, other: one * other, returns="BIGINT")
    engine.aggregate("spread", Spread)
    times = engine.query("SELECT times(k, v) AS t FROM S")
    spread = engine.query("SELECT k, spread(v) AS s FROM S GROUP BY k")
    engine.run(once=True)
    assert sorted(row.t for row in times.rows()) == [4, 6, 8, 14]
    assert sorted(map(tuple, spread.snapshot())) == [(1, 4), (2, 0)]


def test_a_function_that_fails(engine: Engine) -> None:
    engine.function("half", lambda value: value // 0, returns="INT")
    engine.query("SELECT half(v) AS h FROM S")
    with pytest.raises(RunError, match="half"):
        engine.run(once=True)


# The session --------------------------------------------------------------------------------------------------

TIMES = "at,v\n2024-03-01 10:00:00,7\n2024-03-01 23:30:00,x\n"
ZONE, ANSI = "spark.sql.session.timeZone", "spark.sql.ansi.enabled"
ASKED = "SELECT hour(at) AS h, CAST(v AS INT) AS n, CAST(at AS STRING) AS t, date_trunc('DAY', at) AS d FROM S"


@pytest.mark.parametrize(
    "strange",
    [
        {ZONE: "Asia/Kolkata"},
        {ANSI: "true"},
        {ANSI: "false"},
        {"spark.sql.adaptive.enabled": "true"},
        {"spark.sql.timestampType": "TIMESTAMP_NTZ", "spark.sql.caseSensitive": "true"},
        {"spark.sql.parser.escapedStringLiterals": "true", "spark.sql.legacy.timeParserPolicy": "LEGACY"},
    ],
    indirect=True,
    ids=lambda settings: " ".join(key.rpartition(".")[2] for key in settings),
)
def test_answers_do_not_depend_on_the_session(strange: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text(TIMES)
    known, tables = dict(strange.conf.getAll), strange.catalog.listTables()
    engine = Engine(strange, folder=tmp_path)
    engine.execute("CREATE STREAM S (at TIMESTAMP, v STRING) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY at")
    asked = engine.query(ASKED)
    kept = engine.query(f"{ASKED} [RANGE 1 DAY] WHERE v LIKE '%\\\\_%' OR v RLIKE '\\\\w'")
    sums = engine.query("SELECT hour(at) AS h, SUM(CAST(v AS INT)) AS n FROM S [RANGE 1 HOUR] GROUP BY hour(at)")
    engine.run(once=True)
    day = datetime(2024, 3, 1, tzinfo=UTC)
    expected = [(10, 7, "2024-03-01 10:00:00", day), (23, None, "2024-03-01 23:30:00", day)]
    assert [tuple(row)[1:] for row in asked.rows()] == expected
    assert asked.rows()[0]["_ts"] == datetime(2024, 3, 1, 10, tzinfo=UTC)
    assert [tuple(row)[2:] for row in kept.rows()] == expected
    assert [tuple(row)[1:] for row in sums.rows()] == [("+", 10, 7), ("-", 10, 7), ("+", 23, None)]
    # As the user's own session sees the answers.
    assert asked.dataframe().schema["_ts"].dataType.simpleString() == "timestamp"
    assert [row[0] for row in asked.dataframe().selectExpr("unix_seconds(_ts)").collect()] == [1709287200, 1709335800]
    assert dict(strange.conf.getAll) == known
    assert strange.catalog.listTables() == tables


def test_answers_do_not_depend_on_the_zone_of_the_machine(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(spark)
    engine.stream("S", spark.sql("SELECT TIMESTAMP '2024-03-01 10:00:00 UTC' AS at"), timestamp="at", mirror=True)
    query = engine.query("SELECT at, array(at) AS list FROM S")
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        engine.run(once=True)
        (row,) = query.rows()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert {each.isoformat() for each in (row["_ts"], row["at"], *row["list"])} == {"2024-03-01T10:00:00+00:00"}


@pytest.mark.parametrize("strange", [{ZONE: "Asia/Kolkata", ANSI: "true"}], indirect=True, ids=["Kolkata"])
def test_a_dataframe_means_what_it_means_in_its_session(strange: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "S.csv").write_text(TIMES)
    schema, path = "at TIMESTAMP, v STRING", str(tmp_path / "in")
    engine = Engine(strange, folder=tmp_path)
    frame = strange.read.schema(schema).option("header", "true").csv(path).selectExpr("*", "hour(at) AS h")
    stream = strange.readStream.schema(schema).option("header", "true").csv(path).selectExpr("*", "hour(at) AS h")
    engine.stream("B", frame, timestamp="at")
    engine.stream("F", stream, timestamp="at")
    engine.relation("Never", frame)
    queries = [engine.query(f"SELECT h FROM {name}") for name in "BF"]
    static = engine.query("SELECT h, hour(at) AS ours FROM Never")
    engine.run(once=True)
    for query in queries:
        assert [(row._ts.astimezone(UTC).strftime("%H:%M"), row.h) for row in query.rows()] == [
            ("04:30", 10),
            ("18:00", 23),
        ]
    assert sorted((row.h, row.ours) for row in static.rows()) == [(10, 4), (23, 18)]


def test_settings_of_a_script(engine: Engine, spark: SparkSession) -> None:
    query = engine.query("SELECT v FROM S")
    engine.execute("SET spark.sql.shuffle.partitions = 3")
    engine.run(once=True)
    assert len(query.rows()) == 4
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    engine.execute("SET spark.sql.warehouse.dir = 'elsewhere'")
    with pytest.raises(RunError, match="warehouse"):
        engine.run(once=True)


def test_what_is_no_session(tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text(TIMES)
    engine = Engine(object(), folder=tmp_path)  # type: ignore[arg-type]
    engine.execute("CREATE STREAM S (v STRING) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY at")
    engine.query("SELECT v FROM S")
    with pytest.raises(RunError, match="this is no Spark session that runs here"):
        engine.run(once=True)


def test_a_session_is_started_where_there_is_none() -> None:
    code = (
        "import tailrace\nengine = tailrace.Engine()\n"
        "engine.stream('S', engine.spark.createDataFrame([(1, 5)], 'ts INT, v INT'), timestamp='ts')\n"
        "q = engine.query('SELECT v FROM S')\n"
        "engine.run(once=True)\n"
        "print(q.rows())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.strip() == "[Row(_ts=1, v=5)]", done.stderr


def test_the_session_at_hand(spark: SparkSession) -> None:
    known = dict(spark.conf.getAll)
    assert Engine().spark is spark
    assert dict(spark.conf.getAll) == known
