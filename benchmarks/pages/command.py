"""``python -m benchmarks pages``: write the tables, figures and pictures of the documentation from the record."""

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks.pages import pictures, provenance, spans
from benchmarks.pages.rows import NOT_MEASURED
from benchmarks.pages.screens import NAMES, fact, is_pictured, screen_named
from benchmarks.pages.spans import PageError
from benchmarks.record.command import WHOLE
from benchmarks.record.folder import Record
from benchmarks.repository import ROOT

PAGES = ("README.md", "docs/index.md", "docs/benchmarks.md")
PICTURES = "docs/pictures/record"


def add_parser(subparsers: Any) -> None:
    """Add the command to those of ``python -m benchmarks``."""
    command = subparsers.add_parser("pages", help="write what the documentation quotes", description=__doc__)
    command.add_argument("--record", type=Path, default=WHOLE, metavar="FOLDER", help="default: benchmarks/results")
    command.add_argument("--check", action="store_true", help="write nothing, say what differs; exit status 1 then")
    command.set_defaults(main=main)


def main(options: argparse.Namespace) -> None:
    """Write the pages and pictures, or check them."""
    record = Record(options.record)
    try:
        if options.check:
            found = differing(record)
            print("\n".join(f"{name} differs from the record" for name in found) or "all pages are as the record says")
            sys.exit(1 if found else 0)
        draw_all(record)
        missing = write_all(record)
    except PageError as error:
        raise SystemExit(f"{error}") from None
    for name in missing:
        print(f"{NOT_MEASURED}: {name}", file=sys.stderr)


def rendered(record: Record, page: str, root: Path = ROOT) -> str:
    """Return a page as the record says.

    Raises
    ------
    PageError
        If the page names a fact that there is not, or does not close a comment.
    """
    try:
        return spans.render((root / page).read_text(encoding="utf-8"), lambda name: fact(record, name))
    except PageError as error:
        raise PageError(f"{page}: {error}") from None


def write_all(record: Record, root: Path = ROOT) -> list[str]:
    """Write all pages and return the facts that are not measured yet."""
    missing: dict[str, None] = {}
    for page in PAGES:
        text = rendered(record, page, root)
        (root / page).write_text(text, encoding="utf-8")
        missing |= dict.fromkeys(name for name in spans.names(text) if NOT_MEASURED in fact(record, name))
    return list(missing)


def draw_all(record: Record, root: Path = ROOT) -> None:
    """Draw the pictures of what is measured, and take away those of what is not."""
    from tests.pages import drawing

    for name in NAMES:
        screen, figure = screen_named(name), picture_of(name, root)
        if is_pictured(record, name):
            with drawing():
                screen.draw(record, figure)
            pictures.stamp(figure, provenance.digest(record, screen.DRAWN_FROM))
        else:
            figure.unlink(missing_ok=True)


def differing(record: Record, root: Path = ROOT) -> list[str]:
    """Return the pages whose text, and the pictures whose rows, are not those of the record."""
    pages = [page for page in PAGES if (root / page).read_text(encoding="utf-8") != rendered(record, page, root)]
    return pages + [str(picture_of(name, root).relative_to(root)) for name in NAMES if not is_fresh(record, name, root)]


def is_fresh(record: Record, name: str, root: Path) -> bool:
    """Return whether the picture of a screen is there just where it can be drawn, and from these rows."""
    figure = picture_of(name, root)
    if not is_pictured(record, name):
        return not figure.exists()
    return pictures.is_drawn_from(figure, provenance.digest(record, screen_named(name).DRAWN_FROM))


def picture_of(name: str, root: Path) -> Path:
    """Return the file of a screen's picture."""
    return root / PICTURES / f"{name}.svg"
