"""Compare: rows of a result with the rows a worked case expects, as bags, by the rules of the cases' README.

>>> columns = ("k", "avg(v)")
>>> found = [(3, "+", (1, 0.1 + 0.2))]
>>> differences(found, [{"_ts": 3, "_op": "+", "K": 1, "?2": 0.3}], columns)
[]
>>> differences(found, [{"_ts": 3, "_op": "-", "K": 1, "?2": 0.3}], columns)
['missing: 3 - (1, 0.3)', 'unexpected: 3 + (1, 0.30000000000000004)']
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

TOLERANCE = 1e-9
Found = tuple[Any, str | None, tuple[Any, ...]]


def differences(
    found: Iterable[Found], expected: Iterable[Mapping[str, Any]], names: Sequence[str], exact: bool = False
) -> list[str]:
    """What is missing and what is unexpected, a line each. A row is a timestamp, an op, a select list."""
    left: dict[Any, list[tuple[Any, ...]]] = {}
    for stamp, op, row in found:
        left.setdefault((shown(stamp), op), []).append(tuple(map(shown, row)))
    problems = []
    for record in expected:
        stamp, op = read_stamp(record.get("_ts")), record.get("_op")
        row = select_list(record, names, exact)
        candidates = left.get((stamp, op), [])
        match = next((each for each in candidates if all(map(close, each, row))), None)
        if match is None:
            problems.append(f"missing: {stamp} {op or ''} {row}")
        else:
            candidates.remove(match)
    rest = [(stamp, op, row) for (stamp, op), rows in left.items() for row in rows]
    return problems + [f"unexpected: {stamp} {op or ''} {row}" for stamp, op, row in rest]


def select_list(record: Mapping[str, Any], names: Sequence[str], exact: bool) -> tuple[Any, ...]:
    """An expected row's fields by the result's columns; `?2` is the second, whatever its name."""
    fields = {key if exact else key.lower(): value for key, value in record.items() if key not in ("_ts", "_op")}
    row = []
    for place, name in enumerate(names, start=1):
        key = name if exact else name.lower()
        row.append(fields.pop(f"?{place}") if f"?{place}" in fields else fields.pop(key, None))
    assert not fields, f"the result has no column {', '.join(fields)}, only {', '.join(names)}"
    return tuple(row)


def shown(value: Any) -> Any:
    """A value as JSON has it; a moment stays one, in UTC."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC)
    return value.isoformat() if isinstance(value, date) else value


def read_stamp(stamp: Any) -> Any:
    return datetime.fromisoformat(stamp) if isinstance(stamp, str) else stamp


def close(found: Any, expected: Any) -> bool:
    if isinstance(found, bool) or isinstance(expected, bool) or None in (found, expected):
        return found is expected
    if isinstance(found, int | float) and isinstance(expected, int | float):
        return math.isclose(found, expected, rel_tol=TOLERANCE)
    if isinstance(found, datetime) and isinstance(expected, str):
        return found == datetime.fromisoformat(expected)
    return bool(found == expected)
