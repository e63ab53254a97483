"""The catalog of functions without Spark: what it knows, what types calls get, what its messages say."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tailrace import types
from tailrace.catalog import builtin_functions as functions
from tailrace.catalog.builtin_functions import UNKNOWN, VARIABLES, Function, SignatureProblem, find, names, result_type
from tailrace.types import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTERVAL,
    MONTHS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    VOID,
    Type,
    array,
    decimal,
    map_of,
    struct,
)

KINDS = {"scalar", "lambda", "aggregate", "generator", "window", "unstable"}
RULES = set("+ - * / %".split()) | set(
    "avg ceil date_part decode named_struct number round schema struct sum unknown variant_get zeroifnull".split()
)
ATOMIC = {"BOOLEAN", "FLOAT", "DOUBLE", "DECIMAL", "STRING", "BINARY", "VOID", "VARIANT", "GEOGRAPHY", "GEOMETRY"}
CALENDAR = {"DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIME", "INTERVAL", "CALENDAR_INTERVAL", MONTHS.name}
TYPE_NAMES = ATOMIC | CALENDAR | {type.name for type in types.INTEGERS} | {"ARRAY", "MAP", "STRUCT"} | set(VARIABLES)
KEPT_UP_TO_DATE = """
    any avg bool_and bool_or count count_if every max mean median min some stddev stddev_pop stddev_samp sum
    var_pop var_samp variance
"""
ROW = struct(("x", INT), ("y", STRING))


def known(name: str) -> Function:
    function = find(name)
    assert function is not None
    return function


def type_of(name: str, *arguments: Type, literals: list[Any] | None = None) -> Type:
    return result_type(known(name), arguments, literals)


def problem_of(name: str, *arguments: Type, literals: list[Any] | None = None) -> SignatureProblem:
    with pytest.raises(SignatureProblem) as caught:
        result_type(known(name), arguments, literals)
    return caught.value


def inside(type: Type) -> Iterator[str]:
    """The names of a type and of the types within it."""
    yield type.name
    for part in type.args:
        part = part[1] if isinstance(part, tuple) else part
        if isinstance(part, Type):
            yield from inside(part)


class TestTable:
    @pytest.mark.parametrize("name", names())
    def test_every_line_is_read(self, name: str) -> None:
        function = known(name)
        assert function.kind in KINDS
        for signature in function.signatures:
            parts = [type for parameter in signature.parameters for type, _ in parameter]
            if isinstance(signature.result, Type):
                parts.append(signature.result)
            else:
                assert signature.result in RULES
            assert {found for part in parts for found in inside(part)} <= TYPE_NAMES

    def test_lines_of_one_function_stand_together(self) -> None:
        text = (Path(functions.__file__).parent / "spark_functions.txt").read_text(encoding="utf-8")
        heads = [line[: line.index("(")] for line in text.splitlines() if line[:1].isalpha()]
        blocks = [head for head, before in zip(heads, [None, *heads], strict=False) if head != before]
        assert len(blocks) == len(set(blocks)) == len(names())

    def test_find_minds_no_capitals(self) -> None:
        assert find("SubString") == find("substring")
        assert find("no_such_function") is None

    def test_names_are_there_for_suggestions(self) -> None:
        assert {"substring", "sum", "explode"} < set(names())
        assert len(names()) > 550

    @pytest.mark.parametrize(
        ("kind", "members"),
        [
            ("scalar", "upper substring coalesce from_json int date_trunc"),
            ("lambda", "transform filter aggregate array_sort"),
            ("aggregate", "count sum first collect_list"),
            ("generator", "explode inline stack range"),
            ("window", "row_number lag ntile"),
            ("unstable", "rand uuid now current_timestamp monotonically_increasing_id input_file_name current_user"),
        ],
    )
    def test_kinds(self, kind: str, members: str) -> None:
        assert {known(name).kind for name in members.split()} == {kind}

    def test_aggregates_that_the_engine_computes(self) -> None:
        aggregates = [known(name) for name in names() if known(name).kind == "aggregate"]
        assert sorted(one.name for one in aggregates if one.supported) == KEPT_UP_TO_DATE.split()
        assert not known("first").supported
        assert not known("window").supported

    def test_nothing_of_spark_is_loaded(self) -> None:
        code = "import sys; import tailrace.catalog.builtin_functions as f; f.names(); print('pyspark' in sys.modules)"
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert shown == "False\n"


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("upper", [STRING], STRING),
        ("upper", [INT], STRING),
        ("length", [VOID], INT),
        ("substring", [BINARY, INT], BINARY),
        ("substring", [STRING, STRING, DOUBLE], STRING),
        ("concat", [STRING, INT], STRING),
        ("concat", [BINARY, BINARY, STRING], STRING),
        ("concat", [array(INT), array(BIGINT)], array(BIGINT)),
        ("concat", [], STRING),
        ("abs", [SMALLINT], SMALLINT),
        ("abs", [STRING], DOUBLE),
        ("abs", [INTERVAL], INTERVAL),
        ("abs", [VOID], DOUBLE),
        ("sqrt", [decimal(8, 2)], DOUBLE),
        ("pmod", [INT, BIGINT], BIGINT),
        ("try_divide", [INT, INT], DOUBLE),
        ("try_add", [DATE, INT], DATE),
        ("shiftleft", [BIGINT, INT], BIGINT),
        ("coalesce", [VOID, INT, DOUBLE], DOUBLE),
        ("coalesce", [STRING, VOID], STRING),
        ("coalesce", [INT] * 200, INT),
        ("nvl", [decimal(8, 2), INT], decimal(12, 2)),
        ("nullif", [INT, STRING], INT),
        ("if", [BOOLEAN, DATE, TIMESTAMP], TIMESTAMP),
        ("greatest", [INT, BIGINT, TINYINT], BIGINT),
        ("decode", [BINARY, STRING], STRING),
        ("decode", [INT, INT, INT, DOUBLE], DOUBLE),
        ("decode", [INT, INT, INT], STRING),
        ("when", [BOOLEAN, INT, BOOLEAN, DOUBLE], DOUBLE),
        ("zeroifnull", [TINYINT], INT),
        ("int", [STRING], INT),
        ("decimal", [INT], decimal(10, 0)),
        ("year", [STRING], INT),
        ("date_add", [DATE, INT], DATE),
        ("dateadd", [STRING, INT, TIMESTAMP_NTZ], TIMESTAMP_NTZ),
        ("datediff", [DATE, TIMESTAMP], INT),
        ("datediff", [STRING, DATE, DATE], BIGINT),
        ("date_trunc", [STRING, DATE], TIMESTAMP),
        ("time_bucket", [INTERVAL, TIMESTAMP_NTZ], TIMESTAMP_NTZ),
        ("make_ym_interval", [], MONTHS),
        ("array", [], array(VOID)),
        ("array", [INT, STRING], array(STRING)),
        ("coalesce", [INT, DATE, STRING], STRING),
        ("array_append", [array(INT), BIGINT], array(BIGINT)),
        ("element_at", [array(DATE), INT], DATE),
        ("element_at", [map_of(STRING, DATE), STRING], DATE),
        ("flatten", [array(array(INT))], array(INT)),
        ("map", [STRING, INT, STRING, DOUBLE], map_of(STRING, DOUBLE)),
        ("map_entries", [map_of(INT, DATE)], array(struct(("key", INT), ("value", DATE)))),
        ("map_from_entries", [array(ROW)], map_of(INT, STRING)),
        ("sequence", [DATE, TIMESTAMP, INTERVAL], array(TIMESTAMP)),
        ("sequence", [TINYINT, INT], array(INT)),
        ("split", [STRING, STRING], array(STRING)),
        ("transform", [array(INT), DOUBLE], array(DOUBLE)),
        ("filter", [array(ROW), BOOLEAN], array(ROW)),
        ("aggregate", [array(INT), BIGINT, BIGINT, STRING], STRING),
        ("explode", [array(ROW)], ROW),
        ("posexplode", [map_of(INT, DATE)], struct(("pos", INT), ("key", INT), ("value", DATE))),
        ("inline", [array(ROW)], ROW),
        ("lag", [DATE, INT], DATE),
        ("parse_json", [STRING], Type("VARIANT")),
    ],
)
def test_scalar_types(name: str, arguments: list[Type], expected: Type) -> None:
    assert type_of(name, *arguments) == expected


@pytest.mark.parametrize(
    ("name", "argument", "expected"),
    [
        ("count", ROW, BIGINT),
        *(("sum", type, BIGINT) for type in types.INTEGERS),
        *(("sum", type, DOUBLE) for type in (FLOAT, DOUBLE, STRING)),
        ("sum", decimal(8, 2), decimal(18, 2)),
        ("sum", decimal(30, 4), decimal(38, 4)),
        ("sum", INTERVAL, INTERVAL),
        *(("avg", type, DOUBLE) for type in (TINYINT, BIGINT, FLOAT, STRING)),
        ("avg", decimal(8, 2), decimal(12, 6)),
        ("mean", decimal(38, 36), decimal(38, 38)),
        ("avg", MONTHS, MONTHS),
        *((name, type, type) for name in ("min", "max") for type in (STRING, DATE, decimal(9, 3), ROW)),
        *((name, type, DOUBLE) for name in ("stddev", "var_pop", "median") for type in (INT, decimal(8, 2))),
        ("median", INTERVAL, INTERVAL),
        ("count_if", BOOLEAN, BIGINT),
        ("every", BOOLEAN, BOOLEAN),
    ],
)
def test_aggregate_types(name: str, argument: Type, expected: Type) -> None:
    assert type_of(name, argument) == expected


@pytest.mark.parametrize(
    ("name", "arguments", "literals", "expected"),
    [
        ("round", [decimal(10, 2)], [None], decimal(9, 0)),
        ("round", [decimal(10, 4), INT], [None, 2], decimal(9, 2)),
        ("round", [DOUBLE, INT], None, DOUBLE),
        ("ceil", [DOUBLE], None, BIGINT),
        ("floor", [decimal(10, 2)], None, decimal(9, 0)),
        ("ceil", [INT, INT], [None, -1], decimal(11, 0)),
        ("to_number", [STRING, STRING], [None, "$9,999.99"], decimal(6, 2)),
        ("date_part", [STRING, TIMESTAMP], ["second", None], decimal(8, 6)),
        ("extract", [STRING, DATE], ["YEAR", None], INT),
        ("extract", [STRING, INTERVAL], ["HOUR", None], TINYINT),
        ("from_json", [STRING, STRING], [None, "a INT, b ARRAY<DATE>"], struct(("a", INT), ("b", array(DATE)))),
        ("from_json", [STRING, STRING], [None, "map<string, decimal>"], map_of(STRING, decimal(10, 0))),
        ("from_csv", [STRING, STRING], [None, "`a b` INTEGER NOT NULL COMMENT 'x'"], struct(("a b", INT))),
        ("from_json", [STRING, STRING], [None, "array<interval year to month>"], array(MONTHS)),
        ("variant_get", [Type("VARIANT"), STRING, STRING], [None, "$.a", "int"], INT),
        ("named_struct", [STRING, INT, STRING, DATE], ["a", None, "b", None], struct(("a", INT), ("b", DATE))),
    ],
)
def test_types_that_literals_decide(
    name: str, arguments: list[Type], literals: list[Any] | None, expected: Type
) -> None:
    assert type_of(name, *arguments, literals=literals) == expected


def test_names_of_columns_go_into_a_struct() -> None:
    assert result_type(known("struct"), [INT, DATE], names=["a", None]) == struct(("a", INT), ("col2", DATE))


@pytest.mark.parametrize(
    ("name", "arguments", "message", "argument"),
    [
        ("substring", [STRING], "SUBSTRING takes 2 or 3 arguments, not 1", None),
        ("upper", [], "UPPER takes 1 argument, not 0", None),
        ("pi", [INT], "PI takes no arguments, not 1", None),
        ("coalesce", [], "COALESCE takes at least 1 argument, not 0", None),
        ("greatest", [INT], "GREATEST takes at least 2 arguments, not 1", None),
        ("map", [INT], "MAP takes an even number of arguments, not 1", None),
        ("make_date", [INT], "MAKE_DATE takes 3 arguments, not 1", None),
        ("year", [INT], "argument 1 of YEAR must be a DATE or TIMESTAMP, not INT", 0),
        ("sqrt", [DATE], "argument 1 of SQRT must be a number, not DATE", 0),
        ("sum", [BOOLEAN], "argument 1 of SUM must be a number or an INTERVAL or a TIMESTAMP, not BOOLEAN", 0),
        ("max", [map_of(INT, INT)], "argument 1 of MAX must be something that can be ordered, not MAP<INT, INT>", 0),
        ("upper", [ROW], f"argument 1 of UPPER must be a STRING, not {ROW}", 0),
        ("substring", [STRING, DATE], "argument 2 of SUBSTRING must be a number, not DATE", 1),
        ("size", [STRING], "argument 1 of SIZE must be an ARRAY or a MAP, not STRING", 0),
        ("coalesce", [INT, DATE], "argument 2 of COALESCE must be a number, not DATE", 1),
        ("greatest", [INT, STRING], "argument 2 of GREATEST must be a number, not STRING", 1),
        ("array_append", [array(INT), DATE], "argument 2 of ARRAY_APPEND must be a number, not DATE", 1),
        (
            "array_union",
            [array(INT), array(DATE)],
            "argument 2 of ARRAY_UNION must be an ARRAY<INT>, not ARRAY<DATE>",
            1,
        ),
        ("unix_date", [TIMESTAMP], "argument 1 of UNIX_DATE must be a DATE, not TIMESTAMP", 0),
        ("filter", [array(INT), INT], "argument 2 of FILTER must be a BOOLEAN, not INT", 1),
        ("try_add", [BOOLEAN, INT], "argument 2 of TRY_ADD must be a BOOLEAN, not INT", 1),
    ],
)
def test_problems(name: str, arguments: list[Type], message: str, argument: int | None) -> None:
    problem = problem_of(name, *arguments)
    assert (problem.message, problem.argument) == (message, argument)
    assert str(problem) == message


@pytest.mark.parametrize(
    ("name", "arguments", "literals"),
    [
        ("from_json", [STRING, STRING], None),
        ("from_json", [STRING, STRING], [None, "a STRUCT<"]),
        ("from_json", [STRING, STRING], [None, "a INTEGGER"]),
        ("from_json", [STRING, STRING], [None, ""]),
        ("from_avro", [BINARY, STRING], None),
        ("to_number", [STRING, STRING], [None, None]),
        ("round", [decimal(10, 2), INT], None),
        ("struct", [INT], None),
        ("named_struct", [STRING, INT], [None, None]),
    ],
)
def test_types_that_only_spark_knows(name: str, arguments: list[Type], literals: list[Any] | None) -> None:
    assert problem_of(name, *arguments, literals=literals).message == UNKNOWN
