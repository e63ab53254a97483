"""Access: which role a token gives, and the file in which tokens are kept."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tailrace.errors import RunError
from tailrace.server.access import AccessTokens, Role, keep_tokens

TOKENS = AccessTokens("abc", "def")


def test_roles() -> None:
    assert TOKENS.role_of("Bearer abc") is Role.write
    assert TOKENS.role_of("BEARER def") is Role.read
    for wrong in (
        "",
        "abc",
        "Bearer",
        "Bearer ",
        "Bearer ab",
        "Bearer abcd",
        "Basic abc",
        "Bearer abc ",
        "Bearer é\udc80",
    ):
        assert TOKENS.role_of(wrong) is None


def test_a_token_that_is_not_there_is_not_the_empty_one() -> None:
    assert AccessTokens("abc").role_of("Bearer ") is None
    assert AccessTokens("abc").role_of("Bearer None") is None
    assert AccessTokens().role_of("Bearer ") is None
    assert not AccessTokens().are_needed


def test_only_this_user_can_read_the_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "tokens.json"
    with keep_tokens(file, "http://127.0.0.1:1/#token=abc", TOKENS):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert json.loads(file.read_text()) == {
            "address": "http://127.0.0.1:1/#token=abc",
            "write": "abc",
            "read": "def",
        }
        assert list(file.parent.iterdir()) == [file]
    assert list(file.parent.iterdir()) == []


def test_a_file_that_others_can_read_is_replaced(tmp_path: Path) -> None:
    """Neither the file nor what a link leads to is written into."""
    other, file = tmp_path / "other", tmp_path / "tokens.json"
    other.write_text("of somebody else")
    other.chmod(0o644)
    file.symlink_to(other)
    with keep_tokens(file, "", TOKENS):
        assert stat.S_IMODE(file.lstat().st_mode) == 0o600
        assert json.loads(file.read_text())["read"] == "def"
    assert other.read_text() == "of somebody else"


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with (
        pytest.raises(RunError, match="the tokens cannot be kept in"),
        keep_tokens(tmp_path / "taken" / "x", "", TOKENS),
    ):
        pass
