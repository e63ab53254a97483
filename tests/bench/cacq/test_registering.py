"""The bench `registering`: the form of what it reports."""

from __future__ import annotations

from tailrace.bench.cacq import registering


def test_many_at_once() -> None:
    line = registering.measure_registering(60, lambda text: None)
    assert (line.line, line.unit) == ("60 registered", "queries/s")
    assert line.value > 0
    assert line.beside_value > 0
    assert line.more["seconds"] > 0
