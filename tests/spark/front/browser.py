"""Browser: the page in a headless Chromium, for the tests that use it as a person does.

Pictures are left below out/page, to be looked at.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from tests.spark.front.serving import wait_for
from tests.test_tidy import ROOT

PICTURES = ROOT / "out" / "page"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs Debian's packages chromium and chromium-driver"
)


class Page:
    """A browser with the page open."""

    def __init__(self, address: str) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1360,980"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.get(address)
        PICTURES.mkdir(parents=True, exist_ok=True)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements("css selector", selector)

    def text(self, selector: str) -> str:
        """What is shown there now; the page may be drawing it anew."""
        script = "const e = document.querySelector(arguments[0]); return e && !e.hidden ? e.innerText : ''"
        return str(self.driver.execute_script(script, selector))

    def rows(self) -> list[list[str]]:
        """The cells of the table."""
        script = (
            "return [...document.querySelectorAll('#table tbody tr')].map((r) => [...r.cells].map((c) => c.innerText))"
        )
        found: list[list[str]] = self.driver.execute_script(script)
        return found

    def see(self, text: str, selector: str = "body") -> None:
        wait_for(lambda: text in self.text(selector))

    def type(self, *keys: str) -> None:
        self.find("#editor").send_keys(*keys)

    def click(self, selector: str) -> None:
        self.driver.execute_script("document.querySelector(arguments[0]).click()", selector)

    def picture(self, name: str) -> None:
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))

    def complaints(self) -> list[str]:
        return [each["message"] for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]
