"""Checkpoint lock: who is refused, who takes over, and that a run that lost its checkpoint writes nothing."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tailrace.errors import RunError
from tailrace.spark.run import checkpoint_lock, continuous
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.checkpoint_lock import CheckpointLock
from tailrace.spark.run.continuous import ContinuousRun
from tailrace.staging.plan_version import PlanVersion
from tailrace.state import disk
from tailrace.state.checksums import seal, unseal
from tailrace.state.storage import RemoteStorage, store_at

HOLDER = """
import sys, time
from tailrace.spark.run.checkpoint_lock import CheckpointLock
from tailrace.state.storage import store_at
CheckpointLock(store_at(sys.argv[1]), "kept").acquire()
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def short_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_lock, "WATCHED", 0.3)
    monkeypatch.setattr(checkpoint_lock, "LOOK", 0.02)


def lock_of(folder: Path) -> CheckpointLock:
    return CheckpointLock(store_at(str(folder / "locks")), "kept")


def change(folder: Path, number: int, **others: Any) -> None:
    """Change what the lock file of a number says."""
    path = folder / "locks" / f"{number}.json"
    path.write_bytes(seal(json.dumps(unseal(path.read_bytes())[0] | others)))


def test_a_second_run_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    first, second = lock_of(tmp_path), lock_of(tmp_path)
    with first.hold():
        said = rf"kept is in use by process {os.getpid()} on .*, since {re.escape(first.since)}"
        with pytest.raises(RunError, match=said), second.hold():
            pass
        first.check()
    with second.hold():
        assert second.number == 2
        with pytest.raises(RunError, match="is in use"):
            first.acquire()
    assert sorted(os.listdir(tmp_path / "locks")) == ["2.json", "2.released"]


def test_a_run_that_failed_has_given_its_lock_back(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), lock_of(tmp_path).hold():
        raise ZeroDivisionError
    with lock_of(tmp_path).hold():
        pass


def test_a_disk_that_failed_while_the_lock_was_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(disk, "remove", fail)
        with pytest.raises(OSError, match="Input/output"):
            lock_of(tmp_path).acquire()
    assert "1.json" in os.listdir(tmp_path / "locks")
    with lock_of(tmp_path).hold():
        pass


def test_a_run_of_this_process_that_is_not_there_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock_of(tmp_path).acquire()
    monkeypatch.setattr(checkpoint_lock, "_held", set())
    with lock_of(tmp_path).hold():
        pass


def test_a_holder_that_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "locks")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(RunError, match=f"is in use by process {holder.pid} on "):
            lock_of(tmp_path).acquire()
        holder.kill()
    after = lock_of(tmp_path)
    with after.hold():
        assert after.number == 2


def test_a_process_of_the_same_number_is_another_one(tmp_path: Path) -> None:
    lock_of(tmp_path).acquire()
    change(tmp_path, 1, process=os.getppid(), started="1")
    with lock_of(tmp_path).hold():
        pass


def test_a_holder_elsewhere_is_gone_when_it_is_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = lock_of(tmp_path)
    first.acquire()
    change(tmp_path, 1, machine="another", host="far", renewed=time.time() - 55)
    with pytest.raises(RunError, match="on far"):
        lock_of(tmp_path).acquire()
    change(tmp_path, 1, machine="another", host="far", renewed=time.time() - 65)
    first.renewed -= 6
    first.renew()
    with pytest.raises(RunError, match="on far"):
        lock_of(tmp_path).acquire()
    (renewed,) = (tmp_path / "locks").glob("1-*.renewed")
    renewed.rename(renewed.with_name(f"1-{int(time.time()) - 65}.renewed"))
    lock_of(tmp_path).acquire()
    with pytest.raises(RunError, match="kept was taken over by process"):
        first.check()


@pytest.mark.parametrize("off", [-30 * 86400, -90, 90, 30 * 86400])
def test_clocks_of_two_machines_that_differ(tmp_path: Path, off: int) -> None:
    """The holder's clock is behind or ahead: it is alive if it is seen to renew its lock, and dead if it is not."""
    lock_of(tmp_path).acquire()
    change(tmp_path, 1, machine="another", host="far", renewed=time.time() + off)
    locks, begun = tmp_path / "locks", time.monotonic()

    def renew() -> None:
        while not over.wait(0.1):
            moment = time.time() + off + 5 * (time.monotonic() - begun) * 10
            for path in [*locks.glob("1-*.renewed")]:
                path.unlink()
            (locks / f"1-{int(moment)}.renewed").write_bytes(b"-")

    over = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        renewing = pool.submit(renew)
        try:
            with pytest.raises(RunError, match="on far"):
                lock_of(tmp_path).acquire()
        finally:
            over.set()
        renewing.result()
    with lock_of(tmp_path).hold():
        pass


def test_a_run_that_is_ending_renews_its_lock_until_the_batch_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed = threading.Event()
    lock = SimpleNamespace(renew=renewed.set)
    monkeypatch.setattr(continuous, "wait_for_commit", lambda *_: None)
    monkeypatch.setattr(continuous, "LOOK", 0.01)
    run = cast(Any, ContinuousRun.__new__(ContinuousRun))
    run.begun, run.stop, run.reopen, run.working = *(threading.Event() for _ in range(3)), threading.RLock()
    run.checkpoint, run.plan, run.pause = SimpleNamespace(lock=lock), SimpleNamespace(), lambda _: None
    run.state = SimpleNamespace(next_batch=1)
    query = cast(Any, SimpleNamespace(isActive=True, stop=lambda: None, awaitTermination=lambda: None))
    with ThreadPoolExecutor(1) as pool:
        with run.working:  # a batch
            waiting = pool.submit(run.wait, query)
            assert renewed.wait(10)
        waiting.result(10)
    assert run.is_leaving


def test_a_lock_is_renewed_every_few_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, clock = lock_of(tmp_path), time.time()
    lock.renew()
    lock.acquire()
    lock.renew()
    assert os.listdir(tmp_path / "locks") == ["1.json"]
    for seconds in (10, 20):
        monkeypatch.setattr(time, "time", lambda now=clock + seconds: now)
        lock.renewed -= 6
        lock.renew()
        assert sorted(os.listdir(tmp_path / "locks")) == [f"1-{int(clock + seconds)}.renewed", "1.json"]


def test_a_checkpoint_at_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path / "cached"))
    first, second = (CheckpointLock(RemoteStorage(f"file://{tmp_path}").below("locks"), "kept") for _ in range(2))
    with first.hold():
        with pytest.raises(RunError, match="kept is in use"):
            second.acquire()
        first.renewed -= 6
        first.renew()
        first.check()
    with second.hold():
        assert second.number == 2


def test_two_that_come_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have seen that the lock is free; one of them gets it."""
    one, other = lock_of(tmp_path), lock_of(tmp_path)
    start_of, calls = checkpoint_lock.start_of, []

    def come_between(process: int) -> str | None:
        if not calls:
            calls.append(process)
            other.acquire()
        return start_of(process)

    monkeypatch.setattr(checkpoint_lock, "start_of", come_between)
    with pytest.raises(RunError, match="is in use"):
        one.acquire()
    other.check()


def test_a_lock_file_that_a_power_loss_damaged(tmp_path: Path) -> None:
    lock_of(tmp_path).acquire()
    (tmp_path / "locks" / "1.json").write_bytes(b"")
    after = lock_of(tmp_path)
    with after.hold():
        assert after.number == 2


def test_a_run_that_was_taken_over_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = {"tick": 1}
    first, second = (Checkpoint.open(str(tmp_path), run) for _ in range(2))
    with first.lock.hold():
        first.commit(0, {"decided_until": 0})
        monkeypatch.setattr(checkpoint_lock, "_held", set())
        with second.lock.hold():
            for write in (
                lambda: first.commit(1, {"decided_until": 1}),
                lambda: first.write_plan_version(1, PlanVersion()),
            ):
                with pytest.raises(RunError, match="was taken over by process"):
                    write()
            assert not (tmp_path / "batches" / "1.json").exists()
            assert not (tmp_path / "plans").exists()
            second.commit(1, {"decided_until": 5})
    assert second.read_record(1)["decided_until"] == 5
