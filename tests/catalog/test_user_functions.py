"""Registering functions from Python: what is taken, and what is refused with which words."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark import cloudpickle

from tailrace.catalog.user_functions import UserAggregate, UserFunction, UserFunctions
from tailrace.errors import CatalogError
from tailrace.types import INT, array, decimal


class Longest:
    returns = "INT"
    arguments = ("STRING",)

    def add(self, text: str) -> None: ...

    def result(self) -> int: ...


class NoResult:
    returns = "INT"

    def add(self, value: int) -> None: ...


def test_a_function_is_found_whatever_its_capitals() -> None:
    functions = UserFunctions().function("Half", lambda x: x, "array<decimal(8,2)>", ["int"])
    found = functions.find("hALF")
    assert isinstance(found, UserFunction)
    assert (found.name, found.returns, found.arguments) == ("Half", array(decimal(8, 2)), (INT,))
    assert functions.find("half2") is None


def test_an_aggregate_says_its_types_itself_or_is_told() -> None:
    functions = UserFunctions().aggregate("a", Longest).aggregate("b", Longest, "BIGINT")
    first, second = functions.find("A"), functions.find("B")
    assert isinstance(first, UserAggregate)
    assert isinstance(second, UserAggregate)
    assert (first.returns, first.removes, str(second.returns)) == (INT, False, "BIGINT")


def test_registering_changes_nothing_that_was_there() -> None:
    before = UserFunctions()
    before.function("f", abs, "INT")
    assert before.find("f") is None


@pytest.mark.parametrize(
    ("name", "function", "returns", "message"),
    [
        ("Abs", abs, "INT", "ABS is a function of Spark SQL already"),
        ("first", abs, "INT", "FIRST is a function of Spark SQL already"),
        ("known", abs, "INT", "there is already a registered function Known"),
        ("a b", abs, "INT", "a b cannot be the name of a function in a query"),
        ("select", abs, "INT", "select cannot be the name of a function in a query"),
        ("case", abs, "INT", "case cannot be the name of a function in a query"),
        ("istream", abs, "INT", "istream cannot be the name of a function in a query"),
        ("cast", abs, "INT", "cast cannot be the name of a function in a query"),
        ("f", 3, "INT", "f cannot be called: it is a int, not a function"),
        ("f", abs, "INTT", "f: 'INTT' is no type: expected a type, found INTT"),
        ("f", abs, "INT x", "f: 'INT x' is no type: expected the end of the statement, found x"),
        ("f", abs, "", "f: '' is no type: a type is missing"),
        ("f", abs, "DECIMAL(50)", "f: 'DECIMAL(50)' is no type: a DECIMAL has 1 to 38 digits"),
        ("f", abs, "'x", "f: ''x' is no type: a text that does not end"),
        ("f", abs, None, "f: a type is a text such as 'INT', not None"),
    ],
)
def test_refused_functions(name: str, function: Any, returns: Any, message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        UserFunctions().function("Known", abs, "INT").function(name, function, returns)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("cls", "returns", "message"),
    [
        (len, "INT", "f must be a class with add(…) and result(), not a builtin_function_or_method"),
        (NoResult, "INT", "f: the class NoResult has no method result"),
        (type("Empty", (), {}), "INT", "f: the class Empty has no method add and no result"),
        (type("Untyped", (Longest,), {"returns": None}), None, "f: the type of its result is missing"),
    ],
)
def test_refused_aggregates(cls: Any, returns: str | None, message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        UserFunctions().aggregate("f", cls, returns)
    assert str(caught.value) == message


def test_each_is_equal_to_itself_only_and_stays_so_on_its_way() -> None:
    one, other = (UserFunctions().function("f", lambda x: x + 1, "INT").entries[0] for _ in range(2))
    assert one != other
    back = cloudpickle.loads(cloudpickle.dumps(one))
    assert (back, hash(back), repr(back)) == (one, hash(one), repr(other))
    assert back.function(1) == 2
