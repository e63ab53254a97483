"""Java text: decodes bytes that are not UTF-8 as Java does."""

from __future__ import annotations

import codecs


def decode_line(line: bytes) -> str:
    r"""The text of a line; what is not UTF-8 becomes U+FFFD.

    Java and Python agree but for surrogates: Java replaces the three bytes of one by a single character.

    >>> decode_line(b"a\xed\xa0\x80\xff")
    'a\ufffd\ufffd'
    """
    return line.decode("utf-8", errors="tailrace_java")


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    at, data = error.start, error.object
    rest = data[at : at + 3]
    if rest[0] == 0xED and len(rest) > 1 and 0xA0 <= rest[1] <= 0xBF:
        if len(rest) == 2:
            return "\ufffd", at + 2
        if 0x80 <= rest[2] <= 0xBF:
            return "\ufffd", at + 3
        return "\ufffd", at + 2
    return "\ufffd", error.end


codecs.register_error("tailrace_java", _replace)
