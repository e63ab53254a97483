"""File sinks: some queries of a random script write their answers to files, from which the check reads them again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.queries import QueryDefinition
from tailrace.settings import Settings
from tailrace.spark.io.sinks import columns
from tailrace.spark.time.event_clock import EventClock
from tailrace.testing.random_scripts.scripts import RandomScript
from tests.fuzz.answers import Answers

FOLDER = "out"
# What is read again as it was written: text keeps its blanks.
OPTIONS = {
    "csv": {"header": "true", "ignoreLeadingWhiteSpace": "false", "ignoreTrailingWhiteSpace": "false"},
    "json": {},
    "parquet": {},
}
# Types of which a text says all there is.
PLAIN = ("BOOLEAN", "SMALLINT", "INT", "BIGINT", "DOUBLE", "STRING", "DATE", "DECIMAL")


def draw_sinks(script: RandomScript) -> dict[str, str]:
    """The format of the files to which a query writes, by query; about a third of all have files."""
    queries = compile_script(Source(script.text())).program.queries
    found = {}
    for name in script.queries:
        chance = Random(f"{script.seed} {name}")
        if chance.randrange(3) == 0 and is_plain(queries[name]):
            found[name] = chance.choice(tuple(OPTIONS))
    return found


def is_plain(query: QueryDefinition) -> bool:
    names = [name.lower() for name in query.names]
    types = [str(field.type).partition("(")[0] for field in query.schema]
    return all(type in PLAIN for type in types) and len(set(names)) == len(names) and all(names)


def sink_texts(formats: dict[str, str]) -> dict[str, str]:
    """What stands behind INTO, by query.

    >>> sink_texts({"q1": "json"})
    {'q1': "json OPTIONS (path 'out/q1')"}
    """
    return {
        name: f"{format} OPTIONS ({', '.join(f'{key} {value!r}' for key, value in options.items())})"
        for name, format in formats.items()
        for options in ({"path": f"{FOLDER}/{name}", **OPTIONS[format]},)
    }


def read_answers(
    spark: SparkSession, script: RandomScript, formats: dict[str, str], folder: Path, answers: Answers
) -> None:
    """Add what is in the files of queries to the answers."""
    queries = compile_script(Source(script.text())).program.queries
    clock = EventClock.of(Settings(), script.in_ticks)
    for name, format in formats.items():
        schema = columns(queries[name], clock)
        files = sorted((folder / FOLDER / name).glob(f"part-*.{format}"))
        if format == "parquet":
            tables = [pq.read_table(file) for file in files]
        elif files:
            reader = spark.read.schema(from_arrow_schema(schema)).options(**OPTIONS[format])
            tables = [reader.format(format).load([str(file) for file in files]).toArrow()]
        else:
            tables = []
        for table in tables:
            values = [column.to_pylist() for column in table.cast(schema).columns]
            answers.add(name, schema.names, zip(*values, strict=True))
