"""The page of ``pcsos ask --web``: two points, where they lie among the others, and a button for each reply."""

import secrets
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.resources import files
from urllib.parse import parse_qs

import numpy as np

from pcsos.problem.instance import Instance
from pcsos.report.markup import Markup, element, join
from pcsos.report.plane import Plane, drawn_points

TITLE = "Same cluster?"
BUTTONS = {"y": "yes", "n": "no", "u": "unknown", "b": "back", "q": "quit"}
#: Only this machine can connect.
HOST = "127.0.0.1"
#: Width and height of the picture, and its margin.
WIDTH, HEIGHT, MARGIN = 720.0, 420.0, 24.0
#: Seconds that a browser may keep a connection without asking for anything, and that the last page is waited for.
IDLE, LAST = 1.0, 3.0
#: Bytes of a reply at most.
LARGEST = 1000


class QuestionPage:
    """Serves one question after the other, in the thread that waits for the reply.

    Parameters
    ----------
    instance : Instance
        The points.

    Attributes
    ----------
    address : str
        Where the page is; who does not know it gets no answer.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance, self._plane = instance, Plane.of(instance)
        low, high = self._plane.coordinates.min(axis=0), self._plane.coordinates.max(axis=0)
        shares = (self._plane.coordinates - low) / np.where(high > low, high - low, 1.0)
        self._places = MARGIN + shares * [WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN]
        self._places[:, 1] = HEIGHT - self._places[:, 1]
        self._dots = [_dot(self._places[point], 2.5, "currentColor", "0.35") for point in drawn_points(len(shares))]
        self._server = HTTPServer((HOST, 0), _handler(self))
        self.path = f"/{secrets.token_urlsafe(16)}"
        self.host = f"{HOST}:{self._server.server_port}"
        self.address = f"http://{self.host}{self.path}"
        self.document, self._replied, self._question = "", "", ""

    def reply(self, title: str, pair: tuple[int, int], table: str, notes: Sequence[str]) -> str:
        """Show a question until there is a reply to it, and return that: one of y, n, u, b and q."""
        self._replied, self._question = "", secrets.token_urlsafe(8)
        buttons = [element("button", word, name_="reply", value=key, accesskey=key) for key, word in BUTTONS.items()]
        which = Markup(f'<input type="hidden" name="question" value="{self._question}">')
        said = [element("p", note, class_="note") for note in notes]
        form = element("form", which, *buttons, method="post", action=self.path)
        self.document = _document([*said, element("h2", title), form, element("pre", table), self._picture(pair)])
        while not self._replied:
            self._server.handle_request()
        return self._replied

    def take(self, form: str) -> None:
        """Take what a form has sent; what is about an earlier question counts for nothing."""
        values = parse_qs(form)
        if values.get("question") == [self._question] and values.get("reply", [""])[0] in BUTTONS:
            self._replied = values["reply"][0]

    def end(self, sentences: Sequence[str]) -> None:
        """Show a last page to whoever has just replied, and close the server."""
        self.document = _document([element("p", sentence) for sentence in sentences])
        self._server.timeout = LAST
        if self._replied:
            self._server.handle_request()
        self._server.server_close()

    def _picture(self, pair: tuple[int, int]) -> Markup:
        names = self.instance.names
        marks = [_dot(self._places[point], 7.0, colour, "1") for point, colour in zip(pair, COLOURS, strict=True)]
        words = [
            element("text", names[point], x=f"{self._places[point][0] + 10.0:.1f}", y=f"{self._places[point][1]:.1f}",
                    fill="currentColor")
            for point in pair
        ]  # fmt: skip
        label = f"all points, with {names[pair[0]]} and {names[pair[1]]} marked"
        axes = element("p", " / ".join(name for name in self._plane.names if name), class_="note")
        drawing = element(
            "svg", *self._dots, *marks, *words, viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}", role="img", aria_label=label
        )
        return join([drawing, axes])


#: Of the two points.
COLOURS = ("#d55e00", "#0072b2")


def _dot(place: np.ndarray, radius: float, colour: str, opacity: str) -> Markup:
    x, y = place.tolist()
    return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:g}", fill=colour, opacity=opacity)


def _document(parts: Sequence[Markup]) -> str:
    style = Markup(files("pcsos.report").joinpath("page.css").read_text("utf-8"))
    head = element("head", Markup('<meta charset="utf-8">'), element("title", TITLE), element("style", style))
    body = element("body", element("header", element("h1", TITLE)), element("main", *parts))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _handler(page: QuestionPage) -> type[BaseHTTPRequestHandler]:
    """Return what answers requests, those that know the address and come from this page or nowhere."""

    class Handler(BaseHTTPRequestHandler):
        timeout = IDLE

        def do_GET(self) -> None:
            if self._is_known():
                self._send(200, page.document)

        def do_POST(self) -> None:
            size = self.headers.get("Content-Length", "")
            if self._is_known() and size.isdecimal() and int(size) <= LARGEST:
                page.take(self.rfile.read(int(size)).decode("utf-8", "replace"))
                self._send(303, "", ("Location", page.path))

        def _is_known(self) -> bool:
            is_known = self.headers.get("Host") == page.host and secrets.compare_digest(self.path, page.path)
            if not is_known:
                self._send(404, "")
            return is_known

        def _send(self, status: int, text: str, *headers: tuple[str, str]) -> None:
            data = text.encode()
            self.send_response(status)
            policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
            for name, value in (
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(data))),
                ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"),
                ("Cache-Control", "no-store"), *headers,
            ):  # fmt: skip
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
