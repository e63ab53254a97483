"""The notebook of first steps does what it says, cell by cell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

pytestmark = pytest.mark.spark

NOTEBOOK = Path(__file__).resolve().parents[3] / "examples" / "first_steps.ipynb"


def test_first_steps(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    # Functions of a notebook go to the workers by value, as those of `__main__` do.
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
    said = capsys.readouterr().out
    assert names["average"].snapshot() == [Row(driver="Ann", speed=35.0), Row(driver="Bob", speed=45.0)]
    assert sorted(names["spread"].snapshot()) == [Row(car=1, spread=0), Row(car=2, spread=0)]
    assert [row.car for row in names["fast"].rows()] == [1, 1, 2]
    assert "stream Reports" in said
    assert "hint: did you mean speed?" in said
