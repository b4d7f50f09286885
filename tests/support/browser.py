"""A headless Chromium: loads a page as a reader's browser would, and says what happened."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVERS = ("chromedriver", "chromium-driver")


def found(programs: tuple[str, ...]) -> str | None:
    """The first of the programs that is installed."""
    return next((path for name in programs if (path := shutil.which(name))), None)


class Browser:
    """A browser with one page."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def load(self, page: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Load a page at a screen's size and wait until its charts are drawn."""
        self._log("browser")
        self._log("performance")
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.driver.get(page.as_uri())
        WebDriverWait(self.driver, 60).until(
            lambda driver: driver.execute_script("return document.body.dataset.state") == "drawn"
        )

    def run(self, script: str) -> Any:
        """What a script gives in the page."""
        return self.driver.execute_script(script)

    def console(self) -> list[str]:
        """What the page wrote to the console, warnings and errors."""
        return [entry["message"] for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """Addresses that the page asked for since it was loaded."""
        messages = (json.loads(entry["message"])["message"]
                    for entry in self._log("performance"))  # fmt: skip
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]

    def _log(self, name: str) -> list[dict[str, Any]]:
        return list(self.driver.get_log(name))  # type: ignore[no-untyped-call]

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Save a picture of the page."""
        self.run("document.documentElement.style.scrollbarWidth = 'none'")
        shot = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole}
        )
        path.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser, or a skipped test that names what is missing."""
    program, driver = found(BROWSERS), found(DRIVERS)
    if program is None or driver is None:
        pytest.skip("no Chromium with its driver: apt-get install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = program
    for argument in (
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
    ):
        options.add_argument(argument)
    if os.geteuid() == 0:
        # Chromium refuses its sandbox to root, which is who runs in a container.
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    chrome = Chrome(options=options, service=Service(executable_path=driver))
    try:
        yield Browser(chrome)
    finally:
        chrome.quit()
