"""State ids of whole scripts: what a checkpoint is found by does not change with a change of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.engine.pipeline import plan_script
from tailrace.errors import Source
from tailrace.operators.operator import Operator
from tests.golden.compare import golden

HERE = Path(__file__).parent
SCRIPTS = sorted(HERE.joinpath("plans").glob("*.cql")) + sorted(HERE.parent.joinpath("corpus").rglob("*.cql"))


def name_of(script: Path) -> str:
    return "_".join(script.relative_to(HERE.parent).with_suffix("").parts[1:])


def ids_by_query(text: str) -> dict[str, list[str]]:
    """For each output of a script the ids of its steps that have state."""
    plan = plan_script(Source(text))
    found: dict[str, set[str]] = {output: set() for output in plan.outputs}
    for output, ids in found.items():
        for stage, number in plan.steps_below(output):
            operator = stage.plan.steps[number].work
            if isinstance(operator, Operator) and operator.initial_state() is not None:
                ids.update(stage.names[number])
    return {output: sorted(ids) for output, ids in found.items()}


def test_ids() -> None:
    lines = []
    for script in SCRIPTS:
        found = ids_by_query(script.read_text(encoding="utf-8"))
        lines += [
            f"{name_of(script)} {output}: {' '.join(ids) or 'no state'}\n" for output, ids in sorted(found.items())
        ]
    golden(HERE / "state_ids.txt", "".join(lines))


DECLARED = """
CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;
CREATE VIEW V (a, b) AS SELECT k, v FROM S WHERE v > 3;
"""
QUERY = "CREATE QUERY q AS SELECT DISTINCT b FROM V [RANGE 5] WHERE b < 40;"
OTHER = "CREATE QUERY other AS SELECT k, SUM(v) AS s FROM S [RANGE 3] GROUP BY k;"


@pytest.mark.parametrize(
    "text",
    [
        DECLARED.replace("(a, b)", "(x, y)") + QUERY.replace("b", "y"),
        DECLARED + OTHER + QUERY,
        DECLARED + QUERY + OTHER,
        DECLARED + QUERY + "CREATE QUERY twin AS SELECT DISTINCT b AS c FROM V [RANGE 5] WHERE b < 40;",
    ],
    ids=["other names of columns", "a query before it", "a query after it", "a twin under another name"],
)
def test_ids_do_not_depend_on_names_and_other_queries(text: str) -> None:
    assert ids_by_query(text)["q"] == ids_by_query(DECLARED + QUERY)["q"] != []


def test_ids_depend_on_constants_and_windows() -> None:
    ids = ids_by_query(DECLARED + QUERY)["q"]
    for old, new in (("< 40", "< 41"), ("RANGE 5", "RANGE 6")):
        assert not set(ids) & set(ids_by_query(DECLARED + QUERY.replace(old, new))["q"])
