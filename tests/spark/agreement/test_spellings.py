"""Spellings of the standard against Spark itself: a text means there what its plain form means here."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tailrace.logical.text.spark_sql import spark_text
from tailrace.testing.reference.values import value
from tailrace.types import INT, STRING
from tests.spark.agreement.test_spark_text import Table

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

ROWS = [(text, number) for text in ("xyaxbyx", "", " a b ", "Axa", None) for number in (1, -2, 4, None)]
TEXTS = """
SUBSTRING(s FROM 2 FOR 3) | SUBSTRING(s FROM i) | SUBSTR(s FROM 2 FOR i) | POSITION('a' IN s) | POSITION(s IN 'Axa')
TRIM(BOTH 'x' FROM s) | TRIM(LEADING 'xy' FROM s) | TRIM(TRAILING 'x' FROM s) | TRIM('yx' FROM s) | TRIM(FROM s)
TRIM(LEADING FROM s) | TRIM(TRAILING FROM s) | TRIM(BOTH FROM s) | TRIM('x') | LTRIM('x', s) | BTRIM(s, 'x')
OVERLAY(s PLACING 'zz' FROM 2 FOR 1) | OVERLAY(s PLACING 'zz' FROM 2) | OVERLAY(s PLACING '' FROM 1 FOR 3)
s LIKE ANY ('x%', '%a') | s LIKE ALL ('x%', '%x') | s NOT LIKE ANY ('x%', '%a') | s NOT LIKE ALL ('x%', '%a')
s LIKE SOME ('x%', NULL) | s LIKE ALL ('x%', NULL) | s NOT LIKE ALL ('b', NULL) | s ILIKE ANY ('a%')
(i > 1) IS UNKNOWN | (i > 1) IS NOT UNKNOWN | i IS DISTINCT FROM 4 | s IS NOT DISTINCT FROM 'Axa' | STRUCT(i AS a, s).a
"""


def test_spellings(spark: SparkSession) -> None:
    table = Table()
    table.columns = {STRING: "s", INT: "i"}
    texts = [text.strip() for line in TEXTS.strip().splitlines() for text in line.split(" | ")]
    frame = spark.createDataFrame(ROWS, "s STRING, i INT")
    typed = [table.typed(text) for text in texts]
    plain = [spark_text(each, lambda column: "si"[column.index]) for each in typed]
    written, read = (
        list(zip(*(frame.selectExpr(*(f"{text} AS r{at}" for at, text in enumerate(form))).collect()), strict=True))
        for form in (texts, plain)
    )
    assert [text for text, one, other in zip(texts, written, read, strict=True) if one != other] == []
    undefined = {"TRIM('x')", "STRUCT(i AS a, s).a"}
    defined = [(text, each, asked) for text, each, asked in zip(texts, typed, written, strict=True)]
    wrong = [
        (text, asked, found)
        for text, each, asked in defined
        if text not in undefined and (found := tuple(value(each, row) for row in ROWS)) != asked
    ]
    assert wrong == []
