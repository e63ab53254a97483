"""The REST interface against a real server with real Spark and files: what it lists, means, takes and hands out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pyspark.sql import SparkSession

from tailrace import Engine, RunError
from tests.patience import PATIENCE
from tests.spark.front.serving import Serving, events, serving, wait_for

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def at_work(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(spark, tmp_path_factory.mktemp("served")) as found:
        found.write()
        yield found


@pytest.fixture
def client(at_work: Serving) -> Iterator[httpx.Client]:
    with at_work.client() as client:
        yield client


def all_rows(client: httpx.Client, name: str, limit: int = 7) -> list[list[Any]]:
    """The results of a query, page by page."""
    found: list[list[Any]] = []
    after = None
    while True:
        page = client.get(
            f"queries/{name}/results", params={"limit": limit, **({"after": after} if after else {})}
        ).json()
        assert page["first"] == len(found) + 1
        assert page["gap"] == 0
        found += page["rows"]
        after = page["last_id"]
        if not page["more"]:
            return found


def wanted_big(at_work: Serving, since: int = 0) -> Counter[tuple[int, ...]]:
    rows = at_work.rows
    decided = max(row["ts"] for row in rows)
    return Counter((row["ts"], row["k"], row["v"]) for row in rows if row["v"] > 4 and since <= row["ts"] <= decided)


def test_lists_with_schemas_and_figures(at_work: Serving, client: httpx.Client) -> None:
    wait_for(lambda: client.get("status").json()["rows"] >= len(at_work.rows))
    catalog = client.get("catalog").json()
    assert [each["name"] for each in catalog["streams"]] == ["S", "R"]
    source = catalog["streams"][0]
    columns = [("ts", "BIGINT"), ("k", "INT"), ("v", "INT"), ("name", "STRING")]
    assert source["columns"] == [{"name": name, "type": type} for name, type in columns]
    assert source["rows"] == len(at_work.rows)
    assert source["late"] == 0
    assert source["newest"] == str(at_work.instant)
    assert catalog["streams"][1]["rows"] is None  # nobody reads it
    assert [each["name"] for each in catalog["relations"]] == ["T"]
    assert catalog["views"][0]["kind"] == "stream"
    counts = next(each for each in catalog["queries"] if each["name"] == "counts")
    assert (counts["kind"], counts["state"], counts["into"]) == ("relation", "running", None)
    assert client.get("completions").json()["names"]["Big"] == ["k", "v", "name"]


def test_results_come_once_each_and_pages_go_on(at_work: Serving, client: httpx.Client) -> None:
    at_work.write()
    wanted = wanted_big(at_work)
    rows = wait_for(lambda: found if len(found := all_rows(client, "large")) >= wanted.total() else None)
    assert Counter(map(tuple, rows)) == wanted


def test_what_a_text_means(client: httpx.Client) -> None:
    found = client.post("check", json={"text": "select k, v from S where v > 1"}).json()
    assert (found["ok"], found["is_query"]) == (True, True)
    (meaning,) = found["meanings"]
    assert meaning["kind"] == "stream"
    assert meaning["defaults"] == [
        "S has no window: it gets [RANGE UNBOUNDED]",
        "the result only grows: it gets ISTREAM",
    ]
    again = client.post("check", json={"text": meaning["expanded"]}).json()["meanings"][0]
    assert again["defaults"] == []
    assert again["expanded"] == meaning["expanded"]


def test_where_a_text_is_wrong(client: httpx.Client) -> None:
    found = client.post("check", json={"text": "SELECT k,\n  vv FROM S"}).json()
    assert not found["ok"]
    assert found["problems"] == [
        {"message": "no column vv in S", "hint": "did you mean v?", "line": 2, "column": 3, "start": 12, "end": 14}
    ]
    refused = client.post("queries", json={"text": "SELECT k,\n  vv FROM S"})
    assert refused.status_code == 400
    assert refused.json()["problems"] == found["problems"]


def test_plans(client: httpx.Client) -> None:
    asked = {"text": "SELECT k FROM S WHERE v > 4", "form": "json"}
    plan = client.post("explain", json=asked).json()["plan"]["plan"]
    assert [each["operator"] for each in plan["operators"]] == ["stream", "select", "project"]
    assert "i-stream" in client.post("explain", json={**asked, "form": "text"}).json()["text"]
    assert client.post("explain", json={"form": "mermaid"}).json()["text"].startswith("flowchart BT")
    assert "window" in client.get("queries/counts/explain").json()["text"]


def test_the_living_plan(at_work: Serving, client: httpx.Client) -> None:
    def drawn() -> dict[str, Any]:
        return {each["id"]: each for each in client.get("plan").json()["operators"]}

    nodes = wait_for(lambda: found if (found := drawn())["source S"]["rows"] == len(at_work.rows) else None)
    assert nodes["source S"]["uses"] >= 2

    def folded() -> Any:
        return next(
            each for each in drawn().values() if each["operator"] == "aggregate" and "counts" in each["queries"]
        )

    # A new plan version has no figures before its first batch.
    rows = len(at_work.rows)
    fold = wait_for(lambda: found if (found := folded())["measured"] and found["measured"]["rows_in"] == rows else None)
    assert fold["measured"]["state_rows"] > 0
    assert fold["measured"]["seconds"] > 0
    assert all(below in nodes for each in nodes.values() for below in each["inputs"])


def test_a_query_comes_is_paused_and_goes(at_work: Serving, client: httpx.Client) -> None:
    made = client.post("queries", json={"text": "SELECT k, v FROM S WHERE v >= 0", "name": "Later"})
    assert made.status_code == 201
    assert client.post("queries", json={"text": "SELECT k FROM S", "name": "later"}).status_code == 400
    first = at_work.write()
    wait_for(lambda: len(all_rows(client, "later")) >= len(first))
    since = int(client.get("queries/Later").json()["since"])
    assert client.post("queries/LATER/pause").json()["state"] == "paused"
    shown = all_rows(client, "later")
    second = at_work.write()
    wait_for(lambda: client.get("queries/later").json()["rows"] >= len(first) + len(second))
    assert all_rows(client, "later") == shown
    client.post("queries/later/resume")
    wanted = Counter((row["ts"], row["k"], row["v"]) for row in at_work.rows if row["ts"] >= since)
    assert Counter(map(tuple, all_rows(client, "later"))) == wanted
    assert client.delete("queries/later").status_code == 204
    assert client.get("queries/later").status_code == 404
    assert client.get("queries/later/results").json()["message"] == "no query later"


def test_events_go_on_where_they_were_cut_off(at_work: Serving, client: httpx.Client) -> None:
    name = "followed"
    client.post("queries", json={"text": "SELECT k, v FROM S WHERE v >= 0", "name": name})
    at_work.write()
    with client.stream("GET", f"queries/{name}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        found = events(response)
        assert next(found)[0] == "columns"
        kind, number, data = next(found)
        assert kind == "rows"
        seen = data["rows"]
    wait_for(lambda: client.get("status").json()["readers"] == 0)
    more = at_work.write()
    rest: list[Any] = []
    with client.stream("GET", f"queries/{name}/events", headers={"Last-Event-ID": str(number)}) as response:
        for kind, _, data in events(response):
            if kind == "rows":
                assert data["first"] == len(seen) + len(rest) + 1
                rest += data["rows"]
                if len(rest) >= len(more):
                    break
    page = client.get(f"queries/{name}/results", params={"limit": 1000}).json()
    assert seen + rest == page["rows"]
    wait_for(lambda: client.get("status").json()["readers"] == 0)
    with client.stream("GET", f"queries/{name}/events", headers={"Last-Event-ID": str(number)}) as response:
        found = events(response)
        next(found)
        client.delete(f"queries/{name}")
        assert [kind for kind, _, _ in found][-1] == "end"


def test_a_script_is_taken_whole_or_not_at_all(at_work: Serving, client: httpx.Client) -> None:
    wrong = "CREATE VIEW V1 AS SELECT k FROM S; CREATE QUERY q9 AS SELECT nothing FROM V1;"
    assert client.post("execute", json={"text": wrong}).status_code == 400
    assert "V1" not in [each["name"] for each in client.get("catalog").json()["views"]]
    query = "CREATE QUERY q9 INTO json OPTIONS (path 'out/q9') AS SELECT k FROM V1"
    right = f"CREATE VIEW V1 AS SELECT k FROM S; {query}; SHOW VIEWS"
    said = client.post("execute", json={"text": right}).json()["said"]
    assert "V1: stream (k INT)" in said
    at_work.write()
    wait_for(lambda: list((at_work.folder / "out" / "q9").glob("*.json")))
    refused = client.get("queries/q9/results")
    assert (refused.status_code, refused.json()["message"]) == (409, "the rows of q9 go into json and are not kept")
    client.post("execute", json={"text": "DROP QUERY q9; DROP VIEW V1"})


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE STREAM X (a INT) USING csv OPTIONS (path '/etc/passwd') TIMESTAMP BY ts",
        "CREATE STREAM X (a INT) USING csv OPTIONS (path '../x.csv') TIMESTAMP BY ts",
        "CREATE STREAM X (a INT) USING socket OPTIONS (host 'localhost', port '22')",
        "CREATE STREAM X (a INT) USING jdbc OPTIONS (url 'jdbc:derby:x', dbtable 't') TIMESTAMP BY a",
        "CREATE QUERY x INTO json OPTIONS (path 'file:/tmp/x') AS SELECT k FROM S",
        "SET late = '/tmp/late'",
        "SET spark.sql.shuffle.partitions = '7'",
    ],
)
def test_the_network_stays_below_its_folders(client: httpx.Client, statement: str) -> None:
    refused = client.post("execute", json={"text": statement})
    assert refused.status_code == 400
    assert refused.json()["message"].endswith("is not for the network")
    assert not client.post("check", json={"text": statement}).json()["ok"]


def test_settings_that_change_while_queries_stand(at_work: Serving, client: httpx.Client) -> None:
    def values() -> dict[str, str]:
        return {each["key"]: each["value"] for each in client.get("settings").json()}

    assert client.put("settings/routing", json={"value": "random"}).status_code == 200
    assert client.put("settings/trigger", json={"value": "200 milliseconds"}).status_code == 200
    assert client.put("settings/batch.time", json={"value": "1 second"}).status_code == 200
    assert {"routing": "random", "trigger": "200 milliseconds", "batch.time": "1 second"}.items() <= values().items()
    assert client.put("settings/shedding", json={"value": "on"}).status_code == 200
    assert values()["shedding"] == "on"
    assert client.put("settings/shedding", json={"value": "off"}).status_code == 200
    assert client.put("settings/strategy", json={"value": "hybrid"}).status_code == 200
    assert values()["strategy"] == "hybrid"
    refused = client.put("settings/strategy", json={"value": "input"})
    assert (refused.status_code, refused.json()["hint"]) == (409, "drop them first")
    assert client.put("settings/routing", json={"value": "by heart"}).status_code == 400
    assert client.put("settings/tick", json={"value": "1 hour"}).status_code == 404
    assert client.post("execute", json={"text": "SET tick = '1 hour'"}).status_code in (400, 409)
    before = client.get("status").json()["rows"]
    written = at_work.write()
    wait_for(lambda: client.get("status").json()["rows"] >= before + len(written))
    assert client.put("settings/strategy", json={"value": "auto"}).status_code == 200


def test_monitors_are_queries_and_in_nobodys_way(at_work: Serving, client: httpx.Client) -> None:
    wait_for(lambda: client.get("status").json()["rows"] == len(at_work.rows))
    catalog = client.get("catalog").json()
    texts = {each["name"]: each["expanded"] for each in catalog["monitors"]}
    assert "FROM tailrace.sources [RANGE 10 SECONDS]" in texts["source_rates"]
    assert texts.keys() == at_work.engine._monitors.told.keys()
    # What a run remembers, lists and answers has no word of them, and their names are free.
    assert not texts.keys() & {each["name"] for each in catalog["queries"]}
    assert "source_rates" not in client.post("execute", json={"text": "SHOW QUERIES"}).json()["said"]
    text = "SELECT query, rows FROM tailrace.queries"
    assert client.post("queries", json={"text": text, "name": "source_rates"}).status_code == 201
    before = client.get("status").json()["batches"][-1]["number"]
    time.sleep(2)
    assert client.get("status").json()["batches"][-1]["number"] == before, "watching causes no batches"
    at_work.write()
    wait_for(lambda: client.get("status").json()["rows"] == len(at_work.rows))
    told = wait_for(lambda: all_rows(client, "source_rates"))
    assert {row[1] for row in told} == {each["name"] for each in catalog["queries"] if each["name"] != "watched"}
    batch = client.get("status").json()["batches"][-1]
    assert batch["seconds"] > 0
    assert batch["at"] == pytest.approx(time.time(), abs=PATIENCE)
    assert client.get("status").json()["watermark"] == at_work.engine.progress().watermark
    assert client.get("catalog").json()["streams"][0]["rate"] > 0
    assert client.delete("queries/source_rates").status_code == 204
    # Rates go down though nothing comes.
    wait_for(lambda: client.get("catalog").json()["streams"][0]["rate"] == 0)


def test_no_trace_of_the_inside(client: httpx.Client, at_work: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(engine: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("tailrace.server.plan_view.staged_plan", fails)
    answer = client.get("plan")
    assert answer.status_code == 500
    assert answer.json()["message"] == "something went wrong on the server; its log says what"
    assert "secret" not in answer.text


def test_a_token(spark: SparkSession, tmp_path: Path) -> None:
    with serving(spark, tmp_path, "SET tick = '1 second';", token="abc") as found, found.client() as known:
        assert known.get("status").json()["running"]
        for headers in ({}, {"Authorization": "Bearer abd"}, {"Authorization": "abc"}):
            assert known.build_request("GET", "status").url.path == "/api/status"
            assert httpx.get(f"{found.address}/api/status", headers=headers).status_code == 401
        assert httpx.get(f"{found.address}/").status_code == 200  # the page itself says nothing
        # No query runs yet, so that even the length of an instant may be chosen.
        script = (
            "SET tick = '10 seconds'; CREATE STREAM S (ts BIGINT, k INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;"
        )
        assert known.post("execute", json={"text": script}).status_code == 200
        assert known.post("queries", json={"text": "SELECT k FROM S"}).json()["name"] == "q1"
        found.write()
        wait_for(lambda: known.get("queries/q1").json()["rows"] == len(found.rows))


def test_a_stream_of_the_system_is_read_like_any_other(at_work: Serving, client: httpx.Client) -> None:
    listed = {each["name"]: each["columns"] for each in client.get("catalog").json()["system"]}
    assert {"tailrace.batches", "tailrace.sources", "tailrace.queries", "tailrace.operators"} == set(listed)
    assert "tailrace.batches" in client.get("completions").json()["names"]
    text = "SELECT batch, seconds FROM tailrace.batches"
    shown = client.post("queries", json={"text": text, "name": "watched"}).json()
    assert (shown["kind"], shown["shed"]) == ("stream", {})
    page = client.get("queries/watched/results").json()
    assert [column["name"] for column in page["columns"]] == ["_ts", "batch", "seconds"]
    assert page["shed"] == {}
    assert client.delete("queries/watched").status_code in (200, 204)


def test_a_query_fails_is_told_of_and_starts_anew(at_work: Serving, client: httpx.Client) -> None:
    text = "SELECT ISTREAM(CASE WHEN name = 'n7' THEN raise_error('seven') ELSE v END AS v) FROM S"
    assert client.post("queries", json={"text": text, "name": "fails"}).json()["failure"] is None
    told = "SELECT ISTREAM(failure) FROM tailrace.queries WHERE query = 'fails' AND failure IS NOT NULL"
    client.post("queries", json={"text": told, "name": "failures"})
    wait_for(lambda: at_work.write(1) and client.get("queries/fails").json()["rows"])
    at_work.write(1, keys=8)
    found = wait_for(
        lambda: at_work.write(1) and (found if (found := client.get("queries/fails").json())["failure"] else None)
    )
    assert found["state"] == "quarantined"
    assert "query fails: " in found["failure"]
    assert f"quarantined: {found['failure']}" in client.post("execute", json={"text": "SHOW QUERIES"}).json()["said"]
    (row, *_) = wait_for(lambda: all_rows(client, "failures"))
    assert row[1:] == [found["failure"]]
    assert client.post("queries/fails/resume").json()["state"] == "running"
    before = all_rows(client, "fails")
    wait_for(lambda: at_work.write(1) and len(all_rows(client, "fails")) > len(before))
    for name in ("fails", "failures"):
        assert client.delete(f"queries/{name}").status_code == 204


def test_a_setting_that_the_checkpoint_refuses_leaves_the_run_as_it_was(spark: SparkSession, tmp_path: Path) -> None:
    engine = Engine(spark, tmp_path)
    engine.start(checkpoint=tmp_path / "kept")
    with pytest.raises(RunError, match="does not fit this script: tick was 1000000 and is 10000000"):
        engine.execute("SET tick = '10 seconds'")
    assert engine.running
    engine.stop()
