"""The tutorial's part about the page, followed step by step in a headless Chromium, with the real commands."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.documents import Page as Written
from tests.documents import blocks
from tests.spark.front.browser import Page, needs_chromium
from tests.spark.front.serving import wait_for
from tests.test_tidy import ROOT

pytestmark = [pytest.mark.spark, pytest.mark.slow, needs_chromium]
TUTORIAL = (ROOT / "docs" / "tutorial" / "first-queries.md").read_text(encoding="utf-8")
SERVE = "import sys; from tailrace.cli.main import main; sys.argv[0] = 'tailrace'; main()"


@contextmanager
def started(*command: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A command in the background; it is asked to end when it is not needed any more."""
    known = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with (folder / "errors.txt").open("w") as errors:
        process = subprocess.Popen(command, cwd=folder, env=known, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def commands(section: str) -> list[str]:
    """What a section has one type."""
    text = TUTORIAL.split(f"\n## {section}\n")[1].split("\n## ")[0]
    found = [block.text for block in blocks(text) if block.language == "console"]
    return [line.removeprefix("$ ") for block in found for line in block.splitlines() if line.startswith("$ ")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The reader's folder, with all files that the tutorial has one save."""
    written = Written(tmp_path)
    for block in blocks(TUTORIAL):
        written.take(block)
    return tmp_path


def test_the_page_as_the_tutorial_has_it(folder: Path) -> None:
    make, serve, activate, feed = commands("5. Live")
    assert (make, serve, feed) == ("mkdir road", "tailrace serve tolls.cql", "python feed.py")
    assert activate.startswith("source")
    (folder / "road").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    server = (sys.executable, "-c", SERVE, *serve.split()[1:], "--port", port, "--no-token")
    with started(*server, folder=folder) as serving:
        assert serving.stdout is not None
        found = re.fullmatch(r"Tailrace is at (\S+)\n", serving.stdout.readline())
        assert found
        page = Page(found.group(1))
        try:
            with started(sys.executable, "feed.py", folder=folder):
                follow(page, found.group(1))
        finally:
            page.driver.quit()


def follow(page: Page, address: str) -> None:
    """Choose TollMap on the left."""
    page.see("TollMap", "#lists")
    page.click("[data-query=TollMap]")
    page.see("TollMap", "#results h1")
    wait_for(lambda: any(row[0] == "47" for row in page.rows()))
    # "mile 47 is the first to be congested, from second 1,024 on, which is in the 35th file"
    first = httpx.get(f"{address}api/queries/TollMap/results", params={"limit": 1}).json()["rows"][0]
    assert first[:3] == [1024, "+", 47]
    assert 1024 // 30 + 1 == 35
    # "Each congested mile is there with its cars and its toll. … the chart draws a line for each mile."
    wait_for(lambda: len(page.rows()) > 3)
    for mile, cars, toll in page.rows():
        assert 40 <= int(mile) <= 50
        assert int(toll) == 2 * (int(cars) - 50) ** 2
    wait_for(lambda: len(page.all("#chart path.line")) > 3)
    page.picture("tutorial-1-map")
    page.click("[data-query=TollStr]")
    page.see("TollStr", "#results h1")
    wait_for(lambda: len(page.rows()) > 5)
    page.picture("tutorial-2-payers")
    # "Plan shows how both queries run as one, with what they share drawn once."
    page.click("[data-view=plan]")
    wait_for(lambda: page.all("#picture .box.uses2"))
    assert len(page.all("#picture .box.source")) == 1
    page.picture("tutorial-3-plan")
    # "Write a query of your own into the editor and press Register. It takes part from the next batch on"
    text = next(block.text for block in blocks(TUTORIAL) if "CREATE QUERY fastest" in block.text)
    page.click("[data-view=write]")
    page.type(text.split("CREATE QUERY fastest AS\n")[1].rstrip(";\n"))
    page.find("#name").send_keys("fastest")
    wait_for(lambda: page.find("#register").is_enabled())
    page.picture("tutorial-4-own")
    page.click("#register")
    page.see("fastest", "#results h1")
    wait_for(lambda: len(page.rows()) == 5)
    page.picture("tutorial-5-fastest")
    assert page.complaints() == []
