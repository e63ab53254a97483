"""Scripts: seeded scripts for torture: a few queries of different kinds over two sources, with files as sinks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

FORMATS = ("csv", "json", "parquet")
TEXTS = (
    "SELECT ISTREAM(k, v) FROM S WHERE v % 3 <> 0",
    "SELECT ISTREAM(S.k, S.v, R.v AS w) FROM S [RANGE 5], R [RANGE 5] WHERE S.k = R.k",
    "SELECT k, MAX(v) AS v, COUNT(*) AS n FROM S [PARTITION BY k ROWS 3] GROUP BY k",
    "SELECT k, SUM(v) AS v FROM S [RANGE 9 TUPLES, FREQUENCY 7 TUPLES PARTITIONED BY k] GROUP BY k",
    "SELECT AVG(v) AS v [FREQUENCY 3 SECONDS] FROM R [RANGE 20 TUPLES, FREQUENCY 2 TUPLES]",
    "SELECT MAX(n) AS n FROM (SELECT k, COUNT(*) AS n FROM S [RANGE 7] GROUP BY k) AS counts",
    "SELECT COUNT(DISTINCT v) AS n, MEDIAN(v) AS m FROM R [RANGE 11]",
    "SELECT k, v FROM R [RANGE 12] ORDER BY v DESC, k LIMIT 3",
    "SELECT k FROM S [RANGE 6] EXCEPT SELECT k FROM R [RANGE 2]",
    "DSTREAM(SELECT k, v FROM R [RANGE 4])",
)
FAMILY = 16  # queries that are alike, so that they are answered together


@dataclass(frozen=True)
class Script:
    """A script, its sinks' formats by query, and how its run is made."""

    seed: int
    text: str
    formats: dict[str, str]
    shuffles: bool


def draw_script(seed: int) -> Script:
    """The script of a seed; every third has a family."""
    chance = Random(f"torture {seed}")
    shards = chance.choice((1, 2, 2, 3))
    texts = chance.sample(TEXTS, chance.choice((1, 2, 3, 4)))
    formats, lines = {}, [f"SET shards = {shards};"]
    for name in "SR":
        form = f"USING json OPTIONS (path 'inputs/{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
        lines.append(f"CREATE STREAM {name} (k INT, v INT, ts BIGINT) {form}")
    queries = {f"q{number}": text for number, text in enumerate(texts)}
    common = chance.choice(FORMATS)
    if seed % 3 == 2:
        alike = "SELECT k, COUNT(*) AS n FROM S [RANGE 6] WHERE v > {} GROUP BY k"
        queries |= {f"m{number}": alike.format(number * 6) for number in range(FAMILY)}
    for name, text in queries.items():
        formats[name] = common if name.startswith("m") else chance.choice(FORMATS)
        header = ", header 'true'" if formats[name] == "csv" and chance.random() < 0.5 else ""
        lines.append(f"CREATE QUERY {name} INTO {formats[name]} OPTIONS (path 'out/{name}'{header}) AS {text};")
    return Script(seed, "\n".join(lines), formats, chance.random() < 0.4)


def write_inputs(script: Script, folder: Path, files: int) -> None:
    """Files in order of time, the same for each seed."""
    chance = Random(f"inputs {script.seed}")
    for name in "SR":
        (folder / name).mkdir(parents=True)
        for number in range(files):
            rows = [
                {"ts": number * 8 + at // 2, "k": chance.choice([0, 1, 2, 3, None]), "v": chance.randrange(100)}
                for at in range(16)
            ]
            (folder / name / f"{number:03}.json").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
