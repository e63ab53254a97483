"""Bad queries: statements that are refused, and queries that fail once certain rows come, each in its own way."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tailrace import Engine

# Refused at once: the statement, and a part of what is said. What is written has a sink that cannot be.
REFUSED = {
    "misspelt": ("CREATE QUERY misspelt AS SELEKT k FROM S;", "SELEKT"),
    "no_column": ("CREATE QUERY no_column AS SELECT kk FROM S;", "kk"),
    "no_stream": ("CREATE QUERY no_stream AS SELECT k FROM Ss;", "Ss"),
    "wrong_types": ("CREATE QUERY wrong_types AS SELECT k FROM S WHERE array(k) > 3;", "array"),
    "no_format": ("CREATE QUERY no_format INTO jsn OPTIONS (path 'out/no_format') AS SELECT k FROM S;", "jsn"),
    "two_texts": (
        "CREATE QUERY two_texts INTO text OPTIONS (path 'out/two_texts') AS SELECT k, v FROM S;",
        "two_texts",
    ),
    "onto_file": ("CREATE QUERY onto_file INTO json OPTIONS (path 'taken') AS SELECT k FROM S;", "is a file"),
    "below_file": ("CREATE QUERY below_file INTO json OPTIONS (path 'taken/out') AS SELECT k FROM S;", "below_file"),
    "no_codec": (
        "CREATE QUERY no_codec INTO json OPTIONS (path 'out/no_codec', compression 'squash') AS SELECT k FROM S;",
        "squash",
    ),
    "no_encoding": (
        "CREATE QUERY no_encoding INTO csv OPTIONS (path 'out/no_encoding', encoding 'utf-99') AS SELECT k FROM S;",
        "utf-99",
    ),
    "no_folder": (
        "CREATE STREAM Nowhere (k INT) USING json OPTIONS (path 'nowhere') TIMESTAMP BY ts;\n"
        "CREATE QUERY no_folder AS SELECT k FROM Nowhere;",
        "nowhere",
    ),
}

PATTERN = "CASE WHEN v = 7 THEN '(' ELSE 'b' END"
COUNTS = "(SELECT k, COUNT(*) AS n FROM S [RANGE 3] GROUP BY k) AS counts"
# Java needs several seconds, and twice as many for each further letter.
JAVA_PATTERN = r"CASE WHEN v = 7 THEN repeat('a', 27) ELSE 'b' END RLIKE '(a+)+\\1b'"

# Taken, until a row with v = 7 or k = 0 comes.
FAILING = {
    "bad_pattern": f"SELECT ISTREAM(k) FROM S WHERE 'abc' RLIKE {PATTERN}",
    "bad_pattern_counted": f"SELECT COUNT(*) AS n FROM S [RANGE 5] WHERE 'abc' RLIKE {PATTERN}",
    "bad_index": "SELECT ISTREAM(element_at(array(v, k), k) AS x) FROM S",
    "bad_index_of_a_join": (
        "SELECT ISTREAM(element_at(array(S.v), R.k) AS x) FROM S [RANGE 3], R [RANGE 3] WHERE S.k = R.k"
    ),
    "raised": "SELECT ISTREAM(CASE WHEN v = 7 THEN raise_error('seven') ELSE 'fine' END AS x) FROM S",
    "bad_function": "SELECT ISTREAM(explode_on_seven(v) AS x) FROM S",
    "bad_function_above": f"SELECT k, explode_on_few(n) AS x FROM {COUNTS}",
    "bad_aggregate": "SELECT k, failing_sum(v) AS x FROM S [RANGE 4] GROUP BY k",
    "endless_function": "SELECT ISTREAM(never_ends(v) AS x) FROM S",
    "lost_worker": "SELECT ISTREAM(worker_killer(v) AS x) FROM S",
    "endless_pattern": "SELECT ISTREAM(patient_match(v) AS x) FROM S",
    "member": f"SELECT ISTREAM(k, v) FROM S WHERE v > 2 AND 'abc' RLIKE {PATTERN}",
    "member_of_joins": (
        "SELECT ISTREAM(S.k, S.v, R.v AS w) FROM S [RANGE 3], R [RANGE 3] "
        "WHERE S.k = R.k AND element_at(array(S.v), S.k) >= 0"
    ),
}


class FailingSum:
    """An aggregate that fails with the value 7."""

    def __init__(self) -> None:
        self.sum = 0

    def add(self, value: int) -> None:
        if value == 7:
            raise ArithmeticError("seven")
        self.sum += value

    def remove(self, value: int) -> None:
        self.sum -= value

    def result(self) -> int:
        return self.sum


def explode_on_seven(number: int) -> int:
    if number == 7:
        raise ValueError("seven")
    return number


def explode_on_few(number: int) -> int:
    raise ValueError(f"few: {number}")


def never_ends(number: int) -> int:
    while number == 7:
        time.sleep(0.01)
    return number


def worker_killer(number: int) -> int:
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def patient_match(number: int) -> bool:
    import re

    return number == 7 and re.fullmatch(r"(a+)+b", "a" * 60) is not None


def declare_functions(engine: Engine) -> None:
    engine.function("explode_on_seven", explode_on_seven, returns="INT")
    engine.function("explode_on_few", explode_on_few, returns="INT", arguments=["BIGINT"])
    engine.function("never_ends", never_ends, returns="INT")
    engine.function("worker_killer", worker_killer, returns="INT")
    engine.function("patient_match", patient_match, returns="BOOLEAN")
    engine.aggregate("failing_sum", FailingSum, returns="INT")


def take_place(folder: Path) -> None:
    """A file where sinks would have a folder."""
    (folder / "taken").touch()
