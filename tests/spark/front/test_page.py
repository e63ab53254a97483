"""The page in a headless Chromium: written, understood, planned, registered, watched, paused, dropped; with pictures.

The pictures are left below out/page, to be looked at.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace.engine.internals import script_of, trigger_of
from tests.spark.front.browser import Page, needs_chromium
from tests.spark.front.serving import Serving, serving, wait_for

pytestmark = [pytest.mark.spark, needs_chromium]
EVERY = 0.7  # seconds between files


@pytest.fixture
def at_work(spark: SparkSession, tmp_path: Path) -> Iterator[Serving]:
    with serving(spark, tmp_path) as found, flowing(found):
        yield found


@contextmanager
def flowing(found: Serving) -> Iterator[None]:
    """While this lasts, files come."""
    over = threading.Event()

    def flow() -> None:
        while not over.wait(EVERY):
            found.write(2)

    thread = threading.Thread(target=flow, daemon=True)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.fixture
def page(at_work: Serving) -> Iterator[Page]:
    found = Page(at_work.address)
    yield found
    found.driver.quit()


def test_a_person_writes_a_query_and_watches_it(at_work: Serving, page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.see("counts", "#lists")
    press_slowly(page)
    write(page, Keys.TAB)
    register_and_watch(at_work, page)
    look_at_the_plan(at_work, page)
    pause_and_drop(at_work, page)
    page.driver.quit()
    with at_work.client() as client:
        wait_for(lambda: client.get("status").json()["readers"] == 0)


def press_slowly(page: Page) -> None:
    """Lists are drawn anew while rows come, but not what is pressed or has the focus."""
    from selenium.webdriver import ActionChains

    page.see("Monitors", "#lists")
    assert "source_rates" not in page.text("#lists")
    held = page.find("[data-key=Monitors]")
    ActionChains(page.driver).click_and_hold(held).pause(3).release().perform()
    page.see("source_rates", "#lists")
    before = page.text("#lists")
    wait_for(lambda: page.text("#lists") != before)
    assert page.driver.switch_to.active_element.get_attribute("data-key") == "Monitors"
    page.click("[data-key=Monitors]")
    page.click("[data-query=counts]")
    page.see("counts", "#results h1")
    page.click("[data-view=write]")
    wait_for(lambda: page.find("#editor").is_displayed())


def write(page: Page, tab: str) -> None:
    page.type("SELECT name, MAX(v) AS most, COUNT(*) AS n\nFROM S [RANGE 20]\nWHERE v > 1\nGROUP BY na")
    page.see("name", ".offers")
    page.picture("1-completion")
    page.type(tab)
    names_of_two_parts(page, tab)
    page.type(", vv")
    page.see("no column vv in S", "#meaning")
    page.see("line 4, column 16", "#meaning")
    page.see("did you mean v?", "#meaning")
    assert page.text(".wrong") == "vv"
    assert not page.find("#register").is_enabled()
    page.picture("2-wrong")
    page.type("\b\b\b\b")
    page.see("relation", "#meaning .chip")
    wait_for(lambda: page.find("#register").is_enabled())
    # A query that got defaults offers its expanded text.
    page.driver.execute_script("document.querySelector('#editor').select()")
    page.type("select name, v from S where v > 7")
    page.see("the result only grows: it gets ISTREAM", "#meaning")
    page.see("stream", "#meaning .chip")
    wait_for(lambda: page.all("#preview .box"))
    assert {"stream", "select", "output"} <= set(page.text("#preview").split())
    page.picture("3-meaning-and-plan")
    page.click(".use")
    wait_for(lambda: "ISTREAM(name, v)" in page.find("#editor").get_property("value"))
    wait_for(lambda: "default" not in page.text("#meaning"))


def names_of_two_parts(page: Page, tab: str) -> None:
    """The system's streams are completed too, behind the dot and with their columns."""
    before = page.find("#editor").get_property("value")
    page.type("\nFROM tailrace.so")
    page.see("sources", ".offers")
    page.type(tab, " WHERE hol")
    page.see("holds_watermark", ".offers")
    page.type(tab)
    assert page.find("#editor").get_property("value") == f"{before}\nFROM tailrace.sources WHERE holds_watermark"
    page.type("\b" * len("\nFROM tailrace.sources WHERE holds_watermark"))


def register_and_watch(at_work: Serving, page: Page) -> None:
    page.driver.execute_script("document.querySelector('#editor').select()")
    page.type("SELECT name, MAX(v) AS most, AVG(v) AS mean, COUNT(*) AS n\nFROM S [RANGE 20]\nGROUP BY name")
    page.find("#name").send_keys("most")
    wait_for(lambda: page.find("#register").is_enabled())
    page.click("#register")
    page.see("most", "#results h1")
    page.see("n0", "#table")
    page.see("live", "#state")
    # The relation as it is now: one row for each key, and so in the end what the definition gives.
    wait_for(lambda: len(page.all("#table tbody tr")) == 3)
    wait_for(lambda: page.all("#chart path.line"))
    # At 21 instants of the window each key has 21 rows.
    wait_for(lambda: page.rows() and all(row[-1] == "21" for row in page.rows()))
    page.picture("4-results")
    page.click("#changes")
    page.see("_op", "#table")
    page.click("#changes")


def change_settings(at_work: Serving, page: Page) -> None:
    """What may change of an operator is beside it, and stays chosen while figures are drawn anew."""
    wait_for(lambda: page.all("#details [aria-label=strategy]"))
    script = (
        "const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('change'))"
    )
    page.driver.execute_script(script, "#details [aria-label=strategy]", "hybrid")
    wait_for(lambda: script_of(at_work.engine).program.settings.strategy == "hybrid")
    wait_for(lambda: "expire" in page.text("#picture"))
    page.see("aggregate", "#details h2")
    for key, value in {"trigger": "300 milliseconds", "routing": "tickets", "shedding": "on"}.items():
        page.driver.execute_script(script, f"#settings [aria-label='{key}']", value)
    wait_for(lambda: script_of(at_work.engine).program.settings.shedding)
    page.driver.execute_script(script, "#settings [aria-label='trigger']", "soon")
    page.see("trigger cannot be 'soon'", "#settings")
    assert all("api/settings/trigger" in each for each in page.complaints())
    page.driver.execute_script(script, "#settings [aria-label='shedding']", "off")
    wait_for(lambda: not script_of(at_work.engine).program.settings.shedding)
    assert (trigger_of(at_work.engine), script_of(at_work.engine).program.settings.routing) == (
        "300 milliseconds",
        "tickets",
    )


def look_at_the_plan(at_work: Serving, page: Page) -> None:
    page.click("[data-view=plan]")
    wait_for(lambda: page.all("#picture .box"))
    names = page.text("#picture").split()
    assert {"stream", "input", "window", "aggregate", "output"} <= set(names)
    assert len(page.all("#picture .box.source")) == 1  # S is there once, whoever reads it
    assert page.all("#picture .box.source.uses3")
    wait_for(lambda: page.all("#picture .edge.flowing"))
    page.driver.execute_script(
        "[...document.querySelectorAll('#picture .box')].find((e) => e.textContent.includes('aggregate'))"
        ".dispatchEvent(new Event('click'))"
    )
    page.see("time spent", "#details")
    page.see("batches", "#details")
    change_settings(at_work, page)
    page.picture("5-plan")
    page.click("#theme")
    page.picture("6-plan-dark")
    page.click("[data-view=results]")
    page.picture("7-results-dark")
    page.click("#theme")


def pause_and_drop(at_work: Serving, page: Page) -> None:
    page.click("#pause")
    page.see("paused", "#state")
    with at_work.client() as client:
        known = client.get("queries/most").json()["rows"]
        before = page.text("#table")
        wait_for(lambda: client.get("queries/most").json()["rows"] > known)
        assert page.text("#table") == before
    page.click("#pause")
    page.see("live", "#state")
    wait_for(lambda: page.text("#table") != before)
    page.click("#drop")
    wait_for(lambda: "most" not in page.text("#lists").split())
    assert "most" not in at_work.engine.queries
    assert page.complaints() == []


def test_a_page_without_the_token_asks_for_it(spark: SparkSession, tmp_path: Path) -> None:
    with serving(spark, tmp_path, token="a+b%c") as found:
        page = Page(found.address)
        try:
            page.see("This server needs a token.", "#banner")
            answer_with(page, "guessed")
            page.see("The token is wrong.", "#banner")
            page.picture("token")
            page.find("#token").send_keys("half")
            time.sleep(3)  # the page looks again each second
            assert page.find("#token").get_property("value") == "half"
            page.find("#token").clear()
            answer_with(page, f"{found.address}/#token=a%2Bb%25c")
            page.see("counts", "#lists")
            wait_for(lambda: page.text("#banner") == "")
            page.driver.execute_script("sessionStorage.setItem('token', 'of an earlier start')")
            page.see("The token is wrong.", "#banner")
            # The printed address, opened where the page is already open: only the fragment differs.
            page.driver.get(f"{found.address}/#token=a%2Bb%25c")
            wait_for(lambda: page.text("#banner") == "")
            assert "token" not in page.driver.current_url
        finally:
            page.driver.quit()


def test_a_page_with_the_token_for_reading_says_so(spark: SparkSession, tmp_path: Path) -> None:
    with serving(spark, tmp_path, token="abc", read_token="def") as found:
        page = Page(f"{found.address}/#token=def")
        try:
            page.see("counts", "#lists")
            page.click("[data-query=counts]")
            page.click("#drop")
            page.see("this token may only read")
            assert "counts" in found.engine.queries
        finally:
            page.driver.quit()


def answer_with(page: Page, text: str) -> None:
    page.find("#token").send_keys(f"{text}\n")
