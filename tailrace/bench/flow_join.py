"""Flow join: quotes and articles through one flow, with SteMs: the side of CACQ in its comparison with NiagaraCQ."""

from __future__ import annotations

from collections.abc import Iterator

from tailrace.bench.in_process import together
from tailrace.bench.stocks import Wish, Workload
from tailrace.catalog.user_functions import UserFunctions
from tailrace.engine.compile import compile_script
from tailrace.errors import Source
from tailrace.physical.delta import Delta, Span
from tailrace.physical.run_local import LocalRun

STREAMS = """CREATE STREAM Stocks (symbol INT, price DOUBLE) TIMESTAMP BY ts;
CREATE STREAM Articles (symbol INT, body STRING) TIMESTAMP BY ts;"""
QUERY = "SELECT * FROM Stocks [NOW] AS S, Articles [NOW] AS A WHERE {} AND S.symbol = A.symbol"


class FlowJoin:
    """All queries of a workload as one flow; updates come one after the other."""

    def __init__(self, workload: Workload) -> None:
        functions, texts = UserFunctions(), [STREAMS]
        for number, above in enumerate(workload.prices):
            if workload.udf:
                functions = functions.function(f"wish{number}", Wish(above), "BOOLEAN")
            wanted = f"wish{number}(S.price)" if workload.udf else f"S.price > {above}D"
            texts.append(f"CREATE QUERY q{number} AS {QUERY.format(wanted)};")
        compiled = compile_script(Source("\n".join(texts), "stocks.cql"), functions=functions)
        self.run = LocalRun(together(compiled))

    def __call__(self, stocks: Delta, articles: Delta, span: Span) -> Iterator[Delta]:
        yield from self.run.batch({"Stocks": stocks, "Articles": articles}, span.to).values()
