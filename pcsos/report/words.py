"""Words: what is proved, in sentences that need no mathematics, and the small tables that notebooks show below them."""

from collections.abc import Iterable

from pcsos.evidence.result import CertainPairs, Certainty, Certification, Result, Status
from pcsos.evidence.result.words import percent, whole_percent
from pcsos.report.markup import Markup, counted, element, join

PROVED = "This is proved."
#: The same of a file that the checker refuses.
SAID = "The file says that this is proved."


def headline(result: Result) -> str:
    """Return in a sentence or two what is known."""
    task = _task(result)
    if result.status is Status.INFEASIBLE:
        return f"It is impossible to {task}. {PROVED}"
    if result.status is Status.UNKNOWN:
        return f"Neither a way to {task} was found, nor a proof that there is none."
    if result.gap == 0.0:
        return f"No other way to {task} is better than the one shown here. {PROVED}"
    if result.gap is None or result.gap >= 1.0:
        return f"This is a way to {task}. How much better another one could be is not proved."
    none = f"more than {percent(result.gap)} better than the one shown here. {PROVED}"
    has_better = isinstance(result, Certification) and result.better is not None
    if result.status is Status.OPTIMAL and not has_better:
        return f"No other way to {task} is {none}"
    return f"A better way to {task} {'is known' if has_better else 'may exist'}, but none is {none}"


def measure(result: Result) -> str:
    """Return what better means; nothing without a partition."""
    if result.partition is None:
        return ""
    squares = "add up, over all points, the squared distance to the centre of their cluster"
    if len(result.instance.soft):
        return f"Better means a smaller cost: {squares}, and the penalties of the soft pairs that are broken."
    return f"Better means a smaller sum of squares: {squares}."


def _task(result: Result) -> str:
    """Return what was to be done, in words that follow a "to"."""
    num_pairs = result.n_must_link + result.n_cannot_link
    held = []
    if num_pairs == 1:
        held.append("the constraint on a pair of points holds")
    elif num_pairs:
        held.append(f"the {num_pairs:,} constraints on pairs of points hold")
    if result.instance.outliers:
        held.append(f"{counted(result.instance.outliers, 'point')} or fewer are left out")
    elif result.instance.limits is not None:
        held.append("clusters keep to their limits")
    kept = f" so that {' and '.join(held)}" if held else ""
    points, clusters = counted(result.n_points, "point"), counted(result.n_clusters, "cluster")
    return f"divide the {points} into {clusters}{kept}"


def certainty(certain: CertainPairs) -> str:
    """Return in a sentence or two what is proved of pairs of points."""
    share = whole_percent(certain.epsilon)
    if certain.status is Certainty.UNIQUE:
        return f"No other division of the points is within {share} of the best one. {PROVED}"
    total, same = counted(certain.num_pairs, "pair"), f"{certain.num_certain:,}"
    every = f"the same in every division within {share} of the best one"
    differ, open_ = (
        f"{number:,} {'is' if number == 1 else 'are'}" for number in (certain.num_uncertain, certain.num_undecided)
    )
    if certain.status is Certainty.COMPLETE:
        return f"{same} of {total} of points are {every}, the other {differ} not. {PROVED}"
    others = f", and at least {differ} not" if certain.num_uncertain else ""
    return f"At least {same} of {total} of points are {every}{others}. {PROVED} {open_} undecided: {certain.why}."


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
