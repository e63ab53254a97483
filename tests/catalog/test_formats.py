"""What is known of formats: options, those they cannot do without, and columns."""

from __future__ import annotations

import pytest

from tailrace.catalog.formats import FORMATS, MODES
from tests.analysis.build import problems


@pytest.mark.parametrize("format", ["csv", "json", "parquet", "orc", "text", "avro", "xml"])
def test_file_formats_need_a_path(format: str) -> None:
    assert FORMATS[format].source_needs == FORMATS[format].sink_needs == (("path",),)


def test_options_are_known_whatever_their_capitals() -> None:
    text = "CREATE STREAM C (a INT) USING CSV OPTIONS (PATH 'x.csv', SEP ';', inferschema 'false') TIMESTAMP BY ts;"
    assert problems(text) == []


def test_formats_that_are_not_known_are_left_to_spark() -> None:
    assert problems("CREATE STREAM C (a INT) USING iceberg OPTIONS (anything 'goes') TIMESTAMP BY ts;") == []
    assert problems("CREATE QUERY q INTO `com.example.Sink` OPTIONS (x 1) AS SELECT k FROM S;") == []


@pytest.mark.parametrize(("format", "option"), [("csv", "header"), ("json", "multiLine"), ("rate", "rowsPerSecond")])
def test_a_mistyped_option_gets_a_hint(format: str, option: str) -> None:
    options = f"{option[:-1]} 'x'" + (", path 'x'" if format != "rate" else "")
    (found,) = problems(f"CREATE STREAM C (value INT) USING {format} OPTIONS ({options}) TIMESTAMP BY timestamp;")
    assert found.message == f"the format {format} has no option {option[:-1]}"
    assert found.hint == f"did you mean {option}?"


@pytest.mark.parametrize("mode", MODES)
def test_modes_of_a_sink(mode: str) -> None:
    assert problems(f"CREATE QUERY q INTO json OPTIONS (path 'out', mode '{mode}') AS SELECT k FROM S;") == []


def test_fixed_columns() -> None:
    assert FORMATS["rate"].columns == ("timestamp", "value")
    assert problems("CREATE STREAM C (value BIGINT) USING rate TIMESTAMP BY timestamp;") == []
    (found,) = problems("CREATE STREAM C (value BIGINT, lane INT) USING rate TIMESTAMP BY timestamp;")
    assert found.message == "a rate source has no column lane"
