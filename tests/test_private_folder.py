"""Private folders: only this user may enter them, and what somebody else has put there is refused."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tailrace.errors import RunError
from tailrace.private_folder import make_private_folder
from tailrace.state.storage import caches


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_this_user_may_enter(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = make_private_folder(tmp_path / "new" / "folder")
    finally:
        os.umask(before)
    assert mode_of(made) == 0o700
    (made / "kept").touch()
    made.chmod(0o755)
    assert make_private_folder(made) == made
    assert mode_of(made) == 0o700
    assert (made / "kept").exists()


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_private_folder(tmp_path / "folder")
    monkeypatch.setattr(os, "geteuid", lambda: made.stat().st_uid + 1)
    with pytest.raises(RunError, match="folder belongs to another user"):
        make_private_folder(made)


def test_links_and_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    (tmp_path / "file").touch()
    for name in ("link", "file"):
        with pytest.raises(RunError, match="is not a folder"):
            make_private_folder(tmp_path / name)


def test_caches_of_remote_files_are_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"{tmp_path}/local,{tmp_path}/other")
    assert caches().parent == tmp_path / "local"
    assert mode_of(caches()) == 0o700
