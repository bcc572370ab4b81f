"""The page: one HTML file that needs nothing else, and lets nothing else in."""

import base64
import hashlib
import json
from importlib.resources import files
from typing import TYPE_CHECKING

from pcsos._version import __version__
from pcsos.report.contents import Contents
from pcsos.report.markup import Markup, element, join, script_data
from pcsos.report.sections import sections
from pcsos.report.words import headline, measure, trust
from pcsos.result import Status

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

TITLE = "A clustering, and what is proved of it"


def page(contents: Contents) -> str:
    """Return the page as text."""
    figures: dict[str, Figure] = {}
    parts = sections(contents, figures)
    links = [element("li", element("a", part.title, href=f"#{part.name}")) for part in parts]
    body = join(
        [
            element("a", "Skip to the content", class_="skip", href="#main"),
            element("header", element("h1", TITLE), *_proved(contents), element("nav", element("ul", *links))),
            element("main", *(_section(part.name, part.title, part.content) for part in parts), id="main"),
            element("footer", f"Written by pcsos {__version__}. The page needs no network, and asks for none."),
        ]
    )
    drawn = {name: json.loads(figure.to_json()) for name, figure in figures.items()}
    return f"<!DOCTYPE html>\n{_document(body, drawn)}\n"


def _proved(contents: Contents) -> list[Markup]:
    is_refused = contents.check is not None and contents.check.verdict is None
    status = contents.result.status
    kind = {Status.OPTIMAL: "headline", Status.INFEASIBLE: "headline bad"}.get(status, "headline open")
    sentences = [trust(contents), headline(contents)] if is_refused else [headline(contents), trust(contents)]
    first = element("p", sentences[0], class_="headline bad" if is_refused else kind, id="proved")
    notes = [sentences[1], measure(contents) if contents.result.partition is not None else ""]
    return [first, *(element("p", sentence) for sentence in notes if sentence)]


def _section(name: str, title: str, content: Markup) -> Markup:
    return element(
        "section", element("h2", title, id=f"{name}-title"), content, id=name, aria_labelledby=f"{name}-title"
    )


def _document(body: Markup, drawn: dict[str, object]) -> Markup:
    """Return the whole document, in which only the scripts of the page itself can run, and nothing can be fetched."""
    style = Markup(files("pcsos.report").joinpath("page.css").read_text("utf-8"))
    scripts = _scripts()
    policy = "; ".join(
        [
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            "img-src data: blob:",
            f"script-src 'unsafe-eval' {' '.join(_hash(script) for script in scripts)}",  # WebGL: regl compiles
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    head = element(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("title", TITLE),
        element("style", style),
    )
    data = element("script", script_data(drawn), type="application/json", id="figures")
    return element("html", head, element("body", body, data, *(element("script", own) for own in scripts)), lang="en")


def _scripts() -> list[Markup]:
    from plotly.offline import get_plotlyjs

    own = files("pcsos.report").joinpath("page.js").read_text("utf-8")
    return [Markup(text.replace("\r\n", "\n")) for text in (get_plotlyjs(), own)]


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
