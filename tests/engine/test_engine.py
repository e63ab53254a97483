"""The engine from Python as far as it needs no Spark: statements, queries, functions, and words for wrong ones."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tailrace
from tailrace import CatalogError, Engine, Query, RunError, ScriptError
from tailrace.engine.background_run import BackgroundRun
from tailrace.engine.dataframes import SourceClauses, create_statement
from tailrace.engine.internals import fork_without_queries, script_of
from tailrace.engine.pipeline import PlanningSession
from tailrace.errors import QueryError
from tailrace.progress import RunSummary
from tailrace.schema import Schema
from tailrace.types import BIGINT, DOUBLE, INT, STRING, TIMESTAMP, array
from tests.patience import PATIENCE

S = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;"


@pytest.fixture
def engine() -> Engine:
    found = Engine()
    found.execute(S)
    return found


# Statements ---------------------------------------------------------------------------------------------------


def test_statements_build_on_those_before(engine: Engine) -> None:
    engine.execute("CREATE VIEW V AS SELECT k FROM S WHERE v > 1")
    engine.execute("CREATE QUERY q AS SELECT k FROM V; CREATE QUERY Other AS SELECT COUNT(*) AS n FROM S;")
    assert list(engine.queries) == ["q", "Other"]
    assert repr(engine.queries["Other"]) == "query Other: relation (n BIGINT)"


def test_show_and_explain_are_answered(engine: Engine) -> None:
    assert engine.execute("SHOW QUERIES") == "queries\n  none"
    assert engine.execute("SHOW STREAMS; SHOW VIEWS;") == (
        "streams\n  S(k INT, v INT), timestamp by ts\n\nviews\n  none"
    )
    engine.execute("CREATE QUERY q AS SELECT k FROM S")
    explained = engine.execute("EXPLAIN q")
    assert explained is not None
    assert explained.startswith("q\n")
    assert "stream S" in explained


def test_an_error_has_the_words_of_the_command_line(engine: Engine) -> None:
    with pytest.raises(ScriptError) as raised:
        engine.execute("CREATE VIEW V AS\nSELECT kk FROM S;")
    assert str(raised.value) == (
        "<python>:2:8: error: no column kk in S\n  SELECT kk FROM S;\n         ^^\n  hint: did you mean k?"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        "CREATE QUERY fine AS SELECT k FROM S; CREATE QUERY q AS SELECT nothing FROM S",
        "CREATE QUERY fine AS SELECT k FROM S; CREATE QUERY q AS SELEKT",
        "CREATE STREAM S (k INT); CREATE QUERY fine AS SELECT k FROM S",
        "DROP STREAM S; DROP STREAM S",
        "SET tick = '1 minute'; SET tock = 2",
        "CREATE STREAM S oh",
    ],
)
def test_a_wrong_text_changes_nothing(engine: Engine, wrong: str) -> None:
    before = script_of(engine)
    with pytest.raises(ScriptError):
        engine.execute(wrong)
    assert script_of(engine) is before
    assert engine.queries == {}
    assert engine.execute("SHOW STREAMS") == "streams\n  S(k INT, v INT), timestamp by ts"


def test_drop(engine: Engine) -> None:
    query = engine.query("SELECT k FROM S", "q")
    with pytest.raises(ScriptError, match="stream S is still read by query q"):
        engine.execute("DROP STREAM S")
    query.drop()
    assert engine.queries == {}
    engine.execute("DROP STREAM S")
    assert engine.execute("SHOW STREAMS") == "streams\n  none"


def test_a_query_of_an_old_name_is_a_new_one(engine: Engine) -> None:
    query = engine.query("SELECT k FROM S", "q")
    engine.execute("CREATE QUERY other AS SELECT v FROM S")
    assert engine.queries["q"] is query
    engine.execute("DROP QUERY q; CREATE QUERY q AS SELECT v FROM S")
    assert engine.queries["q"] is not query


# Queries ------------------------------------------------------------------------------------------------------


def test_queries_get_names(engine: Engine) -> None:
    engine.query("SELECT k FROM S", name="q2")
    found = [engine.query("SELECT k FROM S;").name for _ in range(3)]
    assert found == ["q1", "q3", "q4"]


def test_a_wrong_query_points_into_its_own_text(engine: Engine) -> None:
    with pytest.raises(ScriptError) as raised:
        engine.query("SELECT k\nFROM T", name="q")
    assert str(raised.value) == "<python>:2:6: error: no stream, relation or view T\n  FROM T\n       ^"
    with pytest.raises(ScriptError, match=r"<python>:1:1: error: expected one query"):
        engine.query("SELECT k FROM S; SELECT v FROM S")
    with pytest.raises(ScriptError, match=r"^<python>: error: there is already a stream S"):
        engine.query("SELECT k FROM S", name="S")


def test_a_sink_and_its_options(engine: Engine) -> None:
    query = engine.query("SELECT k FROM S", "q", into="json", options={"path": "out"})
    assert (query.definition.format, query.definition.options) == ("json", (("path", "out"),))
    with pytest.raises(RunError, match="the rows of q go into json"):
        query.rows()
    with pytest.raises(ScriptError, match="the sink json needs the option path"):
        engine.query("SELECT k FROM S", into="json")
    with pytest.raises(ScriptError, match="OPTIONS needs USING"):
        engine.query("SELECT k FROM S", options={"path": "out"})


def test_explain(engine: Engine) -> None:
    explained = engine.query("SELECT k FROM S WHERE v > 1", "q").explain()
    assert explained.startswith("query q: stream (k INT)\n  default: S has no window")
    assert "final plan" in explained
    assert engine.queries["q"].explain("mermaid").startswith("flowchart")


@dataclass
class SeenRun:
    """A run in the background that only notes what it was given."""

    given: PlanningSession
    problem: BaseException | None = None

    @property
    def thread(self) -> Any:
        return SimpleNamespace(is_alive=lambda: self.problem is None)

    @property
    def standing(self) -> Any:
        requested = SimpleNamespace(queries=list(self.given.program.queries.values()))
        return SimpleNamespace(failure=lambda query: None, set_shedding=lambda on: None, requested=requested)

    causes, causes_left = BackgroundRun.causes, BackgroundRun.causes_left

    def start(self) -> None: ...

    def stop(self) -> RunSummary:
        return RunSummary()

    def change(self, session: PlanningSession, frames: Any) -> None:
        self.given = session


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[SeenRun]:
    found: list[SeenRun] = []

    def begin(session: PlanningSession, *_: Any) -> SeenRun:
        found.append(SeenRun(session))
        return found[-1]

    monkeypatch.setattr("tailrace.engine.engine.BackgroundRun", begin)
    monkeypatch.setattr(Engine, "spark", None)
    return found


def test_resumed_before_a_run(engine: Engine, runs: list[SeenRun]) -> None:
    """What is resumed in a script begins anew with the run after it, and not again with one after that."""
    engine.query("SELECT k FROM S", "q")
    engine.execute("RESUME QUERY q")
    engine.query("SELECT v FROM S", "p")
    engine.start()
    with pytest.raises(RunError, match="q is not quarantined"):
        engine.execute("RESUME QUERY q")
    engine.execute("RESUME QUERY q; DROP QUERY q;")
    assert list(engine.queries) == ["p"]
    engine.stop()
    engine.start()
    assert [run.given.program.resumed for run in runs] == [{"q"}, set()]


def test_a_run_that_failed_begins_again_for_what_is_resumed(engine: Engine, runs: list[SeenRun]) -> None:
    for name in "pqr":
        engine.query("SELECT k FROM S", name)
    engine.start()
    runs[0].problem = QueryError("2 queries (p, q): no", ["p", "q"])
    with pytest.raises(RunError, match="r is not quarantined"):
        engine.execute("RESUME QUERY r")
    engine.execute("RESUME QUERY q")
    assert len(runs) == 1
    engine.execute("DROP QUERY p")
    assert [run.given.program.resumed for run in runs] == [set(), {"q"}]
    assert list(runs[1].given.program.queries) == ["q", "r"]


def test_quarantined_queries_are_listed(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.query("SELECT k FROM S", "p")
    failed = engine.query("SELECT v FROM S", "q")
    monkeypatch.setattr(Query, "failure", property(lambda query: "no, in batch 7" if query is failed else None))
    assert engine.execute("SHOW QUERIES") == (
        "queries\n  p: stream (k INT)\n  q: stream (v INT)\n    quarantined: no, in batch 7"
    )


def test_before_a_run(engine: Engine) -> None:
    query = engine.query("SELECT k FROM S", "q")
    assert query.rows() == []
    with pytest.raises(RunError, match="no results before the first run"):
        query.dataframe()
    with pytest.raises(RunError, match="only a relation has a snapshot"):
        query.snapshot()


def test_a_run_of_nothing_needs_no_spark() -> None:
    assert Engine().run(once=True).rows == 0


# Functions ----------------------------------------------------------------------------------------------------


class Product:
    returns = "BIGINT"

    def __init__(self) -> None:
        self.product = 1

    def add(self, value: int) -> None:
        self.product *= value

    def result(self) -> int:
        return self.product


def test_functions_are_known_from_then_on(engine: Engine) -> None:
    with pytest.raises(ScriptError, match="half"):
        engine.query("SELECT half(v) AS h FROM S")
    engine.function("half", lambda value: value / 2, returns="DOUBLE")
    engine.aggregate("product", Product)
    engine.query("SELECT half(v) AS h FROM S")
    query = engine.query("SELECT k, product(v) AS p FROM S GROUP BY k")
    assert repr(query) == "query q2: relation (k INT, p BIGINT)"
    with pytest.raises(CatalogError, match="there is already a registered function half"):
        engine.function("half", lambda value: value, returns="DOUBLE")


# DataFrames ---------------------------------------------------------------------------------------------------

COLUMNS = Schema.of(("ts", TIMESTAMP), ("op", STRING), ("a b", array(INT)), ("v", DOUBLE))


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        (SourceClauses(), "CREATE RELATION R (ts TIMESTAMP, op STRING, `a b` ARRAY<INT>, v DOUBLE) USING dataframe"),
        (
            SourceClauses("TS", "1 MINUTE", "op", "v"),
            "CREATE RELATION R (`a b` ARRAY<INT>, v DOUBLE) USING dataframe OPTIONS (timestampType 'TIMESTAMP')"
            " TIMESTAMP BY ts DELAY 1 MINUTE OP BY op KEY (v)",
        ),
        (
            SourceClauses("ts", 5, None, ("op", "a b"), True),
            "CREATE RELATION R (ts TIMESTAMP, op STRING, `a b` ARRAY<INT>, v DOUBLE) USING dataframe"
            " TIMESTAMP BY ts DELAY 5 KEY (op, `a b`)",
        ),
    ],
)
def test_what_a_dataframe_declares(clauses: SourceClauses, expected: str) -> None:
    text = create_statement("RELATION", "R", COLUMNS, clauses)
    assert text == expected
    Engine().execute(text)


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        (SourceClauses("tz"), "the DataFrame of R has no column tz"),
        (SourceClauses("v"), "v is DOUBLE, and a timestamp is a number of ticks or a TIMESTAMP"),
        (SourceClauses("ts", op="v"), "v is DOUBLE, and the sign of a row is"),
        (SourceClauses(delay=5), "a delay needs a timestamp"),
    ],
)
def test_what_a_dataframe_cannot_declare(clauses: SourceClauses, message: str) -> None:
    with pytest.raises(tailrace.AnalysisError, match=message):
        create_statement("RELATION", "R", COLUMNS, clauses)


def test_a_dataframe_of_nothing_but_time() -> None:
    with pytest.raises(tailrace.AnalysisError, match="S has no column beside its timestamp"):
        create_statement("STREAM", "S", Schema.of(("ts", BIGINT)), SourceClauses("ts"))


def test_the_interface_is_small_and_each_part_shows_a_call() -> None:
    public = {name for name in (*vars(Engine), *vars(Engine())) if not name.startswith("_")}
    assert len(public) <= 16, sorted(public)
    for name in public:
        assert f"engine.{name}" in (getattr(Engine, name).__doc__ or ""), f"Engine.{name} shows no call"


# The package --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "import tailrace",
        "import tailrace; engine = tailrace.Engine(); engine.execute('CREATE STREAM S (k INT)');"
        " engine.query('SELECT k FROM S')",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str) -> None:
    code += "\nimport sys\nprint(sorted({'pyspark', 'pyarrow', 'pandas', 'numpy'} & set(sys.modules)))"
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, timeout=PATIENCE)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module tailrace has no attribute Motor"):
        tailrace.Motor


def test_a_fork_reads_the_queries_that_stand() -> None:
    engine = Engine()
    engine.execute("CREATE STREAM S (k INT); CREATE QUERY q1 AS SELECT k FROM S;")
    fork = fork_without_queries(engine)
    assert fork.query("SELECT k FROM q1 WHERE k > 1").name == "q2"
    assert (list(fork.queries), list(engine.queries)) == (["q2"], ["q1"])


def test_explain_analyze_where_nothing_runs() -> None:
    engine = Engine()
    engine.execute("CREATE STREAM S (k INT); CREATE QUERY q AS SELECT k FROM S;")
    said = engine.execute("EXPLAIN ANALYZE q")
    assert said is not None
    assert said.splitlines()[-1] == "no query runs: EXPLAIN ANALYZE measures a run in the background"


def test_what_is_replaced_by_the_same_is_the_same_handle() -> None:
    engine = Engine()
    text = "CREATE OR REPLACE STREAM S (k INT); CREATE OR REPLACE QUERY q AS SELECT k FROM S;"
    assert engine.execute(text) is None
    query = engine.queries["q"]
    said = "note: stream S is as it was: nothing is done\n\nnote: query q is as it was: nothing is done"
    assert engine.execute(text) == said
    assert engine.queries["q"] is query
    engine.execute("ALTER QUERY q AS SELECT k + 1 AS k FROM S")
    assert engine.queries["q"] is not query
