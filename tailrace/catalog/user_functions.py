"""User functions: scalar functions and aggregates that a user registers from Python.

They must be deterministic: equal arguments always give the same value. How often a function is called, for which
tuples and in which order, is not promised. NULL is None. If a function names its argument types (`arguments`),
arguments are cast to them; otherwise it gets the types that it is called with.

An aggregate is a class. `add(self, *values)` adds a tuple's arguments, `remove(self, *values)`, if there is one,
removes them, and `result(self)` returns the value and changes nothing. Tuples with a NULL among their arguments are
skipped. At one instant additions come before removals, each in any order. Without `remove`, a group that loses a tuple
is folded anew from all its tuples. Objects are made and dropped at any time; the result of a new one is that of no
tuples.

>>> functions = UserFunctions().function("half", lambda x: x / 2, "DOUBLE")
>>> functions.find("HALF")
UserFunction(name='half', returns=DOUBLE, arguments=None, vectorised=False)
>>> functions.function("sum", max, "INT")
Traceback (most recent call last):
tailrace.errors.CatalogError: SUM is a function of Spark SQL already
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from sqlglot import exp

from tailrace.catalog import builtin_functions as functions
from tailrace.errors import CatalogError, ParseError
from tailrace.language.script import parse_query, parse_type
from tailrace.stable_encoding import stable
from tailrace.types import Type

ANY_NUMBER = range(0, 1 << 16)


@stable("user-function", "name", "returns", "arguments", "vectorised")
@dataclass(frozen=True)
class UserFunction:
    """A Python function of values, called row by row, or if `vectorised` one of Arrow arrays. It equals only itself."""

    name: str
    function: Callable[..., Any] = field(compare=False, repr=False)
    returns: Type
    arguments: tuple[Type, ...] | None = None
    vectorised: bool = False
    identity: str = field(default_factory=lambda: uuid4().hex, repr=False)  # keeps that true in a worker

    @property
    def counts(self) -> range:
        """The numbers of arguments that the function can be called with."""
        if self.arguments is not None:
            return range(len(self.arguments), len(self.arguments) + 1)
        found = _counts(self.function)
        return range(max(found.start, 1), found.stop) if self.vectorised else found


@stable("user-aggregate", "name", "returns", "arguments")
@dataclass(frozen=True)
class UserAggregate:
    """An aggregate: a class with add, result and perhaps remove. Like a UserFunction it equals only itself."""

    name: str
    cls: Callable[[], Any] = field(compare=False, repr=False)
    returns: Type
    arguments: tuple[Type, ...] | None = None
    identity: str = field(default_factory=lambda: uuid4().hex, repr=False)

    @property
    def counts(self) -> range:
        if self.arguments is not None:
            return range(len(self.arguments), len(self.arguments) + 1)
        found = _counts(getattr(self.cls, "add", None), skip=1)
        return range(max(found.start, 1), found.stop)

    @property
    def removes(self) -> bool:
        return callable(getattr(self.cls, "remove", None))

    @property
    def of_nothing(self) -> UserFunction:
        """A function without arguments whose value is the aggregate of no tuples."""
        return UserFunction(self.name, Nothing(self.cls), self.returns, (), identity=self.identity)


@dataclass(frozen=True)
class Nothing:
    """A function without arguments that returns an aggregate's result over no tuples."""

    cls: Callable[[], Any]

    def __call__(self) -> Any:
        return self.cls().result()


@dataclass(frozen=True)
class UserFunctions:
    """The registered functions and aggregates, each name once. Immutable: registering returns a new UserFunctions."""

    entries: tuple[UserFunction | UserAggregate, ...] = ()

    def find(self, name: str) -> UserFunction | UserAggregate | None:
        """The function or aggregate of that name, in upper or lower case; None if there is none."""
        return next((entry for entry in self.entries if entry.name.lower() == name.lower()), None)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries)

    def function(
        self,
        name: str,
        function: Callable[..., Any],
        returns: str,
        arguments: Sequence[str] | None = None,
        vectorised: bool = False,
    ) -> UserFunctions:
        """These functions and one more scalar function; `returns` and `arguments` are types such as 'DOUBLE'."""
        self._refuse_name(name)
        if not callable(function):
            raise CatalogError(f"{name} cannot be called: it is a {type(function).__name__}, not a function")
        taken = _types(name, arguments)
        if vectorised and taken == ():
            raise CatalogError(f"{name} is vectorised, but takes no arguments", None, "leave out vectorised")
        return self._with(UserFunction(name, function, _type(name, returns), taken, vectorised))

    def aggregate(
        self, name: str, cls: Callable[[], Any], returns: str | None = None, arguments: Sequence[str] | None = None
    ) -> UserFunctions:
        """These functions and one more aggregate; without `returns` its type is the class's attribute `returns`."""
        self._refuse_name(name)
        if not inspect.isclass(cls):
            raise CatalogError(f"{name} must be a class with add(…) and result(), not a {type(cls).__name__}")
        missing = [method for method in ("add", "result") if not callable(getattr(cls, method, None))]
        if missing:
            raise CatalogError(f"{name}: the class {cls.__name__} has no method {' and no '.join(missing)}")
        returns = returns if returns is not None else getattr(cls, "returns", None)
        if returns is None:
            raise CatalogError(f"{name}: the type of its result is missing", None, f"{cls.__name__}.returns = 'INT'")
        taken = _types(name, arguments if arguments is not None else getattr(cls, "arguments", None))
        if taken == ():
            raise CatalogError(f"{name}: an aggregate takes at least one argument")
        return self._with(UserAggregate(name, cls, _type(name, returns), taken))

    def _with(self, entry: UserFunction | UserAggregate) -> UserFunctions:
        return replace(self, entries=(*self.entries, entry))

    def _refuse_name(self, name: str) -> None:
        if not isinstance(name, str) or not _is_callable_name(name):
            raise CatalogError(f"{name} cannot be the name of a function in a query")
        if functions.find(name) is not None:
            raise CatalogError(f"{name.upper()} is a function of Spark SQL already", None, "choose another name")
        known = self.find(name)
        if known is not None:
            word = "aggregate" if isinstance(known, UserAggregate) else "function"
            raise CatalogError(f"there is already a registered {word} {known.name}", None, "choose another name")


NO_FUNCTIONS = UserFunctions()


def _is_callable_name(name: str) -> bool:
    """Whether the grammar parses `name(x)` as the call of a function of this name."""
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        return False
    try:
        node = parse_query(f"SELECT {name}(x) FROM S").expressions[0]
    except ParseError:
        return False
    called = node.find(exp.Anonymous)
    return called is not None and called.name.lower() == name.lower()


def _type(name: str, text: str) -> Type:
    if not isinstance(text, str):
        raise CatalogError(f"{name}: a type is a text such as 'INT', not {text!r}")
    try:
        return parse_type(text)
    except ParseError as problem:
        raise CatalogError(f"{name}: '{text}' is no type: {problem.message}", None, problem.hint) from None


def _types(name: str, texts: Sequence[str] | None) -> tuple[Type, ...] | None:
    if isinstance(texts, str):
        raise CatalogError(f"{name}: the types of its arguments are a list, such as ['INT']")
    return None if texts is None else tuple(_type(name, text) for text in texts)


def _counts(function: Callable[..., Any] | None, skip: int = 0) -> range:
    """The numbers of arguments a Python function can be called with; any number if its signature is unknown.

    >>> _counts(lambda x, y=2: x), _counts(lambda first, *others: first).start
    (range(1, 3), 1)
    """
    if function is None:
        return ANY_NUMBER
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return ANY_NUMBER
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    least = sum(1 for p in plain if p.default is p.empty)
    most = ANY_NUMBER.stop if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(plain) + 1
    return range(least, most)
