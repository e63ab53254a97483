"""Questions: each is a script that Tailrace compiles, and statements for Flink over the same columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.bench.peers.questions import (
    QUESTIONS,
    Question,
    make_inserts,
    make_script,
    make_standing_filters,
    make_tables,
)
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source


@pytest.mark.parametrize("format", ["csv", "parquet"])
@pytest.mark.parametrize("question", list(QUESTIONS.values()), ids=QUESTIONS)
def test_scripts_compile(question: Question, format: str, tmp_path: Path) -> None:
    for answers in (None, str(tmp_path / "answers")):
        found = compile_script(Source(make_script(question, format, answers), "a.cql"), tmp_path)
        assert len(found.program.queries) == len(question.tailrace) == len(question.flink)


def test_an_answer_has_the_columns_that_are_compared(tmp_path: Path) -> None:
    columns = ("filter", "window-join", "standing-filters", "over-running", "top-n", "session", "interval-join")
    for question in (QUESTIONS[name] for name in columns):
        found = compile_script(Source(make_script(question, "csv"), "a.cql"), tmp_path)
        assert [column.name for column in found.program.queries["measured_0"].plan.schema] == question.columns


def test_flink_gets_a_source_for_each_stream_and_a_sink_for_each_query() -> None:
    question = make_standing_filters(3)
    tables = make_tables(question, "csv", "/data", "'connector' = 'filesystem', 'path' = 'answers/{number}'")
    assert [table.split()[2] for table in tables] == ["S", "answer_0", "answer_1", "answer_2"]
    assert "'path' = '/data/S', 'format' = 'csv'" in tables[0]
    assert "'path' = 'answers/2'" in tables[3]
    assert [insert.split()[2] for insert in make_inserts(question)] == ["answer_0", "answer_1", "answer_2"]


def test_only_questions_about_time_have_a_watermark() -> None:
    timed = {name: "WATERMARK" in make_tables(each, "csv", "", "")[0] for name, each in QUESTIONS.items()}
    assert [name for name, watermark in timed.items() if not watermark] == ["filter"]


def test_standing_filters_share_the_road_without_gaps() -> None:
    bounds = [text.split("xpos >= ")[1].split(" AND xpos < ") for text in make_standing_filters(1000).flink]
    assert bounds[0][0] == "0"
    assert [low for low, _ in bounds[1:]] == [high for _, high in bounds[:-1]]
    assert bounds[-1][1] == "528000"
