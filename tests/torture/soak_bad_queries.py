"""Bad queries of a soak: each minute one comes over REST, is refused or fails with a row, and is dropped later."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from tests.spark.run.bad_queries import FAILING, REFUSED
from tests.torture.server_process import ServerProcess

# Those without functions from Python, which a server has not, and without Java's endless patterns, which cost a core.
KINDS = (
    "bad_pattern",
    "bad_pattern_counted",
    "bad_index",
    "bad_index_of_a_join",
    "raised",
    "member",
    "member_of_joins",
)
SOON = 120  # seconds of rows, in batches that count since a query was accepted, in which it must have failed
UNSURE = (408, 503)  # not answered in time: what was asked may have been done or not


@dataclass
class BadQueries:
    """A thread that posts a bad query at each interval, and drops those that failed. Half of all are refused."""

    server: ServerProcess
    every: float
    chance: Random
    second: int  # rows of S
    count_rows: Callable[[], int]  # of S in batches that count
    counts: Counter[str] = field(default_factory=Counter)
    standing: dict[str, bool] = field(default_factory=dict)  # by name: whether the server said yes
    posted: dict[str, int] = field(default_factory=dict)  # by name: how many rows counted then
    dropped: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self.thread = threading.Thread(target=self.flow, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self.over.set()
        if self.every:
            self.thread.join()

    def flow(self) -> None:
        while not self.over.wait(self.every):
            self.drop_failed()
            if self.chance.random() < 0.5:
                self.post_refused()
            else:
                self.post_failing()

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response | None:
        """What the server answers; None if it does not, since it was killed or is only starting."""
        try:
            with self.server.client() as client:
                answer = client.request(method, path, json=body)
        except (OSError, ValueError, httpx.HTTPError):
            return None
        if answer.status_code >= 500 and answer.status_code not in UNSURE:
            self.faults.append(f"{method} {path} was answered by {answer.status_code}: {answer.text[:300]}")
        return None if answer.status_code in UNSURE else answer

    def post_refused(self) -> None:
        name = self.chance.choice(list(REFUSED))
        text, reason = REFUSED[name]
        answer = self.ask("POST", "execute", {"text": text})
        if answer is None:
            self.counts["not answered"] += 1
        elif answer.status_code < 300 or reason.lower() not in answer.text.lower():
            self.faults.append(f"{text} was answered by {answer.status_code}: {answer.text[:300]}")
        else:
            self.counts["refused"] += 1

    def post_failing(self) -> None:
        kind = self.chance.choice(KINDS)
        name = f"bad_{sum(self.counts.values())}_{kind}"
        self.posted[name] = self.count_rows()
        answer = self.ask("POST", "queries", {"name": name, "text": FAILING[kind]})
        if answer is None:
            self.counts["not answered"] += 1
            self.standing[name] = False
        elif answer.status_code != 201:
            self.faults.append(f"{name} was answered by {answer.status_code}: {answer.text[:300]}")
        else:
            self.counts["accepted"] += 1
            self.standing[name] = True

    def forget_answers(self) -> None:
        """Be sure of nothing: the server went back to an older checkpoint, which may know older queries again."""
        self.standing.update(dict.fromkeys(self.posted, False))
        self.posted.update(dict.fromkeys(self.posted, self.count_rows()))

    def drop_failed(self, all: bool = False) -> None:
        """Look at the queries that stand, and drop those that failed, or all of them."""
        for name in list(self.standing):
            answer = self.ask("GET", f"queries/{name}")
            if answer is None:
                return
            if answer.status_code == 404:
                if self.standing.get(name):
                    self.faults.append(f"{name} is not there, though the server had said yes to it")
                self.standing.pop(name, None)
                continue
            has_failed = answer.json()["state"] == "quarantined"
            is_late = not has_failed and self.count_rows() > self.posted[name] + SOON * self.second
            if is_late:
                self.faults.append(f"{name} has not failed: {answer.json()['state']}")
            if has_failed or is_late or all:
                dropped = self.ask("DELETE", f"queries/{name}")
                if dropped is None:
                    self.standing[name] = False  # it may be gone by now
                    return
                if dropped.status_code not in (204, 404):
                    self.faults.append(f"to drop {name} was answered by {dropped.status_code}: {dropped.text[:300]}")
                if name not in self.dropped:
                    self.counts["quarantined" if has_failed else "never failed"] += 1
                self.dropped.add(name)
                self.standing.pop(name, None)
