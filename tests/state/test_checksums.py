"""Checksums: a state with a damaged file is not loaded, and the message names the file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tailrace.errors import RunError
from tailrace.state import state_files
from tailrace.state.checksums import seal, unseal
from tailrace.state.key_index import KeyTable
from tailrace.state.state_files import StateFolder
from tests.state.damage import damage_file
from tests.state.test_state_files import listed, loaded, run_of


@pytest.fixture(autouse=True)
def other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process knows of states is forgotten, as by a new one."""
    for name in ("_mapped", "_digests", "_places"):
        monkeypatch.setattr(state_files, name, {})


def test_every_damage_of_a_state_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    StateFolder(str(tmp_path)).save(0, [run_of(1, 2)])
    folder = StateFolder(str(tmp_path))
    name = folder.save(1, [run_of(*range(5)), KeyTable((run_of(9),))])
    count = 0
    for path in (tmp_path / name, tmp_path / name.replace("manifest", "segment")):
        for what in damage_file(path, 7):
            forget(monkeypatch)
            with pytest.raises(RunError, match=re.escape(path.name)):
                pytest.fail(f"{what}: {StateFolder(str(tmp_path)).load(name)}")
            count += 1
    assert count > 150
    assert StateFolder(str(tmp_path)).load(name) is not None


def test_a_segment_that_was_carried_over_is_verified_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = StateFolder(str(tmp_path)).save(0, [run_of(1, 2)])
    for batch in range(1, 4):
        forget(monkeypatch)
        folder = StateFolder(str(tmp_path))
        name = folder.save(batch, [*folder.load(name), run_of(batch)])  # type: ignore[misc]
    (first,) = (each for each in listed(tmp_path, ".segment") if each.startswith("0-"))
    for what in damage_file(tmp_path / first, 50):
        forget(monkeypatch)
        with pytest.raises(RunError, match=first):
            pytest.fail(f"{what}: {StateFolder(str(tmp_path)).load(name)}")
    (tmp_path / first).unlink()
    forget(monkeypatch)
    with pytest.raises(RunError, match=f"{first} is not there"):
        StateFolder(str(tmp_path)).load(name)


def test_a_state_of_the_format_before_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = StateFolder(str(tmp_path)).save(0, [run_of(1, 2)])
    told, _ = unseal((tmp_path / name).read_bytes())
    told |= {"format": 4, "segments": list(told["segments"])}
    (tmp_path / name).write_text(json.dumps(told, separators=(",", ":")))
    forget(monkeypatch)
    folder = StateFolder(str(tmp_path))
    state = folder.load(name)
    assert state is not None
    name = folder.save(1, [*state, run_of(3)])
    digests = unseal((tmp_path / name).read_bytes())[0]["segments"]
    assert sorted(digests) == listed(tmp_path, ".segment")
    forget(monkeypatch)
    assert loaded(StateFolder(str(tmp_path)), name) == [1, 2, 3]


def test_texts_that_look_like_a_checksum() -> None:
    text = json.dumps({"a": ', "crc32": 1}'})
    assert unseal(seal(text)) == (json.loads(text), True)
