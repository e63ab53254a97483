"""Plan versions: a query that stays finds its state, or the plan is refused; it never starts empty without a word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tailrace.engine.pipeline import compile_script, query_set
from tailrace.errors import RunError, Source
from tailrace.staging.plan_version import SHARE_FROM, PlanVersion, check_kept_state
from tailrace.staging.stages import StagedPlan

DECLARED = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;\n"
KEPT = "CREATE QUERY kept AS SELECT k, SUM(v) AS s FROM S [RANGE 5] GROUP BY k;\n"
OTHER = "CREATE QUERY other AS SELECT DISTINCT v FROM S [RANGE 3];\n"
ALIKE = "".join(
    f"CREATE QUERY alike{n} AS SELECT COUNT(*) AS n FROM S [RANGE 9] WHERE v > {n};\n" for n in range(SHARE_FROM)
)


def next_version(before: PlanVersion, text: str, batch: int = 0) -> tuple[PlanVersion, StagedPlan]:
    versions = query_set(compile_script(Source(DECLARED + text))).versions
    return versions.advance(before, batch, 10 * batch - 1, -1, {})


@pytest.mark.parametrize("later", [KEPT, OTHER + KEPT, KEPT + OTHER], ids=["alone", "after a new one", "before one"])
def test_a_query_that_stays_finds_its_state(later: str) -> None:
    before, _ = next_version(PlanVersion(), KEPT)
    after, plan = next_version(before, later, 1)
    check_kept_state(before, after, plan)


@pytest.mark.parametrize(
    ("queries", "named"),
    [(KEPT, "kept is as before, but the checkpoint has no state of its"), (ALIKE, "alike0, alike1")],
    ids=["alone", "family"],
)
def test_a_query_that_stays_without_its_state_is_an_error(queries: str, named: str) -> None:
    before, _ = next_version(PlanVersion(), queries)
    after, plan = next_version(before, queries, 1)
    with pytest.raises(RunError, match=named) as problem:
        check_kept_state(replace(before, names=frozenset()), after, plan)
    assert problem.value.hint == "start it under another name, or from a new checkpoint folder"


def test_one_missing_id_is_enough() -> None:
    before, _ = next_version(PlanVersion(), KEPT)
    after, plan = next_version(before, KEPT, 1)
    missing = {name for name in before.names if name.startswith("changelog")}
    with pytest.raises(RunError, match="no state of its changelog"):
        check_kept_state(replace(before, names=before.names - missing), after, plan)


def test_a_new_query_needs_no_state() -> None:
    before, _ = next_version(PlanVersion(), KEPT)
    changed = KEPT.replace("RANGE 5", "RANGE 6")
    after, plan = next_version(before, changed, 1)
    check_kept_state(before, after, plan)
