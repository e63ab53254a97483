"""Patterns: LIKE, ILIKE, RLIKE and SPLIT by constant patterns, translated to RE2 so that they match just as in Java."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import Kernel, Table, Values, fixed_types, literal_text
from tailrace.columnar.functions.texts import TABLE as TEXTS
from tailrace.columnar.functions.texts import lower
from tailrace.logical.expressions import Call
from tailrace.types import STRING

LINE_ENDS = r"\n\r\x{85}\x{2028}\x{2029}"
# The tokens of Java's regular expressions that RE2 can express, each with its translation.
TOKENS: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = tuple(
    (re.compile(pattern), rewrite)
    for pattern, rewrite in (
        (r"[A-Za-z0-9 _,;:=<>@%&~'\"!#/\-]", re.escape),
        (r"[^\x00-\x7f]", lambda token: token),
        (r"\\[.*+?()\[\]{}|^$\\/\-]", lambda token: token),
        (r"\\d", lambda token: "[0-9]"),
        (r"\\D", lambda token: "[^0-9]"),
        (r"\\w", lambda token: "[A-Za-z0-9_]"),
        (r"\\W", lambda token: "[^A-Za-z0-9_]"),
        (r"\\s", lambda token: r"[ \t\n\x{0b}\f\r]"),
        (r"\\S", lambda token: r"[^ \t\n\x{0b}\f\r]"),
        (r"\.", lambda token: f"[^{LINE_ENDS}]"),
        (r"\[\^?(?:[A-Za-z0-9 _.,;:=@%]-[A-Za-z0-9]|[A-Za-z0-9 _.,;:=@%]|\\d|\\w)+\]", lambda token: token),
        (r"\(\?:|\((?!\?)|\)|\|", lambda token: token),
    )
)
QUANTIFIER = re.compile(r"(?:[*+?]|\{[0-9]{1,2}(?:,(?:[0-9]{1,2})?)?\})\??")


def like_expression(pattern: str, escape: str = "\\") -> str | None:
    """Translate a LIKE pattern to RE2; None if Spark refuses the pattern.

    >>> like_expression("a_%"), like_expression("100!%", "!"), like_expression("a!b", "!")
    ('(?s)^a..*$', '(?s)^100%$', None)
    """
    parts, signs = [], iter(pattern)
    for sign in signs:
        if sign == escape:
            follower = next(signs, "")
            if follower not in ("%", "_", escape) or not follower:
                return None
            parts.append(re.escape(follower))
        else:
            parts.append({"%": ".*", "_": "."}.get(sign) or _escape(sign))
    return f"(?s)^{''.join(parts)}$"


def _escape(sign: str) -> str:
    """Escape a character for RE2, which knows fewer escapes than Python writes."""
    return re.escape(sign) if re.fullmatch(r"[!-/:-@\[-`{-~]", sign) else sign


def search_expression(pattern: str, line_end: str = f"[{LINE_ENDS}]") -> str | None:
    r"""Translate a regular expression of Java, for searching, to RE2; None where the two might differ.

    A `$` at the end also matches before a line end that ends the text.

    >>> search_expression(r"^\d+"), search_expression(r"(a)\1")
    ('^[0-9]+', None)
    """
    found = "^" if pattern.startswith("^") else ""
    at, end = len(found), len(pattern)
    anchored = pattern.endswith("$") and not pattern.endswith("\\$")
    if anchored:
        end -= 1
    while at < end:
        match, rewrite = next(
            ((match, rewrite) for token, rewrite in TOKENS if (match := token.match(pattern, at, end))), (None, None)
        )
        if match is None or rewrite is None:
            return None
        at = match.end()
        found += rewrite(match.group())
        quantifier = QUANTIFIER.match(pattern, at, end)
        if quantifier:
            if match.group() in ("|", "(", "(?:"):
                return None
            at = quantifier.end()
            found += quantifier.group()
    if anchored:
        found += f"(?:{line_end})?$"
    # Among several branches an anchor would belong to one of them only.
    if ("|" in pattern and (anchored or pattern.startswith("^"))) or not _is_balanced(pattern):
        return None
    return found


def _is_balanced(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _pattern(call: Call) -> str | None:
    """The RE2 expression that a call searches for in its first argument; None if there is none."""
    pattern = literal_text(call.arguments[1])
    if pattern is None:
        return None
    if call.name == "rlike":
        return search_expression(pattern) if len(call.arguments) == 2 else None
    if call.name == "escape":
        escape = literal_text(call.arguments[2])
        return like_expression(pattern, escape) if escape and len(escape) == 1 else None
    if len(call.arguments) != 2:
        return None
    return like_expression(lower(pattern) if call.name == "ilike" else pattern)


def _plain_search(call: Call) -> Callable[[Values], Values] | None:
    """A search for a plain text, for a LIKE that has `%` at its ends only; None for other patterns."""
    pattern = str(literal_text(call.arguments[1]))
    part = pattern.strip("%")
    if call.name != "like" or not part or set("%_\\") & set(part):
        return None
    match pattern.startswith("%"), pattern.endswith("%"):
        case True, True:
            return lambda texts: pc.match_substring(texts, part)
        case True, False:
            return lambda texts: pc.ends_with(texts, part)
        case False, True:
            return lambda texts: pc.starts_with(texts, part)
    return lambda texts: pc.equal(texts, part)


def matches(call: Call, given: Sequence[Values]) -> Values:
    search = _plain_search(call)
    if search:
        return search(given[0])
    texts = TEXTS["lower"].run(call, given[:1]) if call.name == "ilike" else given[0]
    found = pc.match_substring_regex(texts, _pattern(call))
    pattern = str(literal_text(call.arguments[1]))
    if call.name == "rlike" and pattern.endswith("$"):
        # To Java \r\n is one line end: `$` does not match between its two characters.
        before_end = pc.match_substring_regex(texts, search_expression(pattern, r"\r\n"))
        return pc.if_else(pc.ends_with(texts, "\r\n"), before_end, found)
    return found


def _is_known(call: Call) -> bool:
    """Whether the pattern can be translated and RE2 accepts it: RE2 refuses patterns that need much memory."""
    pattern = _pattern(call)
    try:
        return pattern is not None and len(pc.match_substring_regex(pa.array([""]), pattern)) == 1
    except pa.ArrowInvalid:
        return False


def split(call: Call, given: Sequence[Values]) -> Values:
    return pc.split_pattern(given[0], _separator(call))


def _separator(call: Call) -> str | None:
    """The text at which SPLIT splits; None if its pattern is more than a plain text."""
    pattern = literal_text(call.arguments[1])
    if not pattern or len(call.arguments) > 2:
        return None
    if re.fullmatch(r"[A-Za-z0-9 _,;:=<>@%&~'\"!#/\-]+", pattern):
        return pattern
    found = re.fullmatch(r"\\([.*+?()\[\]{}|^$\\])|\[([.*+?(){}|$])\]", pattern)
    return found.group(1) or found.group(2) if found else None


MATCH = Kernel(matches, fixed_types(STRING, STRING, STRING), _is_known)
TABLE: Table = {
    "like": MATCH,
    "ilike": MATCH,
    "rlike": MATCH,
    "escape": MATCH,
    "split": Kernel(split, fixed_types(STRING, STRING), lambda call: _separator(call) is not None),
}
