"""Scalar expressions: their types and what they are once every implicit step is written out."""

from __future__ import annotations

import pytest

from tailrace.logical.text.expression_text import text_of
from tests.analysis.build import problem, value


@pytest.mark.parametrize(
    ("text", "type", "meaning"),
    [
        ("i + 1", "INT", "i + 1"),
        ("i + l", "BIGINT", "CAST(i AS BIGINT) + l"),
        ("i / 3", "BIGINT", "CAST(i AS BIGINT) DIV 3L"),
        ("i / 3.0", "DECIMAL(17,6)", "i / 3.0"),
        ("f / 3", "DOUBLE", "f / 3.0D"),
        ("i DIV 2", "BIGINT", "CAST(i AS BIGINT) DIV 2L"),
        ("i % 2", "INT", "i % 2"),
        ("p * 2", "DECIMAL(10,2)", "p * CAST('2' AS DECIMAL(1,0))"),
        ("p + p", "DECIMAL(9,2)", "p + p"),
        ("-i", "INT", "-i"),
        ("- 5", "INT", "-5"),
        ("i & 3 | 4", "INT", "i & 3 | 4"),
        ("~i", "INT", "~i"),
        ("s || i", "STRING", "s || CAST(i AS STRING)"),
        ("-99999999999999999999999999999999999999", "DECIMAL(38,0)", f"CAST('-{'9' * 38}' AS DECIMAL(38,0))"),
        ("s + 1", "DOUBLE", "CAST(s AS DOUBLE) + 1.0D"),
        ("COALESCE(i, 'none')", "STRING", "COALESCE(CAST(i AS STRING), 'none')"),
        ("i IN ('1')", "BOOLEAN", "CAST(i AS STRING) IN ('1')"),
        ("i = s", "BOOLEAN", "i = CAST(s AS INT)"),
        ("d + 1", "DATE", "d + 1"),
        ("d - d", "INTERVAL", "d - d"),
        ("at + INTERVAL 3 HOURS", "TIMESTAMP", "at + INTERVAL '3' HOUR"),
        ("d + INTERVAL 2 DAYS", "DATE", "d + INTERVAL '2' DAY"),
        ("d + INTERVAL 2 MONTHS", "DATE", "d + INTERVAL '2' MONTH"),
        ("INTERVAL '2' DAY + d", "DATE", "d + INTERVAL '2' DAY"),
        ("d - INTERVAL '90' DAY (3)", "DATE", "d - INTERVAL '90' DAY"),
        ("d + INTERVAL '1 month 2 days'", "DATE", "d + INTERVAL '1' MONTH + INTERVAL '2' DAY"),
        ("INTERVAL '1 year 2 hours' + d", "TIMESTAMP", "d + INTERVAL '1' YEAR + INTERVAL '2' HOUR"),
        ("at - INTERVAL 1 DAY 2 HOURS", "TIMESTAMP", "at - INTERVAL '93600' SECOND"),
        ("at + INTERVAL '1-2' YEAR TO MONTH", "TIMESTAMP", "at + INTERVAL '14' MONTH"),
        ("at - INTERVAL -'1 02:03:04.5' DAY TO SECOND", "TIMESTAMP", "at - INTERVAL '-93784.5' SECOND"),
        ("d + INTERVAL '1' WEEK + INTERVAL '1' DAY", "DATE", "d + INTERVAL '1' WEEK + INTERVAL '1' DAY"),
        ("d + (INTERVAL '1' WEEK - INTERVAL '1' DAY)", "DATE", "d + INTERVAL '6' DAY"),
        ("d + -INTERVAL '1' DAY", "DATE", "d + INTERVAL '-1' DAY"),
        ("d + 2 * INTERVAL '1' DAY", "TIMESTAMP", "d + INTERVAL '172800' SECOND"),
        ("d + i * INTERVAL '1' DAY", "TIMESTAMP", "d + i * INTERVAL '1' DAY"),
        ("at - at < INTERVAL '5' MINUTE", "BOOLEAN", "at - at < INTERVAL '5' MINUTE"),
        ("SUBSTRING(s FROM 2 FOR i)", "STRING", "SUBSTRING(s, 2, i)"),
        ("TRIM(LEADING 'x' FROM s)", "STRING", "LTRIM('x', s)"),
        ("TRIM(TRAILING FROM s)", "STRING", "RTRIM(s)"),
        ("POSITION('x' IN s)", "INT", "POSITION('x', s)"),
        ("OVERLAY(s PLACING 'x' FROM 2)", "STRING", "OVERLAY(s, 'x', 2)"),
        ("STRUCT(i AS n, s)", "STRUCT<n: INT, s: STRING>", "STRUCT(i, s)"),
        ("s NOT LIKE ALL ('a', 'b')", "BOOLEAN", "NOT s LIKE 'a' AND NOT s LIKE 'b'"),
        ("i BETWEEN SYMMETRIC 3 AND 1", "BOOLEAN", "i >= 3 AND i <= 1 OR i >= 1 AND i <= 3"),
        ("i > 3 AND NOT ok", "BOOLEAN", "i > 3 AND NOT ok"),
        ("i BETWEEN 1 AND 3", "BOOLEAN", "i >= 1 AND i <= 3"),
        ("i NOT IN (1, 2)", "BOOLEAN", "NOT i IN (1, 2)"),
        ("i IN (1, l)", "BOOLEAN", "CAST(i AS BIGINT) IN (1L, l)"),
        ("s LIKE 'a%'", "BOOLEAN", "s LIKE 'a%'"),
        ("s IS NOT NULL", "BOOLEAN", "NOT s IS NULL"),
        ("ok IS TRUE", "BOOLEAN", "ok IS TRUE"),
        ("i IS DISTINCT FROM 3", "BOOLEAN", "NOT i <=> 3"),
        ("CASE WHEN ok THEN i ELSE l END", "BIGINT", "CASE WHEN ok THEN CAST(i AS BIGINT) ELSE l END"),
        ("CASE i WHEN 1 THEN 'a' END", "STRING", "CASE WHEN i = 1 THEN 'a' ELSE CAST(NULL AS STRING) END"),
        ("CAST(s AS INT)", "INT", "CAST(s AS INT)"),
        ("i::STRING", "STRING", "CAST(i AS STRING)"),
        ("TRY_CAST(s AS INT)", "INT", "TRY_CAST(s AS INT)"),
        ("DATE '2024-02-29'", "DATE", "DATE '2024-02-29'"),
        ("EXTRACT(YEAR FROM d)", "INT", "EXTRACT(YEAR FROM d)"),
        ("EXTRACT(SECOND FROM at)", "DECIMAL(8,6)", "EXTRACT(SECOND FROM at)"),
        ("a[0]", "INT", "a[0]"),
        ("m['x']", "INT", "m['x']"),
        ("r.p", "INT", "r.p"),
        ("Typed.r.q", "STRING", "r.q"),
        ("10L", "BIGINT", "10L"),
        ("'it''s'", "STRING", "'it\\'s'"),
        ("TRUE", "BOOLEAN", "TRUE"),
    ],
)
def test_types_and_meaning(text: str, type: str, meaning: str) -> None:
    found = value(text)
    assert str(found.type) == type
    assert text_of(found) == meaning


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("i + ok", "INT + BOOLEAN is not defined"),
        ("d + d", "DATE + DATE is not defined"),
        ("-ok", "minus BOOLEAN is not defined"),
        ("i AND ok", "AND must be a condition, not INT"),
        ("NOT i", "NOT must be a condition, not INT"),
        ("i = d", "INT and DATE do not compare"),
        ("m = m", "MAP<STRING, INT> and MAP<STRING, INT> do not compare"),
        ("i & f", "& works on integers"),
        ("~f", "~ works on integers"),
        ("d DIV 2", "DIV divides numbers"),
        ("a LIKE 'x'", "expected a text, not ARRAY<INT>"),
        ("CASE WHEN i THEN 1 END", "WHEN must be a condition, not INT"),
        ("CAST(d AS INT)", "DATE cannot be cast to INT"),
        ("CAST(a AS INT)", "ARRAY<INT> cannot be cast to INT"),
        ("DATE '2023-02-29'", "'2023-02-29' is no DATE"),
        ("INTERVAL 3 PARSECS", "an interval has no unit PARSEC"),
        ("EXTRACT(YEAR FROM i)", "EXTRACT reads a time, not INT"),
        ("i[0]", "INT has no item [INT]"),
        ("a['x']", "ARRAY<INT> has no item [STRING]"),
        ("r.z", "no field z"),
        ("i.z", "INT has no field z"),
        ("(i, l)", "a row of values is no value of its own"),
        ("i + *", "* must be alone in a select list, or in COUNT(*)"),
        ("i + Typed.*", "Typed.* must be alone in a select list"),
    ],
)
def test_what_means_nothing(text: str, message: str) -> None:
    assert problem(f"SELECT {text} AS it FROM Typed [NOW]") == message
