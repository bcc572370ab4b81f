"""`pcsos ask --web`: the same questions on a page, which only those see who know its address."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from pcsos.cli.question_page import QuestionPage
from pcsos.problem.instance import Instance
from pcsos.validation.names import PointNames

POINTS = "name,length,width\n" + "".join(f"p{i},{10 * (i % 2) + 0.1 * i},{i % 3}\n" for i in range(12))
INSTANCE = Instance([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], 2, names=PointNames(3, ids=["<b>a", "b", "c"]))


def got(address: str, form: dict[str, str] | None = None, host: str | None = None) -> str:
    data = None if form is None else urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(address, data, {} if host is None else {"Host": host})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return str(answer.read().decode())


def question_of(page: str) -> str:
    found = re.search(r'name="question" value="([^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.fixture
def asked() -> Iterator[tuple[QuestionPage, threading.Thread, list[str]]]:
    page, replies = QuestionPage(INSTANCE), []

    def run() -> None:
        replies.append(page.reply("first", (0, 1), "table <1>", ["note & more"]))
        replies.append(page.reply("second", (1, 2), "table 2", []))
        page.end(["that was all"])

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield page, thread, replies
    thread.join(20.0)
    assert not thread.is_alive()


def test_a_question_is_shown_and_the_next_one_follows(
    asked: tuple[QuestionPage, threading.Thread, list[str]],
) -> None:
    page, thread, replies = asked
    first = got(page.address)
    assert "first" in first
    assert "table &lt;1&gt;" in first
    assert "note &amp; more" in first
    assert "&lt;b&gt;a" in first
    assert "<b>a" not in first
    assert first.count("<circle") == 3 + 2
    second = got(page.address, {"question": question_of(first), "reply": "n"})
    assert "second" in second
    again = got(page.address, {"question": question_of(first), "reply": "y"})
    assert question_of(again) == question_of(second), "a reply that comes twice counts once"
    assert question_of(got(page.address, {"question": question_of(second), "reply": "maybe"})) == question_of(second)
    assert "that was all" in got(page.address, {"question": question_of(second), "reply": "u"})
    thread.join(20.0)
    assert replies == ["n", "u"]


def test_only_the_address_is_answered(asked: tuple[QuestionPage, threading.Thread, list[str]]) -> None:
    page, _, replies = asked
    root = page.address.rsplit("/", 1)[0]
    for address, host in ((f"{root}/", None), (f"{page.address}x", None), (page.address, "elsewhere.example")):
        with pytest.raises(urllib.error.HTTPError) as found:
            got(address, host=host)
        assert found.value.code == 404
        found.value.close()
    assert replies == []
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
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    with (
        hearing_interrupts(),
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as process,
    ):
        assert process.stderr is not None
        line = next(line for line in process.stderr if "open http" in line)
        address = line.split("open ")[1].split()[0]
        page = got(address, {"question": question_of(got(address)), "reply": "n"})
        assert "question 2" in page
        page = got(address, {"question": question_of(page), "reply": "b"})
        page = got(address, {"question": question_of(page), "reply": "y"})
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=60)
    assert process.returncode == 4
    assert "1 answer; 1 must-link and 0 cannot-links in all" in shown
    assert tmp_path.joinpath("pairs.txt").read_text().startswith("ML ")
    assert tmp_path.joinpath("log.csv").read_text().count("\n") == 5
