"""`pcsos ask --web`: the same questions on a page, which only those see who know its address."""

import base64
import contextlib
import hashlib
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pcsos.analysis.active import ActiveSession, SideBySide
from pcsos.cli.question_page import QuestionPage
from pcsos.problem.instance import Instance
from pcsos.problem.validation.names import PointNames
from tests.report.browser import browser, wait_for

POINTS = "name,length,width\n" + "".join(f"p{i},{10 * (i % 2) + 0.1 * i},{i % 3}\n" for i in range(12))
INSTANCE = Instance(
    [[0.0, 1.0], [2.0, 3.0], [40.0, 3.0], [60.0, 5.0]], 2, names=PointNames(4, ids=["<b>a", "b", "c", "d"])
)
SHOWN = {"town": ["<i>Bonn", "Rome", "Rome", "Bonn"]}


def got(address: str, form: dict[str, str] | None = None, host: str | None = None) -> str:
    data = None if form is None else urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(address, data, {} if host is None else {"Host": host})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return str(answer.read().decode())


def question_of(page: str) -> str:
    found = re.search(r'name="question" value="([^"]+)"', page)
    assert found is not None
    return found[1]


@dataclass
class Asked:
    """A page in a thread that asks two questions, what was replied, and the thread."""

    page: QuestionPage
    replies: list[str]
    thread: threading.Thread


@pytest.fixture
def asked() -> Iterator[Asked]:
    session = ActiveSession(INSTANCE, budget=5)
    page, replies = QuestionPage(session, SideBySide(INSTANCE, shown=SHOWN)), list[str]()

    def run() -> None:
        replies.append(page.reply((0, 1), ["note & more"]))
        session.tell((0, 1), True)
        replies.append(page.reply((1, 2), []))
        page.end(["the pairs are in pairs.txt"], "pcsos solve <points>")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    asked = Asked(page, replies, thread)
    yield asked
    end(asked)  # what a test that was skipped has left
    thread.join(20.0)
    assert not thread.is_alive()


def end(asked: Asked) -> None:
    while asked.thread.is_alive() and len(asked.replies) < 2:
        got(asked.page.address, {"question": question_of(got(asked.page.address)), "reply": "u"})


def buttons_of(page: str) -> dict[str, str]:
    return {found[1]: found[0] for found in re.finditer(r'<button [^>]*value="(.)".*?</button>', page)}


def test_a_question_is_shown_and_the_next_one_follows(asked: Asked) -> None:
    address = asked.page.address
    first = got(address)
    assert "note &amp; more" in first
    assert "&lt;b&gt;a" in first
    assert "<b>a" not in first
    assert first.count("<circle") == 4 + 2
    second = got(address, {"question": question_of(first), "reply": "n"})
    assert "note" not in second.split("<main>")[1]
    again = got(address, {"question": question_of(first), "reply": "y"})
    assert question_of(again) == question_of(second), "a reply that comes twice counts once"
    assert question_of(got(address, {"question": question_of(second), "reply": "maybe"})) == question_of(second)
    last = got(address, {"question": question_of(second), "reply": "u"})
    assert "the pairs are in pairs.txt" in last
    assert "<code>pcsos solve &lt;points&gt;</code>" in last
    assert "<b>1</b> same cluster" in last
    assert "<b>0</b> different" in last
    assert "<form" not in last
    asked.thread.join(20.0)
    assert asked.replies == ["n", "u"]


def test_values_stand_side_by_side_and_large_differences_stand_out(asked: Asked) -> None:
    rows = dict(re.findall(r'<tr class="(\w+)"><th scope="row">([^<]*)</th>', got(asked.page.address)))
    assert rows == {"text": "town", "level0": "feature 1", "level2": "feature 2"}
    assert '<td class="first">&lt;i&gt;Bonn</td><td class="second">Rome</td>' in got(asked.page.address)
    assert '<td class="first">0</td><td class="second">2</td>' in got(asked.page.address)
    assert "1.4 sd" in got(asked.page.address)
    end(asked)


def test_the_page_says_how_far_it_is(asked: Asked) -> None:
    first = got(asked.page.address)
    assert "<strong>Question 1 of 5</strong><span>4 left after this one</span>" in first
    assert '<progress max="6" value="0"' in first
    assert "disabled" in buttons_of(first)["b"], "there is nothing to take back yet"
    second = got(asked.page.address, {"question": question_of(first), "reply": "y"})
    assert "<strong>Question 2 of 5</strong><span>3 left after this one</span>" in second
    assert '<progress max="6" value="1"' in second
    assert "1 of 6 pairs are known (1 must-link, 0 cannot-links; the rest follows)." in second
    assert "disabled" not in buttons_of(second)["b"]
    assert second.count("<circle") == 4 + 1 + 2, "a is drawn once more, as it is known to be together with b"
    assert list(buttons_of(second)) == ["y", "n", "u", "b", "q"]
    end(asked)


def test_only_the_script_and_the_style_of_the_page_are_allowed(asked: Asked) -> None:
    with urllib.request.urlopen(asked.page.address, timeout=20) as answer:
        policy, page = answer.headers["Content-Security-Policy"], answer.read().decode()
        assert answer.headers["Cache-Control"] == "no-store"
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    for name in ("style", "script"):
        (text,) = re.findall(rf"<{name}>(.*?)</{name}>", page, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}';" in policy
    assert "style=" not in page
    assert not re.search(r" on\w+=", page)
    end(asked)


def test_a_browser_that_goes_away_is_not_heard_of(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    host, port = asked.page.host.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(f"GET {asked.page.path} HTTP/1.0\r\nHost: {asked.page.host}\r\n".encode())
    end(asked)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("request_line", [b"GET /\xe9 HTTP/1.0", b"POST %s HTTP/1.0\r\nContent-Length: " + b"9" * 5000])
def test_requests_that_are_none_are_not_heard_of(
    asked: Asked, request_line: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    host, port = asked.page.host.split(":")
    line = request_line.replace(b"%s", asked.page.path.encode())
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(line + f"\r\nHost: {asked.page.host}\r\n\r\n".encode())
        connection.recv(100)
    end(asked)
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_keys_press_buttons_and_the_next_question_is_waited_for(asked: Asked) -> None:
    press = "document.dispatchEvent(new KeyboardEvent('keydown', arguments[0]));"
    with browser() as driver:
        driver.get(asked.page.address)
        assert driver.execute_script("return getComputedStyle(document.querySelector('kbd')).display") != "none"
        driver.execute_script(press, {"key": "q"})
        driver.execute_script(press, {"key": "n", "ctrlKey": True})
        driver.execute_script(press, {"key": "z", "ctrlKey": True})
        assert asked.replies == [], "q is no key, Ctrl-N belongs to the browser, and nothing can be taken back"
        driver.execute_script("document.forms[0].addEventListener('submit', (event) => event.preventDefault());")
        driver.execute_script(press, {"key": "y"})
        wait_for(driver, "return [...document.querySelectorAll('button')].every((button) => button.disabled)")
        wait = "return getComputedStyle(document.querySelector('.wait')).visibility"
        assert driver.execute_script(wait) == "visible"
        driver.get(asked.page.address)
        assert driver.execute_script(wait) == "hidden"
        old = question_of(driver.page_source)
        driver.execute_script(press, {"key": "y"})
        wait_for(driver, f"return document.querySelector('[name=question]')?.value !== '{old}'")
        assert asked.replies == ["y"]
        driver.execute_script(press, {"key": "z", "ctrlKey": True})
        wait_for(driver, "return document.querySelector('.tally')")
        assert asked.replies == ["y", "b"]
        assert [entry["message"] for entry in driver.get_log("browser")] == []


def test_only_the_address_is_answered(asked: Asked) -> None:
    page = asked.page
    root = page.address.rsplit("/", 1)[0]
    for address, host in ((f"{root}/", None), (f"{page.address}x", None), (page.address, "elsewhere.example")):
        with pytest.raises(urllib.error.HTTPError) as found:
            got(address, host=host)
        assert found.value.code == 404
        found.value.close()
    assert asked.replies == []
    assert page.address.startswith("http://127.0.0.1:")
    for reply in "yq":
        got(page.address, {"question": question_of(got(page.address)), "reply": reply})
    assert len(page.path) > 16


@contextlib.contextmanager
def hearing_interrupts() -> Iterator[None]:
    """Processes that begin meanwhile hear Ctrl-C, which those in the background of a shell are told to ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_answered_on_the_page(tmp_path: Path) -> None:
    tmp_path.joinpath("points.csv").write_text(POINTS)
    command = [sys.executable, "-m", "pcsos", "ask", "points.csv", "-k", "2", "--id", "name", "--web"]
    command += ["--constraints-out", "pairs.txt", "--log", "log.csv"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with (
        hearing_interrupts(),
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as process,
    ):
        assert process.stderr is not None
        line = next(line for line in process.stderr if "open http" in line)
        address = line.split("open ")[1].split()[0]
        page = got(address, {"question": question_of(got(address)), "reply": "n"})
        assert "Question 2" in page
        page = got(address, {"question": question_of(page), "reply": "b"})
        page = got(address, {"question": question_of(page), "reply": "y"})
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=60)
    assert process.returncode == 4
    assert "1 answer; 1 must-link and 0 cannot-links in all" in shown
    assert tmp_path.joinpath("pairs.txt").read_text().startswith("ML ")
    assert tmp_path.joinpath("log.csv").read_text().count("\n") == 5
