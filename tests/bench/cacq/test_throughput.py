"""The figures of CACQ: each of them runs, over tiny inputs; and all plans that are compared answer by definition."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tailrace.bench.cacq import niagara, routing, sharing
from tailrace.bench.cacq import throughput as cacq
from tailrace.bench.cacq.niagara import FlowJoin
from tailrace.bench.cacq.stocks import StockWorkload
from tailrace.bench.report.lines import BenchLine, Figure, as_figure_table, as_json, rows
from tailrace.cli.main import app
from tailrace.columnar.delta import Delta, Span


def silent(text: str) -> None:
    pass


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routing, "QUICK_SIZES", (500,))
    monkeypatch.setattr(sharing, "QUICK_ROWS", 200)
    monkeypatch.setattr(niagara, "QUICK_STOCKS", 10)
    monkeypatch.setattr(niagara, "QUICK_UDF", (3, 2))


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("part", [part for part in cacq.PARTS if part != "throughput"])
def test_a_part_runs(part: str, tmp_path: Path) -> None:
    found = cacq.PARTS[part](True, silent)
    figures = [each for each in found if isinstance(each, Figure)]
    lines = [each for each in found if isinstance(each, BenchLine)]
    assert figures or lines
    for figure in figures:
        assert len(as_figure_table(figure).columns) == 1 + len(figure.curves)
        assert all(value > 0 or figure.name == "fig10" for curve in figure.curves for _, value in curve.points)
        assert "§" in figure.paper or "no such figure" in figure.paper
    assert all(line.ratio == pytest.approx(line.value / line.beside_value) for line in lines)
    assert len(json.loads(as_json("cacq", lines, figures)).get("figures", [])) == len(figures)
    if figures:
        pytest.importorskip("matplotlib")
        from tailrace.bench.report.plots import plot_figures

        plot_figures("cacq", figures, tmp_path / "a.png")
        assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.spark
@pytest.mark.slow
def test_throughput_runs() -> None:
    _, line = cacq.throughput(True, silent)
    assert isinstance(line, BenchLine)
    assert line.value > 0


def test_a_figure_as_a_table() -> None:
    (figure, *_) = cacq.PARTS["fig10"](True, silent)
    assert isinstance(figure, Figure)
    assert rows(figure)[0] == ["1", "100", "0", "0", "0", "0"]
    assert len(rows(figure)) == routing.EVERY * (routing.FIELDS + 1)


@pytest.mark.usefixtures("tiny")
def test_parts_are_chosen_on_the_command_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "cacq", "fig10", "--quick", "--json", str(tmp_path / "a.json")])
    assert result.exit_code == 0, result.stderr
    assert "workload 3" in result.stdout
    assert {each["name"] for each in json.loads((tmp_path / "a.json").read_text())["figures"]} == {"fig10"}
    result = CliRunner().invoke(app, ["bench", "cacq", "fig66"])
    assert (result.exit_code, result.stderr) == (1, "error: cacq has no part fig66\n  hint: did you mean fig6?\n")
    result = CliRunner().invoke(app, ["bench", "windows", "fig6"])
    assert (result.exit_code, result.stderr) == (1, "error: windows has no part fig6\n")


# Plans to compare with -------------------------------------------------------------------------------------


def bag(parts: list[Delta]) -> Counter[tuple[object, ...]]:
    """The joined tuples as a bag, whichever queries get them."""
    return Counter(row for part in parts for row in zip(*(each.to_pylist() for each in part.columns), strict=True))


@pytest.mark.parametrize("udf", [False, True], ids=["prices", "functions"])
def test_a_flow_and_the_plans_of_niagara_answer_by_definition(udf: bool) -> None:
    workload = StockWorkload(5, 12, articles=3, udf=udf)
    plans = niagara.Plans(workload)
    stocks, articles = workload.update(0)
    quotes, stories = (
        list(zip(*(column.to_pylist() for column in each.columns), strict=True)) for each in (stocks, articles)
    )
    expected = Counter(
        (number, *quote, *story)
        for number, above in enumerate(workload.prices)
        for quote in quotes
        for story in stories
        if quote[0] == story[0] and quote[1] > above
    )
    assert bag(list(plans.pull_up(stocks, articles, Span(-1, 0)))) == expected
    assert bag(list(FlowJoin(workload)(stocks, articles, Span(-1, 0)))) == expected
    without = Counter[tuple[object, ...]]()
    for row, times in expected.items():
        without[row[1:]] += times
    parts = list(plans.push_down(stocks, articles, Span(-1, 0)))
    assert bag(parts) == without
    assert [len(part) for part in parts] == [sum(row[0] == n for row in expected) for n in range(5)]
