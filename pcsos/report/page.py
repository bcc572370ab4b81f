"""The page: one HTML file that needs nothing else, and lets nothing else in; what it tells is handed in."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files

from pcsos._version import __version__
from pcsos.io.outputs import write_text
from pcsos.io.source import PathLike
from pcsos.report.markup import Figures, Markup, Section, document, element, hash_of, join, script_data
from pcsos.report.plot import require_plotly


@dataclass(frozen=True)
class Page:
    """A page."""

    title: str  #: the heading
    proved: str  #: in a sentence or two what is known: the first thing that is read
    kind: str = "open"  #: ``good``, ``open`` or ``bad``: how that is marked
    trust: str = ""  #: why to believe it; may be empty
    picture: Markup = field(default=Markup(""))  #: what stands right below; may be empty
    note: str = ""  #: what explains words of the sentences; may be empty
    sections: tuple[Section, ...] = ()  #: what follows
    figures: Figures = field(default_factory=dict)  #: drawings by the names of their places

    def __str__(self) -> str:
        """Return the page as HTML."""
        body = join([element("a", "Skip to the content", class_="skip", href="#main"), self._header(), self._main()])
        written = f"Written by pcsos {__version__} on {day(datetime.now(UTC))}."
        footer = element("footer", f"{written} The page needs no network, and asks for none.")
        drawn = {name: json.loads(figure.to_json()) for name, figure in self.figures.items()}
        return _document(self.title, join([body, footer]), drawn)

    def _header(self) -> Markup:
        sentences = [element("p", self.proved, id="proved")]
        sentences += [element("p", self.trust, class_="trust")] if self.trust else []
        return element(
            "header", element("h1", self.title), element("div", *sentences, class_=f"headline {self.kind}"),
        )  # fmt: skip

    def _main(self) -> Markup:
        links = [element("li", element("a", part.title, href=f"#{part.name}")) for part in self.sections]
        above = [self.picture, *([element("p", self.note, class_="note")] if self.note else [])]
        contents = element("nav", element("ul", *links), aria_label="Contents")
        return element("main", *above, contents, *map(_section, self.sections), id="main")


def write_page(path: PathLike, page: Page) -> None:
    """Write a page, or refuse where Plotly is missing."""
    require_plotly()
    write_text(path, str(page))


def day(when: datetime) -> str:
    """Return a day in words."""
    return f"{when.day} {when:%B} {when.year}"


def _section(part: Section) -> Markup:
    heading = element("h2", part.title, id=f"{part.name}-title")
    return element("section", heading, part.content, id=part.name, aria_labelledby=f"{part.name}-title")


def _document(title: str, body: Markup, drawn: dict[str, object]) -> str:
    """Return the whole document, in which only the scripts of the page itself can run, and nothing can be fetched."""
    from plotly.offline import get_plotlyjs

    own = files("pcsos.report")
    style = Markup(own.joinpath("page.css").read_text("utf-8"))
    script = own.joinpath("page.js").read_text("utf-8")
    scripts = [Markup(text.replace("\r\n", "\n")) for text in (get_plotlyjs(), script)]
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
        f"script-src 'unsafe-eval' {' '.join(map(hash_of, scripts))}"  # WebGL: regl compiles
    )
    meta = Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">')
    data = element("script", script_data(drawn), type="application/json", id="figures")
    return document(title, style, join([body, data]), scripts, meta)
