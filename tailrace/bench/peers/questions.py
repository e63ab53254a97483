"""Questions: what is asked of Tailrace and of Flink SQL, each in its own language, over the same files.

Flink computes an average of whole numbers as a whole number, so its speeds are cast. CQL's ranges hold both their ends:
the instants 0 to 300 are `[RANGE 5 MINUTES]`, and so is Flink's `RANGE BETWEEN … PRECEDING AND CURRENT ROW`. A minute
of 60 instants is `[RANGE 59 SECONDS SLIDE 1 MINUTE]`; it ends with its slot, hence the second by which Flink's windows
are moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from tailrace.bench.inputs import data

SCHEMAS = {"S": data.POSITIONS, "L": data.PAIRED, "R": data.PAIRED}
WINDOW = 60  # seconds between the rows that the join pairs, at most
FILTERS = 1000
FEW_FILTERS = 20  # so many are compared row by row
ORIGIN = datetime.fromtimestamp(data.START, UTC).strftime("%Y-%m-%d %H:%M:%S")
LATE = datetime.fromtimestamp(data.START + data.HOUR - 60, UTC).strftime("%Y-%m-%d %H:%M:%S")
ROAD = data.SEGMENTS * data.MILE
# Rows of a file are in order of time, and several may have one timestamp.
WATERMARK = "WATERMARK FOR ts AS ts - INTERVAL '0.001' SECOND"
OVER = "OVER (PARTITION BY seg ORDER BY ts RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING AND CURRENT ROW)"
TUMBLE = "TUMBLE(TABLE S, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' SECOND)"

# How two answers are compared (agreement.py).
Form = Literal["rows", "windows", "arrivals", "end"]


@dataclass(frozen=True)
class Question:
    """What both systems are asked.

    `answer` lists the columns of Flink's answer and their types. Where `event_time` is set, Flink's sources have a
    watermark. Without one, Flink moves filters into sources: each standing filter would read the files by itself.
    """

    name: str
    tailrace: tuple[str, ...]
    flink: tuple[str, ...]
    answer: str
    form: Form
    streams: tuple[str, ...] = ("S",)
    event_time: bool = True
    is_slow: bool = False  # Flink would take hours: both systems are timed over the smaller input that warms up others
    note: str = ""

    @property
    def columns(self) -> list[str]:
        """The names of the answer's columns.

        >>> QUESTIONS["tumbling"].columns
        ['seg', 'at', 'n', 'speed']
        """
        return [column.split()[0] for column in self.answer.split(", ")]

    def rows_read(self, rows: int) -> int:
        """How many rows it reads of inputs that were made with `rows`: a join reads two streams of half of them."""
        return rows // 2 * 2 if len(self.streams) == 2 else rows


FILTER = Question(
    "filter",
    ("SELECT * FROM S WHERE speed < 40",),
    ("SELECT * FROM S WHERE speed < 40",),
    "ts TIMESTAMP(3), vehicle INT, speed INT, xway INT, dir INT, seg INT, xpos INT",
    "rows",
    event_time=False,
)
TUMBLING = Question(
    "tumbling",
    ("SELECT seg, COUNT(*) AS n, AVG(speed) AS speed FROM S [RANGE 59 SECONDS SLIDE 1 MINUTE] GROUP BY seg",),
    (
        "SELECT seg, window_end - INTERVAL '1' SECOND, COUNT(*), AVG(CAST(speed AS DOUBLE)) "
        f"FROM TABLE({TUMBLE}) GROUP BY seg, window_start, window_end",
    ),
    "seg INT, at TIMESTAMP(3), n BIGINT, speed DOUBLE",
    "windows",
    note="Tailrace writes what changes from one minute to the next, Flink all rows of each minute",
)
SLIDING_AVERAGE = Question(
    "sliding-average",
    ("SELECT seg, AVG(speed) AS speed FROM S [RANGE 5 MINUTES] GROUP BY seg",),
    (f"SELECT seg, ts, AVG(CAST(speed AS DOUBLE)) {OVER} FROM S",),
    "seg INT, at TIMESTAMP(3), speed DOUBLE",
    "arrivals",
    note="Tailrace writes each change, also when rows leave; Flink a row for each arrival",
)
WINDOW_JOIN = Question(
    "window-join",
    (
        f"SELECT ISTREAM(L.k, L.v AS l, R.v AS r) FROM L [RANGE {WINDOW} SECONDS], R [RANGE {WINDOW} SECONDS] "
        "WHERE L.k = R.k",
    ),
    (
        "SELECT L.k, L.v, R.v FROM L, R WHERE L.k = R.k "
        f"AND L.ts BETWEEN R.ts - INTERVAL '{WINDOW}' SECOND AND R.ts + INTERVAL '{WINDOW}' SECOND",
    ),
    "k INT, l INT, r INT",
    "rows",
    streams=("L", "R"),
)
SLIDING_DISTINCT = Question(
    "sliding-distinct",
    ("SELECT seg, COUNT(DISTINCT vehicle) AS n FROM S [RANGE 5 MINUTES] GROUP BY seg",),
    (f"SELECT seg, ts, COUNT(DISTINCT vehicle) {OVER} FROM S",),
    "seg INT, at TIMESTAMP(3), n BIGINT",
    "arrivals",
    note="as in sliding-average",
)
LATEST_PER_VEHICLE = Question(
    "latest-per-vehicle",
    ("SELECT seg, COUNT(*) AS n FROM S [PARTITION BY vehicle ROWS 1] GROUP BY seg",),
    (
        "SELECT seg, COUNT(*) AS n FROM "
        "(SELECT seg, ROW_NUMBER() OVER (PARTITION BY vehicle ORDER BY ts DESC) AS place FROM S) "
        "WHERE place = 1 GROUP BY seg",
    ),
    "seg INT, n BIGINT",
    "end",
    note="Flink takes rows as they come from two files, not in order of time: only the end is the same question",
)
OVER_RUNNING = Question(
    "over-running",
    ("SELECT vehicle, speed, SUM(speed) OVER (PARTITION BY vehicle ORDER BY ts ROWS 10 PRECEDING) AS total FROM S",),
    (
        "SELECT vehicle, speed, "
        "SUM(speed) OVER (PARTITION BY vehicle ORDER BY ts ROWS BETWEEN 10 PRECEDING AND CURRENT ROW) FROM S",
    ),
    "vehicle INT, speed INT, total BIGINT",
    "rows",
)
RANKED = "ROW_NUMBER() OVER (PARTITION BY xway ORDER BY xpos DESC, vehicle, ts) AS place"
FARTHEST = f"SELECT xway, vehicle, xpos FROM (SELECT xway, vehicle, xpos, {RANKED} FROM S) WHERE place <= 10"
TOP_N = Question("top-n", (FARTHEST,), (FARTHEST,), "xway INT, vehicle INT, xpos INT", "end")
# Tailrace ends a run with the newest row, Flink ends all sessions then: those that end late are left out.
SESSIONS = (
    "SELECT vehicle, COUNT(*) AS n, window_start AS began "
    "FROM TABLE(SESSION(TABLE S PARTITION BY vehicle, DESCRIPTOR(ts), INTERVAL '30' SECOND)) "
    f"GROUP BY vehicle, window_start, window_end HAVING window_end < TIMESTAMP '{LATE}'"
)
SESSION = Question("session", (SESSIONS,), (SESSIONS,), "vehicle INT, n BIGINT, began TIMESTAMP(3)", "rows")
PAIRS = (
    "SELECT L.k, L.v AS l, R.v AS r FROM L, R WHERE L.k = R.k "
    f"AND L.ts BETWEEN R.ts - INTERVAL '{WINDOW}' SECOND AND R.ts + INTERVAL '{WINDOW}' SECOND"
)
INTERVAL_JOIN = Question("interval-join", (PAIRS,), (PAIRS,), "k INT, l INT, r INT", "rows", streams=("L", "R"))


def make_standing_filters(count: int = FILTERS) -> Question:
    """Each filter wants the slow cars on its own piece of the road.

    >>> make_standing_filters(4).tailrace[3]
    'SELECT ts, vehicle, xpos FROM S WHERE speed < 40 AND xpos >= 396000 AND xpos < 528000'
    """
    edges = [ROAD * number // count for number in range(count + 1)]
    texts = tuple(
        f"SELECT ts, vehicle, xpos FROM S WHERE speed < 40 AND xpos >= {edges[number]} AND xpos < {edges[number + 1]}"
        for number in range(count)
    )
    note = (
        f"{FEW_FILTERS} filters are compared, {count:,} are timed; "
        "Flink's statements are one set over one source, and the time to plan them does not count"
    )
    answer = "ts TIMESTAMP(3), vehicle INT, xpos INT"
    return Question("standing-filters", texts, texts, answer, "rows", is_slow=True, note=note)


STANDING_FILTERS = make_standing_filters()
QUESTIONS = {
    each.name: each
    for each in (
        FILTER,
        TUMBLING,
        SLIDING_AVERAGE,
        WINDOW_JOIN,
        SLIDING_DISTINCT,
        LATEST_PER_VEHICLE,
        OVER_RUNNING,
        TOP_N,
        SESSION,
        INTERVAL_JOIN,
        STANDING_FILTERS,
    )
}


# Scripts -----------------------------------------------------------------------------------------------------------


def make_script(question: Question, format: str, answers: str | None = None, files: int | None = None) -> str:
    """The question in CQL over the folder of the script.

    Answers are discarded, or written below the folder `answers`. A batch takes so many `files` of a stream, or all.
    """
    options = ", header 'false'" if format == "csv" else ""
    options += f", maxFilesPerTrigger '{files}'" if files else ""
    created = [
        f"CREATE STREAM {name} ({SCHEMAS[name]}) USING {format} OPTIONS (path '{name}'{options}) TIMESTAMP BY ts;"
        for name in question.streams
    ]
    for number, query in enumerate(question.tailrace):
        into = f"parquet OPTIONS (path '{answers}/{number}')" if answers else "noop"
        created.append(f"CREATE QUERY measured_{number} INTO {into} AS {query};")
    # Flink's minutes begin with whole minutes, whenever the first row came.
    return "\n".join([f"SET origin = '{ORIGIN}';", *created])


def make_tables(question: Question, format: str, folder: str, sink: str) -> list[str]:
    """The statements that create Flink's tables: sources below the folder, and a sink for each query.

    `sink` has the options of the sinks, with `{number}` in place of a query's number.
    """
    watermark = f", {WATERMARK}" if question.event_time else ""
    sources = [
        f"CREATE TABLE {name} ({flink_schema(SCHEMAS[name])}{watermark}) "
        f"WITH ('connector' = 'filesystem', 'path' = '{folder}/{name}', 'format' = '{format}')"
        for name in question.streams
    ]
    columns = flink_schema(question.answer)
    # One sink for all would be a task of its own, to which every query sends its rows over buffers of the network.
    sinks = [
        f"CREATE TABLE answer_{number} ({columns}) WITH ({sink.format(number=number)})"
        for number in range(len(question.flink))
    ]
    return sources + sinks


def make_inserts(question: Question) -> list[str]:
    return [f"INSERT INTO answer_{number} {query}" for number, query in enumerate(question.flink)]


def flink_schema(schema: str) -> str:
    """The columns of a stream in Flink's words.

    >>> flink_schema(data.PAIRED)
    '`ts` TIMESTAMP(3), `k` INT, `v` INT'
    """
    columns = [column.split() for column in schema.split(", ")]
    return ", ".join(f"`{name}` {'TIMESTAMP(3)' if kind == 'TIMESTAMP' else kind}" for name, kind in columns)
