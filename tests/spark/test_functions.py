"""The catalog of functions against Spark itself: the same names, numbers of arguments and types."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import types as spark_types

from tailrace import types
from tailrace.catalog import functions
from tailrace.catalog.functions import VARIABLES, Function, SignatureProblem
from tailrace.types import VOID, Type

pytestmark = pytest.mark.spark

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
    **dict.fromkeys(("lag", "lead", "ntile"), "without arguments it gives a NULL"),
    "unix_timestamp": "without arguments it reads the clock",
}
# Arithmetic in which Spark reads a STRING as the other side's type, while types.arithmetic reads a DOUBLE.
STRINGS_AS_NUMBERS = {"mod", "pmod", "try_add", "try_mod", "try_multiply", "try_subtract"}
# Functions that want literals, another package, or types that have no literals in these tests.
NOT_GENERATED = {
    *WITH_UNIT,
    *("collate", "schema_of_avro", "schema_of_csv", "schema_of_json", "schema_of_xml", "to_avro", "to_protobuf"),
    *("java_method", "reflect", "try_reflect", "st_asbinary", "st_srid"),
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
    """Arguments for a function: the usual ones, then each of them varied, then all varied together."""
    for signature in function.signatures:
        for count in list(signature.counts)[:4]:
            choices = [
                [type for pattern, exact in signature.parameter(at) for type in samples(pattern, exact)]
                for at in range(count)
            ]
            usual = [choice[0] for choice in choices]
            yield tuple(usual)
            for at, choice in enumerate(choices):
                yield from (tuple([*usual[:at], type, *usual[at + 1 :]]) for type in choice[1:])
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
    """A call as SQL; types become NULLs of theirs, all else stands for itself."""
    given = [f"CAST(NULL AS {sql_type(one)})" if isinstance(one, Type) else str(one) for one in arguments]
    return f"`{name}`({', '.join(given)}){after}"


def analyzed(spark: SparkSession, expressions: Sequence[str]) -> list[Type | None]:
    """The types that Spark gives the expressions, None where it refuses one; halves find those in few steps."""
    try:
        schema = spark.sql(f"SELECT {', '.join(expressions)}").schema
        return [of_spark(field.dataType) for field in schema]
    except PySparkException:
        if len(expressions) == 1:
            return [None]
        half = len(expressions) // 2
        return analyzed(spark, expressions[:half]) + analyzed(spark, expressions[half:])


def ours(function: Function, arguments: Sequence[Type]) -> Type | None:
    try:
        return functions.result_type(function, arguments, names=[None] * len(arguments))
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


def test_result_types(spark: SparkSession) -> None:
    wrong, silent = [], []
    for name in named("scalar", "unstable", "aggregate"):
        if name in NOT_GENERATED:
            continue
        function = known(name)
        tried = [arguments for arguments in dict.fromkeys(calls(function)) if ours(function, arguments)]
        if name in STRINGS_AS_NUMBERS:
            tried = [arguments for arguments in tried if STRING not in arguments]
        found = analyzed(spark, [text(name, arguments) for arguments in tried])
        pairs = [(arguments, type) for arguments, type in zip(tried, found, strict=True) if type is not None]
        wrong += [
            f"{text(name, arguments)} is {type} in Spark, {ours(function, arguments)} here"
            for arguments, type in pairs
            if type != ours(function, arguments)
        ]
        if tried and not pairs:
            silent.append(name)
    assert wrong == []
    assert silent == [], "Spark refuses every call that was tried"


def test_wrong_numbers_of_arguments(spark: SparkSession) -> None:
    wrong = []
    for name in functions.names():
        function = known(name)
        taken = {count for signature in function.signatures for count in signature.counts}
        counts = {min(taken) - 1, max(taken) + 1} & set(range(9))
        expressions = [text(name, ["NULL"] * count) for count in counts]
        accepted = [one for one in expressions if analyzed(spark, [one]) != [None]]
        wrong += accepted if name not in OTHER_NUMBERS else []
    assert wrong == []


def test_refused_types(spark: SparkSession) -> None:
    """What the table refuses, Spark refuses too: one call for each first argument of each function."""
    wrong = []
    for name in named("scalar", "aggregate"):
        function = known(name)
        usual = next(arguments for arguments in calls(function) if arguments or not function.signatures[0].parameters)
        for odd in (types.BOOLEAN, DATE, types.array(INT), types.map_of(STRING, INT)) if usual else ():
            try:
                functions.result_type(function, [odd, *usual[1:]])
            except SignatureProblem as problem:
                if problem.argument == 0:
                    expression = text(name, [odd, *usual[1:]])
                    wrong += [expression] if analyzed(spark, [expression]) != [None] else []
                    break
    assert wrong == []
