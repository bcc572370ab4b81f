"""A browser without a window: the system's Chromium, or none."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

#: Seconds in which a page must have drawn its figures; machines without a graphics card take their time.
PATIENCE = 120.0
ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader"),
    *("--window-size=1100,1000", "--force-device-scale-factor=1"),
)


def found(*names: str) -> str | None:
    return next((path for path in map(shutil.which, names) if path), None)


@contextmanager
def browser() -> Iterator[Any]:
    """Yield a driver of the system's Chromium, which fetches nothing itself; skip the test where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium, which drives the browser")
    binary, driver = found("chromium", "chromium-browser", "google-chrome"), found("chromedriver")
    if binary is None or driver is None:
        pytest.skip("needs Chromium and chromedriver (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(driver, env=os.environ | {"SE_OFFLINE": "true", "SE_AVOID_STATS": "true"})
    running = webdriver.Chrome(options=options, service=service)
    try:
        yield running
    finally:
        running.quit()


def wait_for(driver: Any, script: str) -> Any:
    """Return what a script returns as soon as that is true."""
    end = time.monotonic() + PATIENCE
    while not (value := driver.execute_script(script)):
        assert time.monotonic() < end, f"never became true: {script}"
        time.sleep(0.05)
    return value


def open_page(driver: Any, path: Path) -> tuple[list[str], list[str]]:
    """Load a page until its figures are drawn; return what went wrong, and what else was requested."""
    driver.get(path.as_uri())
    wait_for(driver, "return document.documentElement.dataset.drawn")
    errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    requests = [
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    ]
    return errors, [url for url in requests if url != path.as_uri() and not url.startswith(("data:", "blob:"))]
