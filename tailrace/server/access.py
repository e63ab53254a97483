"""Access: who may do what at a server: the tokens, the two roles they give, and the file in which they are kept."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from tailrace.errors import RunError

SAFE = {"GET", "HEAD"}
READ_ONLY = {"/api/check", "/api/explain"}  # what is asked with a body, and changes nothing


class Role(StrEnum):
    """What a token lets one do: `read` sees all there is and checks texts, `write` may also change it."""

    read = "read"
    write = "write"


@dataclass(frozen=True)
class AccessTokens:
    """The token of each role; without a token for writing, everybody may do everything."""

    write: str | None = None
    read: str | None = None

    @property
    def are_needed(self) -> bool:
        return self.write is not None

    def role_of(self, authorization: str) -> Role | None:
        """The role that the header `Authorization` gives; None if it has no token that is known.

        >>> tokens = AccessTokens("abc", "def")
        >>> [tokens.role_of(each) for each in ("Bearer abc", "bearer def", "Bearer x", "abc", "")]
        [<Role.write: 'write'>, <Role.read: 'read'>, None, None, None]
        """
        scheme, _, given = authorization.partition(" ")
        # Both are compared, each in a time that tells nothing of where they differ.
        writes, reads = are_equal(given, self.write), are_equal(given, self.read)
        if scheme.lower() != "bearer" or not (writes or reads):
            return None
        return Role.write if writes else Role.read


def are_equal(given: str, token: str | None) -> bool:
    """Whether a text is the token, compared in a time that does not depend on either."""
    one, other = (sha256(each.encode("utf-8", "surrogatepass")).digest() for each in (given, token or ""))
    return hmac.compare_digest(one, other) and bool(token)


def make_token() -> str:
    """Make a token that nobody can guess."""
    return secrets.token_urlsafe(24)


def may_read(method: str, path: str) -> bool:
    """Whether the role *read* is enough for a request.

    >>> may_read("GET", "/api/plan"), may_read("POST", "/api/check"), may_read("POST", "/api/execute")
    (True, True, False)
    """
    return method in SAFE or (method == "POST" and path in READ_ONLY)


def default_token_file(port: int) -> Path:
    """Where a server at this port keeps its tokens, unless told otherwise."""
    try:
        return Path.home() / ".tailrace" / f"serve-{port}.json"
    except RuntimeError:
        raise RunError("this user has no home to keep tokens in", hint="name a file: --token-file FILE") from None


@contextmanager
def keep_tokens(file: Path, address: str, tokens: AccessTokens) -> Iterator[None]:
    """Keep an address and its tokens in a file that only this user can read, until the block ends."""
    aside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The mode is there from the first moment on, and a file that is there already is not written into.
        with os.fdopen(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
            json.dump({"address": address, **asdict(tokens)}, out)
        os.replace(aside, file)
    except OSError as problem:
        with suppress(OSError):
            aside.unlink()
        raise RunError(
            f"the tokens cannot be kept in {file}: {problem.strerror or problem}",
            hint="name another file: --token-file FILE, or serve without a token: --no-token",
        ) from None
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)
