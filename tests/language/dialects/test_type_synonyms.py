"""The types of other dialects, by name."""

from __future__ import annotations

import pytest

from tailrace.language.script import parse_type


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("INT8", "BIGINT"),
        ("FLOAT8", "DOUBLE"),
        ("DOUBLE PRECISION", "DOUBLE"),
        ("BOOL", "BOOLEAN"),
        ("VARCHAR(20)", "STRING"),
        ("CHARACTER VARYING(20)", "STRING"),
        ("NUMBER", "DECIMAL(38,0)"),
        ("NUMBER(8, 2)", "DECIMAL(8,2)"),
        ("NUMERIC", "DECIMAL(10,0)"),
        ("TIMESTAMP(3)", "TIMESTAMP"),
        ("TIMESTAMP_LTZ(3)", "TIMESTAMP"),
        ("TIMESTAMP(3) WITHOUT TIME ZONE", "TIMESTAMP"),
        ("TIMESTAMP WITH TIME ZONE", "TIMESTAMP"),
        ("TIMESTAMPTZ", "TIMESTAMP"),
        ("DATETIME", "TIMESTAMP"),
        ("VARBINARY(16)", "BINARY"),
        ("ARRAY<INT8>", "ARRAY<BIGINT>"),
    ],
)
def test_types(name: str, type: str) -> None:
    assert str(parse_type(name)) == type
