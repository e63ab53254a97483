"""The catalog of functions against Spark itself: the same names, numbers of arguments and types."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import types as spark_types

from tailrace import types
from tailrace.catalog import builtin_functions as functions
from tailrace.catalog.builtin_functions import VARIABLES, Function, SignatureProblem
from tailrace.types import VOID, Type

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

INT, BIGINT, DOUBLE, STRING, DATE = types.INT, types.BIGINT, types.DOUBLE, types.STRING, types.DATE
MONEY = types.decimal(10, 2)
ROW = types.struct(("x", INT), ("y", STRING))
TIMES = (types.TIMESTAMP, DATE, types.TIMESTAMP_NTZ)
NUMBERS = (INT, types.TINYINT, BIGINT, types.FLOAT, DOUBLE, MONEY, types.decimal(38, 10))

# Words of the grammar: the first SHOW FUNCTIONS lists though they cannot be called, the others it does not list.
NOT_CALLED = {"case", "cast"}
WITH_UNIT = {"timediff", "timestampadd", "timestampdiff"}

# Numbers of arguments that Spark takes and the table does not.
OTHER_NUMBERS = {
    **dict.fromkeys(("hour", "minute", "second"), "whatever follows the first argument is ignored"),
    "unix_timestamp": "without arguments it reads the clock",
}
# A bare NULL among BINARY makes the result a STRING, one before a FLOAT makes it a DOUBLE; here it changes nothing.
BARE_NULLS = {"concat", "elt", "lpad", "rpad", "nanvl", "nullifzero"}
# Functions that want literals, another package, or types that have no literals in these tests.
NOT_GENERATED = {
    *WITH_UNIT,
    *("collate", "schema_of_avro", "schema_of_csv", "schema_of_json", "schema_of_xml", "to_avro", "to_protobuf"),
    *("java_method", "reflect", "try_reflect", "st_asbinary", "st_srid"),
}

# Calls that Spark takes outside its ANSI mode although they say nothing: NULL for every DATE, a moment for TRUE.
REFUSED_HERE = {
    *"bigint boolean decimal double float int smallint tinyint timestamp nullifzero".split(),
}

# What stands for each variable in the calls that are tried; the first is the usual one.
SAMPLES: dict[str, Sequence[Type]] = {
    **dict.fromkeys("TUKV", (INT, STRING, DATE, types.array(INT), ROW)),
    "ANY": (STRING, INT, DATE, types.array(INT)),
    "S": (STRING, INT, DATE),
    "O": (INT, STRING, DATE, types.array(INT)),
    "N": (*NUMBERS, STRING),
    "M": (*NUMBERS, STRING, types.INTERVAL, types.MONTHS),
    "I": types.INTEGERS,
    "D": TIMES,
    "R": (ROW,),
    "ARRAY": (types.array(INT),),
    "MAP": (types.map_of(STRING, INT),),
    "STRUCT": (ROW,),
}
IMPLICIT: dict[Type, Sequence[Type]] = {
    STRING: (STRING, INT, DATE, types.BINARY),
    types.BOOLEAN: (types.BOOLEAN, STRING),
    types.BINARY: (types.BINARY, STRING),
    **{type: (type, INT, MONEY, STRING) for type in (INT, BIGINT, DOUBLE, types.FLOAT)},
    **{type: (type, *TIMES, STRING) for type in TIMES},
}


def samples(pattern: Type, exact: bool) -> list[Type]:
    """Types that a parameter takes, the usual one first."""
    if pattern.name in VARIABLES or (pattern.name in SAMPLES and not pattern.args):
        return [type for type in SAMPLES[pattern.name] if not exact or type != STRING or pattern.name in "STO"]
    if pattern.name == "ARRAY":
        return [types.array(type) for type in samples(pattern.args[0], exact)]
    if pattern.name == "MAP":
        keys, values = (samples(part, exact) for part in pattern.args)
        return [types.map_of(key, value) for key, value in zip(keys, [*reversed(values)] * 2, strict=False)]
    if pattern.name == "STRUCT":
        return [types.struct(*((name, samples(part, exact)[0]) for name, part in pattern.args))]
    return [pattern] if exact else list(IMPLICIT.get(pattern, [pattern]))


def calls(function: Function) -> Iterator[tuple[Type, ...]]:
    """Arguments for a function: the usual ones, then each of them varied or NULL, then all varied together."""
    for signature in function.signatures:
        for count in sorted({signature.counts[0], signature.counts[:3][-1]}):
            choices = [
                [type for pattern, exact in signature.parameter(at) for type in samples(pattern, exact)]
                for at in range(count)
            ]
            usual = [choice[0] for choice in choices]
            yield tuple(usual)
            for at, choice in enumerate(choices):
                yield from ((*usual[:at], type, *usual[at + 1 :]) for type in (*choice[1:], VOID))
            longest = max(map(len, choices), default=0)
            yield from (tuple(choice[turn % len(choice)] for choice in choices) for turn in range(1, longest))


def sql_type(type: Type) -> str:
    if type == types.INTERVAL:
        return "INTERVAL DAY TO SECOND"
    if type.name == "CALENDAR_INTERVAL":
        return "INTERVAL"
    return f"ARRAY<{sql_type(type.args[0])}>" if type.name == "ARRAY" else str(type)


def of_spark(type: spark_types.DataType) -> Type:
    """A type of Spark as one of ours."""
    match type:
        case spark_types.ArrayType():
            return types.array(of_spark(type.elementType))
        case spark_types.MapType():
            return types.map_of(of_spark(type.keyType), of_spark(type.valueType))
        case spark_types.StructType():
            return types.struct(*((field.name, of_spark(field.dataType)) for field in type.fields))
        case spark_types.DayTimeIntervalType():
            return types.INTERVAL
        case spark_types.CalendarIntervalType():
            return Type("CALENDAR_INTERVAL")
        case spark_types.DecimalType():
            return types.decimal(type.precision, type.scale)
    name, _, digits = type.simpleString().upper().partition("(")
    return Type(name, (int(digits.rstrip(")")),) if digits.rstrip(")").isdigit() else ())


def text(name: str, arguments: Sequence[Any], after: str = "") -> str:
    """A call as SQL: types stand for NULLs of theirs, pairs of names and a type for lambdas, the rest for itself."""

    def value(one: Any) -> str:
        if isinstance(one, tuple):
            return f"{one[0]} -> {value(one[1])}"
        return f"CAST(NULL AS {sql_type(one)})" if isinstance(one, Type) else "NULL" if one is None else repr(one)

    return f"`{name}`({', '.join(map(value, arguments))}){after}"


def analyzed(spark: SparkSession, expressions: Sequence[str]) -> list[Type | None]:
    """The types that Spark gives the expressions, None where it refuses one; halves find those in few steps."""
    try:
        schema = spark.sql(f"SELECT {', '.join(expressions)}").schema
        return [of_spark(field.dataType) for field in schema]
    except (PySparkException, Py4JJavaError):
        if len(expressions) < 2:
            return [None] * len(expressions)
        half = len(expressions) // 2
        return analyzed(spark, expressions[:half]) + analyzed(spark, expressions[half:])


def ours(function: Function, arguments: Sequence[Any]) -> Type | None:
    """The type that the catalog gives a call, None where it refuses it or does not know."""
    literal = {str: STRING, int: INT, float: DOUBLE, bool: types.BOOLEAN}
    given = [one[1] if isinstance(one, tuple) else literal.get(type(one), one) for one in arguments]
    literals = [None if isinstance(one, Type | tuple) else one for one in arguments]
    try:
        return functions.result_type(function, given, literals, names=[None] * len(given))
    except SignatureProblem:
        return None


def named(*kinds: str) -> list[str]:
    """The supported functions of those kinds."""
    found = [(name, functions.find(name)) for name in functions.names()]
    return [name for name, function in found if function and function.supported and function.kind in kinds]


def known(name: str) -> Function:
    function = functions.find(name)
    assert function is not None
    return function


def test_names(spark: SparkSession) -> None:
    listed = {row[0] for row in spark.sql("SHOW SYSTEM FUNCTIONS").collect()}
    words = {name for name in listed if name[0].isalpha()}
    assert words - set(functions.names()) == NOT_CALLED
    assert set(functions.names()) - listed == WITH_UNIT


def together(task: Callable[[str], list[str]], names: Iterable[str]) -> list[str]:
    """What the task finds for all the names; every refusal of Spark waits for the network, so several run at once."""
    with ThreadPoolExecutor(8) as pool:
        return [found for result in pool.map(task, names) for found in result]


@pytest.mark.slow
def test_result_types(spark: SparkSession) -> None:
    def differences(name: str) -> list[str]:
        function = known(name)
        tried = [arguments for arguments in dict.fromkeys(calls(function)) if ours(function, arguments)]
        skipped = {VOID} if name in BARE_NULLS else set()
        tried = [arguments for arguments in tried if not skipped & set(arguments)]
        found = analyzed(spark, [text(name, arguments) for arguments in tried])
        if tried and not any(found):
            return [f"Spark refuses every call of {name} that was tried"]
        return [
            f"{text(name, arguments)} is {type} in Spark, {ours(function, arguments)} here"
            for arguments, type in zip(tried, found, strict=True)
            if type not in (None, ours(function, arguments))
        ]

    names = [name for name in named("scalar", "unstable", "aggregate") if name not in NOT_GENERATED]
    assert together(differences, names) == []


@pytest.mark.slow
def test_wrong_numbers_of_arguments(spark: SparkSession) -> None:
    def accepted(name: str) -> list[str]:
        taken = {count for signature in known(name).signatures for count in signature.counts}
        wrong = {min(taken) - 1, max(taken) + 1} & set(range(9))
        expressions = [text(name, [None] * count) for count in wrong]
        return [expression for expression in expressions if analyzed(spark, [expression]) != [None]]

    assert together(accepted, [name for name in functions.names() if name not in OTHER_NUMBERS]) == []


def test_refused_types(spark: SparkSession) -> None:
    """What the table refuses, Spark refuses too: one odd first argument for every function that minds it."""

    def accepted(name: str) -> list[str]:
        _, *rest = next(filter(None, calls(known(name))), (None,))
        for odd in (types.BOOLEAN, DATE, types.array(INT), types.map_of(STRING, INT)):
            try:
                functions.result_type(known(name), [odd, *rest])
            except SignatureProblem as problem:
                if problem.argument == 0:
                    expression = text(name, [odd, *rest])
                    return [expression] if analyzed(spark, [expression]) != [None] else []
        return []

    assert together(accepted, [name for name in named("scalar", "aggregate") if name not in REFUSED_HERE]) == []


NUMBERS_OF = types.array(INT)
PLACES = types.map_of(STRING, INT)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *(("round", [MONEY, digits]) for digits in (1, 0, -1, 5, -20)),
        *((name, [type, 1]) for name in ("bround", "ceil", "floor") for type in NUMBERS),
        *(("date_part", [unit, type]) for unit in ("YEAR", "minute", "SECOND", "dow") for type in TIMES),
        *(("date_part", [unit, types.INTERVAL]) for unit in ("DAY", "HOUR", "MINUTE", "SECOND")),
        *(("extract", [unit, types.MONTHS]) for unit in ("YEAR", "MONTH")),
        *(("to_number", [STRING, form]) for form in ("999", "$9,999.99", "S00D9", ".99", "99PR")),
        ("try_to_number", [STRING, "0.9"]),
        *((name, [STRING, "a INT, `b c` DECIMAL(8,2) NOT NULL"]) for name in ("from_csv", "from_json", "from_xml")),
        ("from_json", [STRING, "array<struct<a: long, b: map<string, timestamp_ntz>>>"]),
        ("variant_get", [Type("VARIANT"), "$.a", "decimal(9,1)"]),
        ("try_variant_get", [Type("VARIANT"), "$.a"]),
        ("named_struct", ["a", INT, "b", NUMBERS_OF]),
        ("schema_of_json", ["{}"]),
        ("schema_of_csv", ["1,a"]),
        ("like", [STRING, STRING, "/"]),
        ("percentile", [INT, 0.5]),
        ("percentile_approx", [MONEY, 0.5, 100]),
        ("histogram_numeric", [STRING, 5]),
        ("max_by", [DATE, INT, 3]),
        ("java_method", ["java.util.UUID", "randomUUID"]),
        ("aggregate", [NUMBERS_OF, BIGINT, ("(s, x)", BIGINT)]),
        ("reduce", [NUMBERS_OF, BIGINT, ("(s, x)", BIGINT), ("s", STRING)]),
        ("array_sort", [NUMBERS_OF, ("(x, y)", INT)]),
        *((name, [NUMBERS_OF, ("x", types.BOOLEAN)]) for name in ("exists", "filter", "forall")),
        ("filter", [NUMBERS_OF, ("(x, i)", types.BOOLEAN)]),
        ("map_filter", [PLACES, ("(k, v)", types.BOOLEAN)]),
        ("map_zip_with", [PLACES, types.map_of(STRING, DATE), ("(k, v, w)", DOUBLE)]),
        ("transform", [NUMBERS_OF, ("x", DATE)]),
        ("transform", [NUMBERS_OF, ("(x, i)", MONEY)]),
        ("transform_keys", [PLACES, ("(k, v)", DATE)]),
        ("transform_values", [PLACES, ("(k, v)", DATE)]),
        ("zip_with", [NUMBERS_OF, types.array(STRING), ("(x, y)", ROW)]),
    ],
)
def test_values_and_lambdas(spark: SparkSession, name: str, arguments: list[Any]) -> None:
    assert analyzed(spark, [text(name, arguments)]) == [ours(known(name), arguments)]


def test_units(spark: SparkSession) -> None:
    for name, arguments in [
        *((name, [INT, type]) for name in ("date_add", "dateadd", "timestampadd") for type in TIMES),
        *((name, [type, DATE]) for name in ("date_diff", "datediff", "timestampdiff", "timediff") for type in TIMES),
    ]:
        call = text(name, arguments).replace("(", "(DAY, ", 1).replace("`", "")
        assert analyzed(spark, [call]) == [ours(known(name), ["DAY", *arguments])]


def test_window_functions(spark: SparkSession) -> None:
    given = {"lag": [MONEY, 1], "lead": [DATE], "nth_value": [ROW, 2], "ntile": [3], "counter_diff": [BIGINT]}
    for name in named("window"):
        arguments = given.get(name, [])
        found = analyzed(spark, [text(name, arguments, " OVER (ORDER BY 1)")])
        assert found == [ours(known(name), arguments)], name


def test_generators(spark: SparkSession) -> None:
    for name in named("generator"):
        for arguments in dict.fromkeys(calls(known(name))):
            type = ours(known(name), arguments)
            if type is not None and VOID not in arguments:
                columns = of_spark(spark.sql(f"SELECT {text(name, arguments)}").schema).args
                assert type == (types.struct(*columns) if len(columns) > 1 else columns[0][1])
