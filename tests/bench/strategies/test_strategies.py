"""The study of strategies: its inputs are as the paper's, its clock is right; never how long something took."""

from __future__ import annotations

import numpy as np
import pytest

from tailrace.bench.report.lines import BenchLine, Figure
from tailrace.bench.strategies import operator_costs, retail, strategies
from tailrace.bench.strategies.simulated_clock import Simulation, plan_case
from tailrace.operators.windows.expire import Expire


def silent(text: str) -> None:
    pass


def test_arrivals_are_poisson_and_the_same_at_every_call() -> None:
    found = retail.arrivals(retail.Q3, 10.0, 1000.0)["SalesStream"]
    gaps = np.diff(found.start)
    assert (gaps >= 0).all()
    assert 90 < gaps.mean() < 110
    # Of an exponential distribution the deviation is the mean.
    assert 0.9 < gaps.std() / gaps.mean() < 1.1
    again = retail.arrivals(retail.Q3, 10.0, 1000.0)["SalesStream"]
    assert (again.start == found.start).all()
    assert again.columns == found.columns


def test_six_of_ten_tuples_find_a_partner() -> None:
    one, other = (rows for rows in retail.arrivals(retail.q2(), 10.0, 300.0).values())
    items, theirs = one.columns[1].to_numpy(), other.columns[1].to_numpy()
    found = [
        (theirs[(other.start >= instant - retail.WINDOW) & (other.start <= instant)] == item).any()
        for instant, item in zip(one.start, items, strict=True)
        if instant > retail.WINDOW
    ]
    assert 0.55 < np.mean(found) < 0.65


@pytest.mark.parametrize("case", [retail.Q3, retail.Q4], ids=lambda case: case.name)
def test_a_tenth_are_favourites(case: retail.Case) -> None:
    rows, tables = retail.arrivals(case, 100.0, 100.0)["SalesStream"], retail.favourites(case)
    wanted = np.ones(len(rows), bool)
    for name, column in (("FavoriteItems", 1), ("FavoriteStores", 0)):
        if name in tables:
            wanted &= np.isin(rows.columns[column].to_numpy(), tables[name].columns[0].to_numpy())
    assert 0.08 < wanted.mean() < 0.12


def test_strategies_have_their_w_expires() -> None:
    def signing(strategy: str) -> int:
        works = [step.work for step in plan_case(retail.q2(), strategy).steps]
        return sum(isinstance(work, Expire) and work.emits_retractions for work in works)

    assert [signing(each) for each in ("probing", "hybrid", "negative", "input")] == [0, 1, 2, 0]


def test_only_input_triggered_waits_for_input() -> None:
    """Windows empty at 60 seconds and one millisecond; the next tuple that passes the filter comes later."""
    simulation = Simulation(retail.q1(), ("probing", "negative", "input"), 10.0, 80.0)
    seen = simulation.play(80)
    counts = {server.strategy: sum(map(len, server.delays)) for server in simulation.servers}
    assert counts["probing"] == counts["negative"] >= counts["input"] > 0
    assert all((delays > 0).all() for delays in seen.values())
    # Which is so by the clock of the simulation, however fast this machine is.
    assert seen["input"].max() > 100
    assert seen["input"].mean() > 2 * min(seen["probing"].mean(), seen["negative"].mean())


def test_lines_stand_beside_probing_and_say_whether_goals_are_met() -> None:
    found = {"probing": (2.0, 3.0), "hybrid": (2.2, 3.5), "input": (10.0, 90.0)}
    lines = strategies.lines_of("fig8, Q4", found, {"hybrid": (0.0, 1.2), "input": (10.0, 0.0)})
    assert [(line.line, line.goal, line.met) for line in lines] == [
        ("fig8, Q4, probing", "", True),
        ("fig8, Q4, hybrid", "≤ 1.2", True),
        ("fig8, Q4, input", "≥ 10", False),
    ]


def test_a_figure_has_a_curve_for_each_strategy() -> None:
    found = strategies.fig11(True, silent)[0]
    assert isinstance(found, Figure)
    assert [curve.name for curve in found.curves if curve.points] == ["probing", "negative", "input"]
    assert "Figure 11" in found.paper


def test_work_adds_up() -> None:
    marks = Simulation(retail.q1(), ("probing", "negative"), strategies.FAST, 65.0).rush(50, 200, 4)
    assert all(len(each) == 4 and each == sorted(each) for each in marks.values())


def test_costs_of_operators() -> None:
    found = operator_costs.measure(True, silent)
    assert len(found) == 24
    assert all(isinstance(line, BenchLine) and line.value > 0 for line in found)
