"""Kept statements: a later start leaves an engine with what it had, and what it cannot execute is said and kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.engine.engine import Engine
from tailrace.engine.internals import script_of
from tailrace.errors import RunError, ScriptError, TailraceError
from tailrace.server.engine_worker import EngineWorker, UnknownError
from tailrace.server.kept_statements import FILE, KeptStatements
from tailrace.server.statement_guard import guard

SCRIPT = """
CREATE STREAM S (k INT, v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;
CREATE VIEW Big AS SELECT k, v FROM S WHERE v > 4;
CREATE QUERY large AS SELECT k FROM Big;
"""


def begin(folder: Path, script: str = SCRIPT) -> EngineWorker:
    """A server without HTTP and without a run, started with a script, which keeps statements in a folder."""
    engine, allowed = Engine(folder=folder, keep=0), guard([folder], folder)
    engine.execute(script)
    (folder / "kept").mkdir(exist_ok=True)
    kept = KeptStatements.open(str(folder / "kept"))
    return EngineWorker(engine, allowed, kept.execute(lambda text: engine.execute(text, allowed), script))


def definitions_of(worker: EngineWorker) -> dict[str, str]:
    """What there is: of queries and views the text, of the rest the kind."""
    entries = script_of(worker.engine).program.catalog.entries.values()
    return {each.name: each.expanded_text() if hasattr(each, "expanded_text") else each.word for each in entries}


def left_out(worker: EngineWorker) -> dict[str, str | None]:
    return {each.text: each.problem for each in worker.kept.left_out}


def test_what_came_over_the_network_is_there_again(tmp_path: Path) -> None:
    first = begin(tmp_path)
    first.execute("CREATE VIEW Small AS SELECT k, v FROM S WHERE v < 3; SHOW VIEWS")
    first.register("SELECT v FROM Small -- few\n", None, None, {})
    first.register("SELECT k FROM S", "odd; name", "json", {"path": "it's"})
    first.drop("LARGE")
    first.set("batch.time", "7 seconds")
    first.set("shedding", "on")
    again = begin(tmp_path)
    assert definitions_of(again) == definitions_of(first)
    assert list(definitions_of(again)) == ["S", "Big", "Small", "q1", "odd; name"]
    assert script_of(again.engine).program.settings == script_of(first.engine).program.settings
    assert again.kept == first.kept
    assert left_out(again) == {}
    assert list(again.kept.describe()) == ["6 kept statements executed"]


def test_what_was_undone_is_not_kept(tmp_path: Path) -> None:
    worker = begin(tmp_path)
    for number in range(50):
        worker.register("SELECT v FROM S", "q", None, {})
        worker.drop("Q")
        worker.set("batch.rows", str(1 + number))
        worker.execute(f"SET maxRowsPerBatch = '{100 + number}'")
    assert [each.text for each in worker.kept.statements] == ["SET maxRowsPerBatch = '149'"]


def test_a_query_of_the_script_that_was_replaced_stays_replaced(tmp_path: Path) -> None:
    worker = begin(tmp_path)
    for number in range(3):
        worker.drop("large")
        worker.register(f"SELECT v FROM Big WHERE v > {number}", "large", None, {})
    assert [each.action for each in worker.kept.statements] == ["drop", "create"]
    assert definitions_of(begin(tmp_path)) == definitions_of(worker)
    assert definitions_of(begin(tmp_path, SCRIPT.replace("v > 4", "v > 5")))["large"] == definitions_of(worker)["large"]


def test_what_is_wrong_now_is_said_kept_and_tried_again(tmp_path: Path) -> None:
    first = begin(tmp_path)
    first.execute("CREATE VIEW Small AS SELECT k, v FROM S WHERE v < 3")
    first.register("SELECT v FROM Small", "few", None, {})
    first.register("SELECT k FROM S", "all", None, {})
    changed = begin(tmp_path, SCRIPT.replace("v INT", "w INT").replace("v > 4", "w > 4").replace("k, v", "k, w"))
    assert left_out(changed) == {
        "CREATE VIEW Small AS SELECT k, v FROM S WHERE v < 3": "no column v in S",
        "CREATE QUERY few AS SELECT v FROM Small": "no stream, relation or view Small",
    }
    assert "all" in definitions_of(changed)
    assert any("kept statement left out: CREATE QUERY few AS" in line for line in changed.kept.describe())
    changed.register("SELECT w FROM S", "more", None, {})
    again = begin(tmp_path)
    assert {"Small", "few", "all"} <= set(definitions_of(again))
    assert left_out(again) == {"CREATE QUERY more AS SELECT w FROM S": "no column w in S"}


def test_what_the_script_has_too(tmp_path: Path) -> None:
    """The script comes first; the same statement is no news, and another one of that name is kept for later."""
    first = begin(tmp_path)
    first.register("SELECT v   FROM S", "same", None, {})
    first.register("SELECT k FROM S", "other", None, {})
    script = SCRIPT + "CREATE QUERY same AS select v from S; CREATE QUERY other AS SELECT v FROM S;"
    again = begin(tmp_path, script)
    assert left_out(again) == {"CREATE QUERY other AS SELECT k FROM S": "there is already a query other"}
    assert "same" not in {each.name for each in again.kept.statements}


def test_a_statement_that_was_left_out_can_be_forgotten_or_replaced(tmp_path: Path) -> None:
    first = begin(tmp_path)
    first.register("SELECT v FROM Big", None, None, {})
    first.register("SELECT v FROM Big", "b", None, {})
    without = SCRIPT.partition("CREATE VIEW")[0]
    second = begin(tmp_path, without)
    assert [each.name for each in second.kept.left_out] == ["q1", "b"]
    assert second.register("SELECT v FROM S", None, None, {}).name == "q2"  # q1 may come back
    second.register("SELECT k FROM S", "B", None, {})
    second.forget("Q1")
    with pytest.raises(UnknownError, match="no statement about q2 was left out"):
        second.forget("q2")
    third = begin(tmp_path)
    assert left_out(third) == {}
    assert [each.text for each in third.kept.statements] == [
        "CREATE QUERY q2 AS SELECT v FROM S",
        "CREATE QUERY B AS SELECT k FROM S",
    ]


def test_what_reads_a_statement_that_was_replaced(tmp_path: Path) -> None:
    """The view that a query reads was left out and is created anew: the file has the query before the view."""
    first = begin(tmp_path)
    first.execute("CREATE VIEW Small AS SELECT k, v FROM S WHERE v < 3")
    first.register("SELECT v FROM Small", "few", None, {})
    second = begin(tmp_path, SCRIPT.replace("v INT", "w INT").replace("v > 4", "w > 4").replace("k, v", "k, w"))
    assert [each.name for each in second.kept.left_out] == ["small", "few"]
    second.execute("CREATE VIEW Small AS SELECT k, k AS v FROM S")
    third = begin(tmp_path)
    assert left_out(third) == {}
    assert [each.name for each in third.kept.statements] == ["small", "few"]
    assert {"Small", "few"} <= set(definitions_of(third))


def test_only_the_user_can_read_the_file(tmp_path: Path) -> None:
    begin(tmp_path).register("SELECT v FROM S", "q", None, {})
    assert (tmp_path / "kept" / FILE).stat().st_mode & 0o777 == 0o600


def test_nothing_is_kept_without_a_folder(tmp_path: Path) -> None:
    engine = Engine(folder=tmp_path, keep=0)
    engine.execute(SCRIPT)
    worker = EngineWorker(engine, guard([tmp_path], tmp_path), KeptStatements.open(None))
    worker.register("SELECT v FROM S", "q", None, {})
    assert worker.kept.statements == ()


def test_folders_that_are_not_allowed_any_more(tmp_path: Path) -> None:
    first = begin(tmp_path)
    first.register("SELECT v FROM S", "out", "json", {"path": "out"})
    (tmp_path / "elsewhere").mkdir()
    engine = Engine(folder=tmp_path, keep=0)
    engine.execute(SCRIPT)
    allowed = guard([tmp_path / "elsewhere"], tmp_path)
    kept = KeptStatements.open(str(tmp_path / "kept")).execute(lambda text: engine.execute(text, allowed), SCRIPT)
    assert [each.problem for each in kept.statements] == ["the path out is not for the network"]


def test_a_start_without_them(tmp_path: Path) -> None:
    first = begin(tmp_path)
    first.register("SELECT v FROM S", "q", None, {})
    kept = KeptStatements.open(str(tmp_path / "kept")).leave_out("--without-kept")
    assert list(kept.describe()) == ["kept statement left out: CREATE QUERY q AS SELECT v FROM S (--without-kept)"]
    assert kept.without("q").statements == ()


def test_what_is_refused_is_not_kept(tmp_path: Path) -> None:
    worker = begin(tmp_path)
    for text in ("CREATE QUERY q AS SELECT x FROM S", "SET spark.x = 'y'", "DROP VIEW Big", "SHOW VIEWS; nonsense"):
        with pytest.raises(TailraceError):
            worker.execute(text)
    worker.execute("SHOW VIEWS; EXPLAIN large")
    assert worker.kept.statements == ()
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    begin(tmp_path).register("SELECT v FROM S", "q", None, {})
    file = tmp_path / "kept" / FILE
    whole = file.read_bytes()
    for content in (whole.replace(b"SELECT v", b"SELECT k"), whole[:-9], b"", b'{"format": 1, "statements": []}'):
        file.write_bytes(content)
        with pytest.raises(RunError, match=rf"{FILE} is damaged"):
            KeptStatements.open(str(tmp_path / "kept"))


def test_what_cannot_be_written_is_said_and_written_later(tmp_path: Path) -> None:
    worker = begin(tmp_path)
    (tmp_path / "kept").rmdir()
    with pytest.raises(RunError, match="this was done, and is not kept for the next start: No such file or directory"):
        worker.register("SELECT v FROM S", "q", None, {})
    (tmp_path / "kept").mkdir()
    worker.register("SELECT k FROM S", "r", None, {})
    assert definitions_of(begin(tmp_path)) == definitions_of(worker)


def test_a_file_that_another_server_changed_meanwhile(tmp_path: Path) -> None:
    begin(tmp_path).register("SELECT v FROM S", "q", None, {})
    second = begin(tmp_path)
    second.kept.refuse_changed()
    begin(tmp_path).register("SELECT v FROM S", "r", None, {})
    with pytest.raises(RunError, match="another server changed"):
        second.kept.refuse_changed()


NAMES = st.sampled_from(["q", "r", "large", "View1", "S2"])
STEPS = st.one_of(
    st.builds("CREATE QUERY {} AS SELECT v FROM S WHERE v > {}".format, NAMES, st.integers(0, 9)),
    st.builds("CREATE VIEW {} AS SELECT v, k FROM {}".format, NAMES, st.sampled_from(["S", "View1", "S2"])),
    st.builds("CREATE STREAM {} (k INT, v INT) USING rate".format, NAMES),
    st.builds("DROP {} {}".format, st.sampled_from(["QUERY", "VIEW", "STREAM"]), NAMES),
    st.builds("SET batch.rows = '{}'".format, st.integers(1, 9)),
)


@given(steps=st.lists(STEPS, max_size=25))
def test_any_statements_leave_what_they_left(steps: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("any")
    worker = begin(folder)
    for step in steps:
        try:
            worker.execute(step)
        except TailraceError:
            continue
    again = begin(folder)
    assert left_out(again) == {}
    assert definitions_of(again) == definitions_of(worker)
    assert script_of(again.engine).program.settings == script_of(worker.engine).program.settings


T = "CREATE TABLE t (k INT) WITH ('connector' = 'blackhole')"
W = "CREATE VIEW W AS SELECT k FROM Big"


@pytest.mark.parametrize(
    "texts",
    [
        ["ALTER QUERY large AS SELECT v FROM Big"],
        ["ALTER QUERY large AS SELECT v FROM Big", "DROP QUERY large"],
        ["CREATE OR REPLACE QUERY large AS SELECT v FROM Big", "DROP QUERY large"],
        ["CREATE OR REPLACE QUERY new AS SELECT v FROM Big", "CREATE OR REPLACE QUERY new AS SELECT k FROM Big"],
        ["CREATE OR REPLACE QUERY new AS SELECT v FROM Big", "DROP QUERY new"],
        [
            "CREATE VIEW W AS SELECT k FROM Big",
            "CREATE QUERY r AS SELECT k FROM W",
            "CREATE OR REPLACE VIEW W AS SELECT k FROM S",
        ],
        ["CREATE QUERY new AS SELECT v FROM Big", "CREATE QUERY IF NOT EXISTS new AS SELECT k FROM Big"],
        ["CREATE QUERY IF NOT EXISTS large AS SELECT v FROM Big", "DROP QUERY large"],
        ["CREATE QUERY reader AS SELECT k FROM large", "DROP QUERY IF EXISTS nothing"],
        [
            T,
            "INSERT INTO t SELECT k FROM S",
            "INSERT INTO t SELECT v FROM S",
        ],
        [T, "INSERT INTO t SELECT k FROM S", "DROP QUERY t"],
        [T, "DROP TABLE t"],
    ],
)
def test_replaced_altered_and_inserted(tmp_path: Path, texts: list[str]) -> None:
    first = begin(tmp_path)
    for text in texts:
        first.execute(text)
    again = begin(tmp_path)
    assert definitions_of(again) == definitions_of(first)
    assert script_of(again.engine).program.catalog.tables == script_of(first.engine).program.catalog.tables
    assert left_out(again) == {}
    again.execute("SHOW QUERIES")
    assert again.kept == first.kept


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("INSERT INTO t SELECT k FROM S", "t"),
        ("ALTER QUERY out AS SELECT v FROM S", "out"),
        ("CREATE OR REPLACE VIEW Big AS SELECT v AS k, v FROM S", "out"),
        ("CREATE OR REPLACE STREAM S (k INT, v BIGINT) USING json OPTIONS (path 'S') TIMESTAMP BY ts", "out"),
    ],
)
def test_rows_of_sinks_outside_stay_what_the_script_says(tmp_path: Path, text: str, name: str) -> None:
    outside = "CREATE QUERY out INTO json OPTIONS (path '/elsewhere') AS SELECT k FROM Big;"
    table = "CREATE TABLE t (k INT) WITH ('connector' = 'filesystem', 'path' = '/elsewhere', 'format' = 'json');"
    worker = begin(tmp_path, f"{SCRIPT}{outside}{table}")
    with pytest.raises(ScriptError, match=f"the rows of {name} go where the network may not write"):
        worker.execute(text)
    worker.execute("CREATE OR REPLACE QUERY large AS SELECT v FROM Big")
    worker.execute("DROP QUERY out")
    worker.execute("CREATE OR REPLACE VIEW Big AS SELECT v AS k, v FROM S")
