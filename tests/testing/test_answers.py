"""A user's view of the test kit: rows as texts and lists, timestamps of both kinds, and what is said of wrong ones."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from tailrace.errors import RunError
from tailrace.testing import evaluate_script, random_script
from tests.test_tidy import ROOT

DECLARED = """CREATE STREAM S (k STRING, v INT) TIMESTAMP BY ts;
CREATE RELATION R (k STRING, city STRING) TIMESTAMP BY ts OP BY op;
CREATE RELATION T (k STRING, n INT) USING csv OPTIONS (path 'T.csv');
"""
JOIN = DECLARED + "CREATE QUERY q AS SELECT ISTREAM(S.v, R.city) FROM S [NOW], R WHERE S.k = R.k;"


def test_texts_and_lists_give_the_same() -> None:
    texts = {"S": "a 1 @1\na 2 @3\nb None @3", "R": "+ a 'New York' @0\n- a 'New York' @2\n+ b Bonn @2"}
    lists = {"s": [(1, "a", 1), (3, "a", 2), (3, "b", None)]}
    lists["R"] = [(0, "+", "a", "New York"), (2, "-", "a", "New York"), (2, "+", "b", "Bonn")]
    answers = evaluate_script(JOIN, texts)["q"], evaluate_script(JOIN, lists)["q"]
    assert [str(answer) for answer in answers] == ["1 New York @1\nNone Bonn @3"] * 2


def test_moments() -> None:
    script = "CREATE STREAM S (v INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT COUNT(*) AS n FROM S [RANGE 2 SECONDS];"
    answer = evaluate_script(script, {"S": "1 @2024-03-01 10:00:00\n2 @2024-03-01T10:00:05"})["q"]
    assert answer.at(datetime(2024, 3, 1, 10, 0, 1)) == [(1,)]
    assert answer.differences([(datetime(2024, 3, 1, 10), "+", 1)]) != []


def test_sources_without_rows_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "T.csv").write_text("k,n\na,5\n")
    script = DECLARED + "CREATE QUERY q AS SELECT n FROM T;"
    assert evaluate_script(script, folder=tmp_path)["q"].at(0) == [(5,)]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"R": ""}, "no rows are given for S"),
        ({"S": "", "R": "", "X": ""}, "the script declares no source X"),
        ({"S": "a 1", "R": ""}, "a timestamp is missing after 'a 1'"),
        ({"S": "a @1", "R": ""}, "S has 2 columns, and not the 1 of ('1', 'a')"),
    ],
)
def test_wrong_rows(rows: dict[str, str], said: str) -> None:
    with pytest.raises(RunError) as problem:
        evaluate_script(JOIN, rows)
    assert problem.value.message == said


@pytest.mark.parametrize("seed", [1, 12, 23])
def test_random_scripts_can_be_evaluated(seed: int) -> None:
    script = random_script(seed, 4)
    answers = evaluate_script(script.text(), script.rows())
    assert set(answers) == set(script.queries)


def test_the_kit_needs_neither_spark_nor_what_only_tests_have() -> None:
    code = (
        "import sys, tailrace.testing; print(sorted({'pyspark', 'hypothesis', 'duckdb', 'pytest'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout == "[]\n"
