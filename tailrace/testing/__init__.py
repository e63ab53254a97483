"""Testing: what a user's own tests of queries need, without Spark.

`evaluate_script` says what the queries of a script answer by definition, `random_script` draws scripts to try an idea
on, and `parse_delta` reads the text form of the batches that flow between operators. Nothing here is incremental.

>>> script = '''CREATE STREAM S (k STRING, v INT) TIMESTAMP BY ts;
... CREATE QUERY sums AS SELECT k, SUM(v) AS total FROM S [RANGE 2] GROUP BY k;'''
>>> print(evaluate_script(script, {"S": "a 1 @0\\na 2 @1"}, until=4)["sums"])
+ a 1 @0
- a 1 @1
+ a 3 @1
- a 3 @3
+ a 2 @3
- a 2 @4
"""

from tailrace.columnar.delta import Delta
from tailrace.columnar.delta import parse as parse_delta
from tailrace.testing.answers import QueryAnswer, evaluate_script
from tailrace.testing.random_scripts.scripts import RandomScript, random_script

__all__ = ["Delta", "QueryAnswer", "RandomScript", "evaluate_script", "parse_delta", "random_script"]
