"""Texts in quotes against Spark itself: the same escapes, and none in raw texts."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tailrace.language.script import tokenize

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

ESCAPES = (
    r"\0 \b \n \r \t \Z \% \_ \\ \' \" \q \N \x41 \/ \a \1 \12 \001 \000 \101\102 \177 \200 \377 \400 \08 \178 \189"
)
UNICODE = r"\u0041 \u00e \u12 \u{41} \u0000x \U00000041 \U0001F600 \U0041 \uD83D\uDE00"
WRITTEN = [
    *(f"'{each}'" for each in [*ESCAPES.split(), *UNICODE.split(), "", "a''b", 'a""b', r"50\% of a\\%", "two\nlines"]),
    *('"it\'s"', '"a""b"', r'"\"\'"', "\"a''b\""),
    *(r"r'\n\001'", r"R'a\'", "r'a\"b'", r'R"\u0041"', "r''"),
]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_text_is_read_as_spark_reads_it(spark: SparkSession, written: str) -> None:
    (token,) = tokenize(written)
    assert token.text == spark.sql(f"SELECT {written}").collect()[0][0]
