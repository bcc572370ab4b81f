"""What a notebook shows: a sentence, and a small table below it."""

from collections.abc import Iterable

from pcsos.evidence.result import CertainPairs, Result
from pcsos.report.markup import Markup, element, join
from pcsos.report.words import certainty, headline

LEFT = "text-align: left"


def result_html(result: Result) -> str:
    """Return what is proved of a result, and its figures."""
    figures = result.figures() | ({"message": result.message} if result.message else {})
    return small_table(headline(result), (), figures.items())


def certain_html(certain: CertainPairs) -> str:
    """Return what is proved of pairs, and how many they are."""
    rows = [
        ("status", str(certain.status)),
        ("certain pairs", f"{certain.num_certain:,} of {certain.num_pairs:,}"),
        ("uncertain pairs", f"{certain.num_uncertain:,}"),
        ("undecided pairs", f"{certain.num_undecided:,}" + (f" ({certain.why})" if certain.why else "")),
        ("groups that are never parted", f"{len(set(certain.groups.tolist())):,}"),
    ]
    return small_table(certainty(certain), (), rows)


def small_table(sentence: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a sentence and a table, aligned as notebooks would not: the first column names its rows."""
    names = [element("th", name, scope="col", style=LEFT) for name in header]
    body = [_row(*row) for row in rows]
    head: list[Markup] = [element("tr", *names)] if names else []
    return join([element("p", sentence), element("table", *head, *body)])


def _row(first: str, *cells: str) -> Markup:
    return element("tr", element("th", first, scope="row", style=LEFT), *(element("td", c, style=LEFT) for c in cells))
