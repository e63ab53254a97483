"""Reshard: runs from one checkpoint with different numbers of shards answer as runs with one number do."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tests.spark.run import crashes

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def run(folder: Path, shards: list[int]) -> dict[str, Counter[str]]:
    """A run for each number of shards, each over one more file of each source."""
    made = crashes.made(folder)
    for name in "SR":
        (folder / name).rename(folder / f"{name}-all")
        (folder / name).mkdir()
    for number, of in enumerate(shards):
        for name in "SR":
            shutil.copy2(folder / f"{name}-all" / f"{number:03}.json", folder / name)
        text = f"SET shards = {of};\n{crashes.script()}"
        found = compile_script(Source(text), folder)
        stand(found, str(folder), str(folder / "kept"), None, lambda stop: None, "local[2]", lambda *rows: None)
        spread = {path.name for path in (folder / "kept" / "state").glob("stage-*/of-*")}
        assert f"of-{of}" in spread
        assert len(spread) <= 2, "of what was before, only the last is there"
    return made.answers()


def test_from_two_shards_to_five_and_back(tmp_path: Path, spark: SparkSession) -> None:
    expected = run(tmp_path / "two", [2, 2, 2, 2])
    assert all(expected.values())
    assert run(tmp_path / "changing", [2, 5, 2, 3]) == expected
