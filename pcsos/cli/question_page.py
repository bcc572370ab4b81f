"""The page of questions: what it shows of two points, the picture of all, and the server behind it."""

import math
import secrets
import sys
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from pcsos.analysis.active import SideBySide
from pcsos.analysis.active.session import ActiveSession
from pcsos.analysis.active.side_by_side import Row
from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.report.markup import Markup, document, element, hash_of, join
from pcsos.report.plane import Plane, drawn_points
from pcsos.verify.reading.text import number_of

#: Width and height, and the margin.
WIDTH, HEIGHT, MARGIN = 720.0, 480.0, 36.0
#: Letters of a name at most.
LONGEST = 24
#: The classes of the two points, which have a colour each.
CLASSES = ("first", "second")


class PairPicture:
    """Draws the points of an instance, the same ones each time."""

    def __init__(self, instance: Instance) -> None:
        self._names, self._plane = instance.names, Plane.of(instance)
        low, high = self._plane.coordinates.min(axis=0), self._plane.coordinates.max(axis=0)
        shares = (self._plane.coordinates - low) / np.where(high > low, high - low, 1.0)
        self._places = MARGIN + shares * [WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN]
        self._places[:, 1] = HEIGHT - self._places[:, 1]
        self._drawn = drawn_points(len(shares))
        self._cloud = element("g", *(self._dot(point, 3.0) for point in self._drawn.tolist()), class_="all")

    def of(self, pair: tuple[int, int], component: Indices) -> Markup:
        """Return the picture of a pair, where points with the same ``component`` are known to be together."""
        companions = [self._drawn[component[self._drawn] == component[point]] for point in pair]
        known = [
            element("g", *(self._dot(other, 5.0) for other in others.tolist() if other not in pair), class_=own)
            for own, others in zip(CLASSES, companions, strict=True)
        ]
        names = [self._names[point] for point in pair]
        drawing = element(
            "svg",
            self._cloud, *known, *self._marks(pair),
            viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
            role="img",
            aria_label=f"all points, with {names[0]} and {names[1]} marked",
        )  # fmt: skip
        has_companions = any(len(others) > 1 for others in companions)
        return element("figure", drawing, element("figcaption", self._caption(has_companions)))

    def _marks(self, pair: tuple[int, int]) -> list[Markup]:
        """Return the two points, large, with their names: that of the upper one above it, the other one below."""
        upper = min(pair, key=lambda point: float(self._places[point][1]))
        marks = []
        for own, point in zip(CLASSES, pair, strict=True):
            x, y = self._places[point].tolist()
            name = self._names[point]
            text = element(
                "text",
                name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…",
                x=f"{x:.1f}",
                y=f"{y + (-16.0 if point == upper else 18.0):.1f}",
                dominant_baseline="auto" if point == upper else "hanging",
                text_anchor="start" if x < WIDTH / 3.0 else "end" if x > WIDTH * 2.0 / 3.0 else "middle",
            )
            marks.append(element("g", self._dot(point, 9.0), text, class_=f"{own} mark"))
        return marks

    def _dot(self, point: int, radius: float) -> Markup:
        x, y = self._places[point].tolist()
        return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:g}")

    def _caption(self, has_companions: bool) -> Markup:
        number, (across, up) = len(self._drawn), self._plane.names
        which = "All points" if number == len(self._places) else f"{number:,} of the points"
        axes = f"{across} across" + (f", {up} up" if up else "")
        known = " Small dots in the colour of a point are known to be together with it." if has_companions else ""
        return join([f"{which}: {axes}.{known}"])


TITLE = "Same cluster?"
#: For each reply what its button says, and the key that presses it, if any.
REPLIES = {"y": ("Same cluster", "Y"), "n": ("Different", "N"), "u": ("Don’t know", "U")}
OTHERS = {"b": ("Undo", "B"), "q": ("Finish", "")}
#: Standard deviations that fill the bar of a difference.
FULL = 3.0


def question_body(
    session: ActiveSession, pair: tuple[int, int], show: SideBySide, picture: Markup, form: Markup, notes: Sequence[str]
) -> Markup:
    """Return what is on the page of a question; ``form`` is where it is answered."""
    number, left = len(session.answers) + 1, session.questions_left
    of = "" if math.isinf(left) else f" of {number - 1 + int(left)}"
    after = "" if math.isinf(left) else f"{int(left) - 1} left after this one"
    counted_off = element("p", element("strong", f"Question {number}{of}"), element("span", after), class_="count")
    comparison = element("div", _comparison(pair, show), form, class_="comparison")
    return element(
        "main",
        element("header", counted_off, *_progress(session)),
        element("h1", "Do these two belong to the same cluster?"),
        *(element("p", note, class_="note", role="status") for note in notes),
        element("div", comparison, picture, class_="board"),
    )


def reply_form(path: str, token: str, *, can_undo: bool, last_seconds: float) -> Markup:
    """Return the buttons; replies go to a path, with a token that stands for the question.

    How long it took to choose this question estimates how long the next one takes.
    """
    which = Markup(f'<input type="hidden" name="question" value="{token}">')
    replies = [_button(key, *words) for key, words in REPLIES.items()]
    others = [_button(key, *words, is_off=key == "b" and not can_undo) for key, words in OTHERS.items()]
    last = f"; the last one took {last_seconds:.0f} s" if last_seconds >= 1.0 else ""
    wait = element(
        "p", "Choosing the next question", element("span", class_="seconds"), last, class_="wait", role="status"
    )
    return element(
        "form", which, element("div", *replies, class_="replies"), element("div", wait, *others, class_="others"),
        method="post", action=path,
    )  # fmt: skip


def last_body(session: ActiveSession, sentences: Sequence[str], command: str) -> Markup:
    """Return the last page: what is known, and the command that goes on with it, if any."""
    answers = [same for *_, same in session.answers]
    tally = [
        element("li", element("b", str(answers.count(same))), f" {REPLIES[reply][0].lower()}")
        for reply, same in (("y", True), ("n", False), ("u", None))
    ]
    following = [element("h2", "Next, the clusters"), element("pre", element("code", command))] if command else []
    return element(
        "main",
        element("h1", "The questions have ended"),
        element("ul", *tally, class_="tally"),
        *_progress(session),
        element("h2", "Result"),
        element("ul", *(element("li", sentence) for sentence in sentences)),
        *following,
        element("p", "This page can be closed.", class_="soft"),
    )


def _own(name: str) -> Markup:
    return Markup(files("pcsos.cli").joinpath(name).read_text("utf-8"))


_STYLE, _SCRIPT = _own("question_page.css"), _own("question_page.js")

#: What a browser may do with the page: run its script, apply its style, and send its form; nothing else.
POLICY = (
    f"default-src 'none'; style-src {hash_of(_STYLE)}; script-src {hash_of(_SCRIPT)}; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_SCHEME = Markup('<meta name="color-scheme" content="light dark">')


def _progress(session: ActiveSession) -> tuple[Markup, Markup]:
    """Return how many pairs are known, as a bar and in words."""
    n, known = session.instance.n_points, session.constraints
    total = n * (n - 1) // 2
    done = total - session.knowledge.num_open
    pairs = f"{number_of(len(known.must_link), 'must-link')}, {number_of(len(known.cannot_link), 'cannot-link')}"
    words = f"{done:,} of {total:,} pairs are known ({pairs}; the rest follows)." if done else "No pair is known yet."
    bar = element("progress", max=str(max(total, 1)), value=str(done), aria_label="pairs that are known")
    return bar, element("p", words, class_="soft")


def _comparison(pair: tuple[int, int], show: SideBySide) -> Markup:
    """Return the table of the two points."""
    names = show.instance.names
    titles = [
        element("th", element("span", names.title, class_="soft"), element("b", names[point]), scope="col", class_=own)
        for own, point in zip(CLASSES, pair, strict=True)
    ]
    head = element("tr", element("td"), *titles, element("td", "standard deviations apart", class_="soft"))
    rows = [_row(row) for row in show.rows(*pair)]
    table = element("table", element("thead", head), element("tbody", *rows))
    hidden = show.num_hidden
    return join([table, *([element("p", f"and {hidden} features that differ less", class_="soft")] if hidden else [])])


def _row(row: Row) -> Markup:
    cells = [element("td", value, class_=own) for own, value in zip(CLASSES, row.values, strict=True)]
    share = 100.0 * min((row.apart or 0.0) / FULL, 1.0)
    bar = element(
        "svg", element("rect", width=f"{share:.0f}", height="4"), viewBox="0 0 100 4", preserveAspectRatio="none",
        aria_hidden="true",
    )  # fmt: skip
    apart = f"{row.apart:.2g} sd" if row.apart else row.difference
    difference = element("td", *([bar] if row.apart else []), element("span", apart), class_="difference")
    kind = "same" if row.is_same else "text" if row.apart is None else f"level{row.num_marks}"
    return element("tr", element("th", row.name, scope="row"), *cells, difference, class_=kind)


def _button(reply: str, word: str, key: str, *, is_off: bool = False) -> Markup:
    settings = {"disabled": ""} if is_off else {}
    hint = [element("kbd", key)] if key else []
    return element(
        "button", element("span", word), *hint, name_="reply", value=reply, accesskey=reply, class_=f"reply-{reply}",
        **settings,
    )  # fmt: skip


#: Only this machine can connect.
HOST = "127.0.0.1"
#: Seconds that a browser may keep a connection without asking for anything, and that the last page is waited for.
IDLE, LAST = 1.0, 3.0
#: Bytes of a reply at most.
LARGEST = 1000


class QuestionPage:
    """Serves one question after the other, in the thread that waits for the reply.

    Its ``address`` is where the page is; who does not know it gets no answer.
    """

    def __init__(self, session: ActiveSession, show: SideBySide) -> None:
        self.session, self.show, self._picture = session, show, PairPicture(session.instance)
        self._server = _Server((HOST, 0), _handler(self))
        self.path = f"/{secrets.token_urlsafe(16)}"
        self.host = f"{HOST}:{self._server.server_port}"
        self.address = f"http://{self.host}{self.path}"
        self._document, self._is_seen = "", False
        self._replied, self._question, self._replied_at = "", "", time.monotonic()

    def reply(self, pair: tuple[int, int], notes: Sequence[str]) -> str:
        """Show a question until there is a reply to it, and return that: one of y, n, u, b and q."""
        last_seconds = time.monotonic() - self._replied_at
        self._replied, self._question = "", secrets.token_urlsafe(8)
        can_undo = bool(self.session.answers)
        form = reply_form(self.path, self._question, can_undo=can_undo, last_seconds=last_seconds)
        picture = self._picture.of(pair, self.session.knowledge.problem.component)
        self._show(question_body(self.session, pair, self.show, picture, form, notes))
        while not self._replied:
            self._server.handle_request()
        self._replied_at = time.monotonic()
        return self._replied

    def _show(self, body: Markup) -> None:
        self._document = document(TITLE, _STYLE, body, [_SCRIPT], _SCHEME)

    def take(self, form: str) -> None:
        """Take what a form has sent; what is about an earlier question counts for nothing."""
        values = parse_qs(form)
        replies = {*REPLIES, *OTHERS}
        if values.get("question") == [self._question] and values.get("reply", [""])[0] in replies:
            self._replied = values["reply"][0]

    def document(self) -> str:
        """Return what is shown at the moment, and note that it was."""
        self._is_seen = True
        return self._document

    def end(self, sentences: Sequence[str], command: str) -> None:
        """Show a last page to whoever has just replied, with the command that comes next, and close the server."""
        self._show(last_body(self.session, sentences, command))
        self._is_seen, until = not self._replied, time.monotonic() + LAST
        while not self._is_seen and time.monotonic() < until:
            self._server.timeout = max(until - time.monotonic(), 0.0)
            self._server.handle_request()
        self._server.server_close()


class _Server(HTTPServer):
    """A server that a browser which has gone away does not disturb."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of broken connections."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _handler(page: QuestionPage) -> type[BaseHTTPRequestHandler]:
    """Return what answers requests, those that know the address and come from this page or nowhere."""

    class Handler(BaseHTTPRequestHandler):
        timeout = IDLE

        def do_GET(self) -> None:
            if self._is_known():
                self._send(200, page.document())

        def do_POST(self) -> None:
            size = self.headers.get("Content-Length", "")
            if self._is_known() and size.isdecimal() and len(size) <= len(str(LARGEST)) and int(size) <= LARGEST:
                page.take(self.rfile.read(int(size)).decode("utf-8", "replace"))
                self._send(303, "", ("Location", page.path))

        def _is_known(self) -> bool:
            is_page = secrets.compare_digest(self.path.encode(), page.path.encode())
            is_known = is_page and self.headers.get("Host") == page.host
            if not is_known:
                self._send(404, "")
            return is_known

        def _send(self, status: int, text: str, *headers: tuple[str, str]) -> None:
            data = text.encode()
            self.send_response(status)
            for name, value in (
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(data))),
                ("Content-Security-Policy", POLICY), ("Referrer-Policy", "no-referrer"),
                ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), *headers,
            ):  # fmt: skip
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
