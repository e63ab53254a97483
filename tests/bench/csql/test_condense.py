"""The bench condense: what it reports, over few tuples; never how long something took."""

from __future__ import annotations

from tailrace.bench.csql import condense


def test_both_ways_answer_alike_and_the_goals_are_told() -> None:
    given = condense.batches(20_000)
    for grouped, most in ((False, "at most 0.5"), (True, "at most 0.7")):
        plans = [condense.plan_jump_window("300 TUPLES", "1000 TUPLES", grouped), condense.by_ids(300, 1000, grouped)]
        mine, ids = condense.compare_plans(plans, given, 1)
        assert mine.answers == ids.answers >= 20
        line = condense.goal(condense.beside_ids(given, 1000, 30, grouped, 1), grouped)
        assert (line.goal, line.met) == (most, line.ratio <= float(most.split()[-1]))


def test_a_curve_for_each_share_of_the_frequency() -> None:
    given = condense.batches(5_000)
    lines = {
        (every, share): condense.beside_ids(given, every, share, False, 1)
        for every in (100, 500)
        for share in (30, 200)
    }
    figure = condense.ratios(lines, False)
    assert [(curve.name, [x for x, _ in curve.points]) for curve in figure.curves] == [
        ("W/F 30 %", [100, 500]),
        ("W/F 200 %", [100, 500]),
    ]
    mixed = condense.measure_mixed_units(given, (100, 500), (1,), 1)
    assert [len(curve.points) for curve in mixed.curves] == [2]
