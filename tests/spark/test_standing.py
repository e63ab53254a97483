"""Standing runs: killed at any step of a batch and started again, they leave what a run never killed leaves."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tailrace import faults
from tests.spark.crashes import Run, kill, made

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that is never killed."""
    run = made(tmp_path_factory.mktemp("whole") / "run")
    assert run.until_done(run.start()), run.said()
    return run


def check_killed(whole: Run, run: Run, fault: str) -> None:
    assert not run.until_done(run.start(fault)), f"{fault} was not reached"
    assert run.until_done(run.start()), run.said()
    assert run.answers() == whole.answers()


def test_nothing_is_lost_or_doubled(whole: Run, tmp_path: Path) -> None:
    """Killed while results are moved into place; the other steps are among the slow tests."""
    assert all(whole.answers().values())
    check_killed(whole, made(tmp_path / "run"), "moved:9")


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("point", faults.POINTS)
def test_every_step_of_a_batch(point: str, number: int, whole: Run, tmp_path: Path) -> None:
    check_killed(whole, made(tmp_path / "run"), f"{point}:{number}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_any_moment(seed: int, whole: Run, tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    process = run.start()
    time.sleep(random.Random(seed).uniform(3, 20))
    if process.poll() is None:
        kill(process)
    assert run.until_done(run.start()), run.said()
    assert run.answers() == whole.answers()
