"""The page of ``pcsos ask --web``: a server on this machine that shows one question after the other."""

import secrets
import sys
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs

from pcsos.analysis.active import SideBySide
from pcsos.analysis.active.session import ActiveSession
from pcsos.cli import question_view as view
from pcsos.cli.pair_picture import PairPicture

#: Only this machine can connect.
HOST = "127.0.0.1"
#: Seconds that a browser may keep a connection without asking for anything, and that the last page is waited for.
IDLE, LAST = 1.0, 3.0
#: Bytes of a reply at most.
LARGEST = 1000


class QuestionPage:
    """Serves one question after the other, in the thread that waits for the reply.

    Parameters
    ----------
    session : ActiveSession
        The answers so far, and what is known.
    show : SideBySide
        What is shown of two points.

    Attributes
    ----------
    address : str
        Where the page is; who does not know it gets no answer.
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
        form = view.reply_form(self.path, self._question, can_undo=can_undo, last_seconds=last_seconds)
        picture = self._picture.of(pair, self.session.knowledge.problem.component)
        self._document = view.document(view.question_body(self.session, pair, self.show, picture, form, notes))
        while not self._replied:
            self._server.handle_request()
        self._replied_at = time.monotonic()
        return self._replied

    def take(self, form: str) -> None:
        """Take what a form has sent; what is about an earlier question counts for nothing."""
        values = parse_qs(form)
        replies = {*view.REPLIES, *view.OTHERS}
        if values.get("question") == [self._question] and values.get("reply", [""])[0] in replies:
            self._replied = values["reply"][0]

    def document(self) -> str:
        """Return what is shown at the moment, and note that it was."""
        self._is_seen = True
        return self._document

    def end(self, sentences: Sequence[str], command: str) -> None:
        """Show a last page to whoever has just replied, with the command that comes next, and close the server."""
        self._document = view.document(view.last_body(self.session, sentences, command))
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
                ("Content-Security-Policy", view.POLICY), ("Referrer-Policy", "no-referrer"),
                ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), *headers,
            ):  # fmt: skip
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
