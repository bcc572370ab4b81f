"""Generated text in Markdown: what stands between ``<!-- record SCREEN.FACT -->`` and ``<!-- end record -->``.

A comment that ends its line encloses a block, with an empty line on either side; any other encloses a figure in a
sentence or a cell. Such a line must not begin with the comment: Markdown would take it for the end of the paragraph.
"""

import re
from collections.abc import Callable

SPAN = re.compile(r"<!-- record ([a-z0-9_.]*) -->(\n?)((?:(?!<!--).)*)<!-- end record -->", flags=re.DOTALL)
MARK = re.compile(r"<!-- (?:record\b|end record\b)")
BEGINS_LINE = re.compile(r"^<!-- record [a-z0-9_.]* -->[^\n].*$", flags=re.MULTILINE)


class PageError(ValueError):
    """A page that cannot be written: what it asks for is not there, or not well formed."""


def render(text: str, fact: Callable[[str], str]) -> str:
    """Return the page with the text of every fact that it names.

    Raises
    ------
    PageError
        If a comment is not closed, or begins a line of a sentence.
    """
    if len(MARK.findall(text)) != 2 * len(SPAN.findall(text)):
        raise PageError("a comment '<!-- record ... -->' has no '<!-- end record -->', or the other way round")
    if found := BEGINS_LINE.search(text):
        raise PageError(f"a figure in a sentence must not begin its line: {found[0][:80]}")

    def filled(span: re.Match[str]) -> str:
        space = "\n\n" if span[2] else ""
        return f"<!-- record {span[1]} -->{space}{fact(span[1])}{space}<!-- end record -->"

    return SPAN.sub(filled, text)


def names(text: str) -> list[str]:
    """Return the facts that a page names, in order."""
    return [span[1] for span in SPAN.finditer(text)]


def without(text: str) -> str:
    """Return the page without what is generated."""
    return SPAN.sub("", text)
