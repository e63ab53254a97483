"""Stocks: the input of CACQ's comparison with NiagaraCQ (§5): stock quotes, articles about them, and users' queries.

An update brings quotes and, for each of them, articles of 200 to 1,000 bytes. Quotes join the articles of their own
update. Each query wants the quotes above a price of its own, together with their articles.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from tailrace.catalog.user_functions import UserFunction
from tailrace.columnar.delta import Delta, elements
from tailrace.logical.expressions import Call, Column, Expression, Literal, UserCall
from tailrace.operators.families.member_index import MemberIndex
from tailrace.types import BOOLEAN, DOUBLE

SYMBOL, PRICE = 0, 1  # columns of a quote
STOCK_TYPES, ARTICLE_TYPES = (pa.int32(), pa.float64()), (pa.int32(), pa.string())
SHORTEST, LONGEST = 200, 1000  # bytes of an article
LEAST_SPIN, MOST_SPIN = 1e-6, 50e-6  # seconds of a call of a user's function, a tenth of the paper's


@dataclass(frozen=True)
class PriceAlert:
    """A user's function: true for prices above its own. It spins for a while, which depends on the price."""

    above: float

    def __call__(self, price: float) -> bool:
        until = time.perf_counter() + LEAST_SPIN + (price * 7919 + self.above) % 1 * (MOST_SPIN - LEAST_SPIN)
        while time.perf_counter() < until:
            pass
        return price > self.above


@dataclass(frozen=True)
class StockWorkload:
    """`queries` queries over updates of `stocks` quotes, with `articles` articles about each.

    With `udf`, users' functions in Python select the quotes; otherwise comparisons do.
    """

    queries: int
    stocks: int
    articles: int = 1
    udf: bool = False
    updates: int = 7

    @cached_property
    def prices(self) -> list[float]:
        """The price above which each query wants quotes. The first is 0, so that together they want all quotes."""
        chance = np.random.default_rng(3)
        return [0.0, *(100 * chance.random(self.queries - 1)).round(2).tolist()]

    @cached_property
    def predicates(self) -> tuple[Expression, ...]:
        price = Column(PRICE, DOUBLE, "price")
        if not self.udf:
            return tuple(Call(">", (price, Literal(above, DOUBLE)), BOOLEAN) for above in self.prices)
        functions = [UserFunction(f"wish{at}", PriceAlert(above), BOOLEAN) for at, above in enumerate(self.prices)]
        return tuple(UserCall(function, (price,)) for function in functions)

    @cached_property
    def members(self) -> MemberIndex:
        """The queries' predicates by member number.

        They hold for quotes and for joined tuples alike, since the columns of the quote come first there too.
        """
        found = MemberIndex()
        for number, predicate in enumerate(self.predicates):
            found.add(number, predicate)
        return found

    def update(self, number: int) -> tuple[Delta, Delta]:
        """The quotes and the articles of an update, all at the instant `number`."""
        chance = np.random.default_rng([7, number])
        quotes = np.arange(self.stocks, dtype=np.int32)
        prices = 100 * (1 - chance.random(self.stocks))
        symbols = np.repeat(quotes, self.articles)
        lengths = chance.integers(SHORTEST, LONGEST + 1, len(symbols))
        text = "Lorem ipsum dolor sit amet. " * (LONGEST // 28 + 1)
        bodies = pa.array([text[:length] for length in lengths.tolist()])
        stocks = elements(np.full(self.stocks, number), [pa.array(quotes), pa.array(prices)])
        return stocks, elements(np.full(len(symbols), number), [pa.array(symbols), bodies])


@dataclass(frozen=True)
class StockRate:
    """Quotes that a plan takes in a second, and how many tuples the queries got."""

    rate: float
    delivered: int
