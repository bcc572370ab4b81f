"""The sections of the page, each of them tables and figures of one subject."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pcsos.problem.conditions.limits import MEANINGS
from pcsos.problem.instance import Instance
from pcsos.proofs.closings import CLOSINGS
from pcsos.report.clusters import MOST_SILHOUETTES, clusters_of
from pcsos.report.contents import Contents
from pcsos.report.course import Course
from pcsos.report.figures import certain_figure, course_figure, points_figure, tree_figure
from pcsos.report.markup import Markup, element, join, table
from pcsos.report.plane import MOST_PAIRS, MOST_POINTS
from pcsos.result import CertainPairs, Status
from pcsos.typing import Indices
from pcsos.validation.names import PointNames

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

#: Features whose values a table of centres shows.
MOST_FEATURES = 12
#: Points of which pairs are drawn in a square.
MOST_IN_SQUARE = 300
#: Rows of long tables.
MOST_ROWS = 200

#: Limits of clusters in words.

Figures = dict[str, "Figure"]


class Section(NamedTuple):
    """A part of the page under a heading of its own."""

    name: str
    title: str
    content: Markup


def sections(contents: Contents, figures: Figures) -> list[Section]:
    """Return what the page tells, and put its figures into ``figures`` by the name of the place that is theirs."""
    found = [
        Section("asked", "What was asked", _asked(contents)),
        Section("found", "What was found", _found(contents)),
    ]
    if contents.result.status is Status.INFEASIBLE:
        found.append(Section("contradiction", "The contradiction", _contradiction(contents)))
    if contents.result.labels is not None:
        found.append(Section("clusters", "Clusters", _clusters(contents, contents.result.labels)))
    found.append(Section("points", "Points", _points(contents, figures)))
    if contents.certain is not None and contents.result.labels is not None:
        content = _certain(contents, contents.certain, contents.result.labels, figures)
        found.append(Section("certain", "What is certain", content))
    if contents.course.incumbents or contents.course.bounds:
        found.append(Section("course", "Bound and best division over time", _course(contents.course, figures)))
    if contents.nodes:
        found.append(Section("tree", "The tree of the proof", _tree(contents, figures)))
    found.append(Section("check", "What the checker said", _check(contents)))
    return found


def _numbers(instance: Instance) -> str:
    """Return what is known of the points."""
    if instance.gram is not None:
        return f"inner products, nearly of rank {instance.gram.rank:,}"
    return f"{instance.n_features:,} features"


def _asked(contents: Contents) -> Markup:
    instance, options = contents.instance, contents.options
    weights = instance.weights
    is_weighted = bool((weights != 1.0).any())
    rows = [
        ("points", f"{instance.n_points:,} with {_numbers(instance)}"),
        ("clusters", str(instance.n_clusters)),
        ("must-links", f"{len(instance.must_link):,} pairs of points that must share a cluster"),
        ("cannot-links", f"{len(instance.cannot_link):,} pairs of points that must not"),
        ("weights", f"from {weights.min():g} to {weights.max():g}" if is_weighted else "all 1"),
        *_conditions(instance),
    ]
    if options is not None:
        rows += [
            ("gap", f"at most {100.0 * options.gap:g} % between the best division and the proved bound"),
            ("time limit", "none" if options.time_limit is None else f"{options.time_limit:g} s"),
            ("engine", options.engine),
        ]
    rows.append(("seed", str(contents.result.seed)))
    return table("The task", (), rows)


def _conditions(instance: Instance) -> list[tuple[str, str]]:
    """Return limits of clusters and soft pairs in words."""
    limits = {} if instance.limits is None else instance.limits.shown()
    listed = [(MEANINGS[name], words) for name, words in limits.items()]
    if len(instance.soft):
        total = f"{instance.soft.total:.6g} if all of them were broken"
        listed.append(("soft pairs", f"{instance.soft.num_links:,} that may be broken at a penalty, {total}"))
    return listed


def _found(contents: Contents) -> Markup:
    result = contents.result
    rows = list(result.figures().items()) if contents.has_ended else []
    if result.message and result.status is not Status.INFEASIBLE:
        rows.append(("message", str(result.message)))
    if not rows:
        return element("p", "The file holds no result yet.")
    return join([table("The result", (), rows), *_broken(contents)])


def _broken(contents: Contents) -> list[Markup]:
    """Return a table of the soft pairs that are broken, where there are any."""
    names = contents.instance.names
    rows = [
        (f"soft {pair.kind.replace('_', '-')}", names[pair.i], names[pair.j], f"{pair.penalty:.6g}")
        for pair in contents.result.violated or []
    ]
    header = ("kind", "point", "point", "penalty")
    return [_long_table("Soft pairs that are broken, the dearest first", header, rows)] if rows else []


def _contradiction(contents: Contents) -> Markup:
    conflict = contents.result.conflict
    parts = [element("p", f"{contents.result.message}.")] if contents.result.message else []
    if conflict is None:
        parts.append(
            element("p", "Only the search as a whole proves it: the run has been through all divisions there could be.")
        )
        return join(parts)
    pairs = [("must-link", *pair) for pair in conflict.must_link]
    pairs += [("cannot-link", *pair) for pair in conflict.cannot_link]
    caption = "Constraints that cannot hold together"
    caption += "; without any one of them, the others can" if conflict.is_irreducible else ""
    names = contents.instance.names
    rows = [(kind, names[i], names[j]) for kind, i, j in pairs]
    return join([*parts, _long_table(caption, ("kind", "point", "point"), rows)])


def _clusters(contents: Contents, labels: Indices) -> Markup:
    instance = contents.instance
    found = clusters_of(instance, labels)
    is_weighted = bool((instance.weights != 1.0).any())
    header = ["cluster", "points", *(["weight"] if is_weighted else []), "sum of squares", "silhouette"]
    rows = [
        (
            str(cluster.number),
            f"{cluster.size:,}",
            *([f"{cluster.weight:.6g}"] if is_weighted else []),
            f"{cluster.within:.6g}",
            "-" if cluster.silhouette is None else f"{cluster.silhouette:.3f}",
        )
        for cluster in found
    ]
    shown = min(instance.n_features, MOST_FEATURES)
    caption = "Centres" if shown == instance.n_features else f"Centres: the first {shown} of their features"
    centres = [(str(c.number), *(f"{value:.6g}" for value in c.centre[:shown])) for c in found]
    notes = ["A silhouette tells how clearly the points of a cluster belong to it: 1 is clear, 0 is on the border."]
    if instance.n_points > MOST_SILHOUETTES:
        notes.append(f"It is estimated from {MOST_SILHOUETTES:,} points.")
    members = [(str(c.number), _named(np.flatnonzero(labels == c.number), instance.names)) for c in found]
    return join(
        [
            _long_table("Sizes", header, rows),
            element("p", " ".join(notes), class_="note"),
            _long_table(caption, ("cluster", *instance.feature_titles[:shown]), centres),
            _details("Which points are in which cluster", _long_table("Members", ("cluster", "points"), members)),
        ]
    )


def _named(points: Indices, names: PointNames) -> str:
    """Return the names of points, numbers with runs of neighbours as ranges, cut where there are many."""
    if names.ids is not None:
        text = ", ".join(names[point] for point in points[:MOST_ROWS].tolist())
        return text if points.size <= MOST_ROWS else f"{text}, and more"
    points = points + names.first
    starts = np.flatnonzero(np.diff(points, prepend=-2) > 1)
    ends = np.append(starts[1:], points.size) - 1
    runs = [(int(points[a]), int(points[b])) for a, b in zip(starts[:MOST_ROWS], ends[:MOST_ROWS], strict=True)]
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return text if starts.size <= MOST_ROWS else f"{text}, and more"


def _points(contents: Contents, figures: Figures) -> Markup:
    instance, result = contents.instance, contents.result
    broken = result.violated or []
    figures["points-figure"] = points_figure(contents.plane, instance, result.labels, result.conflict, broken)
    notes = ["Each symbol is a point; its name and place appear under the pointer."]
    if instance.n_features > 2:
        notes.append("The picture is a shadow of the points: clusters that overlap in it can be apart in truth.")
    if instance.n_points > MOST_POINTS:
        notes.append(f"{MOST_POINTS:,} of the {instance.n_points:,} points are drawn, chosen at random.")
    if len(instance.must_link) + len(instance.cannot_link):
        notes.append("Solid lines are must-links, dashed lines cannot-links.")
    if broken:
        notes.append("Coloured lines are soft pairs that are broken: must-links dotted, cannot-links dots and dashes.")
    if max(len(instance.must_link), len(instance.cannot_link), len(broken)) > MOST_PAIRS:
        notes.append(f"At most {MOST_PAIRS:,} of each are drawn, chosen at random.")
    return _figure("points-figure", f"The {instance.n_points:,} points, by cluster", " ".join(notes))


def _certain(contents: Contents, certain: CertainPairs, labels: Indices, figures: Figures) -> Markup:
    """Return on which pairs all divisions nearly as good agree, with a square of the points by cluster and group."""
    share, n = f"{100.0 * certain.epsilon:g} %", labels.size
    least, most, why = ("at least ", "at most ", f": {certain.why}") if certain.num_undecided else ("", "", "")
    rows = [
        ("divisions compared", f"all that cost at most {share} more than the best one"),
        ("pairs that are certain", f"{least}{certain.num_certain:,} of {certain.num_pairs:,}"),
        ("pairs on which two of these divisions differ", f"{least}{certain.num_uncertain:,}"),
        ("pairs that are undecided", f"{most}{certain.num_undecided:,}{why}"),
        ("groups that are never parted", f"{most}{np.unique(certain.groups).size:,}"),
    ]
    order = np.lexsort((np.arange(n), certain.groups, labels))
    drawn = order if n <= MOST_IN_SQUARE else order[np.linspace(0, n - 1, MOST_IN_SQUARE).astype(np.intp)]
    names = [contents.instance.names[point] for point in drawn.tolist()]
    square = np.ix_(drawn, drawn)
    figures["certain-figure"] = certain_figure(certain.matrix()[square], certain.doubts.matrix()[square], names)
    notes = [
        "Uncertain pairs are together in one of these divisions and apart in another; undecided ones may be either."
    ]
    if drawn.size < n:
        notes.append(f"{drawn.size:,} of the {n:,} points are drawn.")
    return join(
        [
            table("Pairs of points", (), rows),
            _figure("certain-figure", "What each pair is in every division compared", " ".join(notes)),
        ]
    )


def _course(course: Course, figures: Figures) -> Markup:
    figures["course-figure"] = course_figure(course)
    note = (
        "The sum of squares of the best division known falls, the bound that is proved rises; no division costs less "
        "than the bound. Where they meet, the best division is found and proved. This is how the run told "
        "it; the checker proves where it ends."
    )
    rows = [
        (f"{step.seconds:.1f}", kind, f"{step.value:.10g}", step.source)
        for kind, steps in (("best division", course.incumbents), ("bound", course.bounds))
        for step in steps
    ]
    listed = _long_table("Steps", ("seconds", "what", "sum of squares", "found by"), rows)
    return join([_figure("course-figure", "Bound and best division over time", note), _details("As a table", listed)])


def _tree(contents: Contents, figures: Figures) -> Markup:
    counts = Counter(node.closing for node in contents.nodes)
    rows = [(kind.words, f"{counts[kind.words]:,}") for kind in CLOSINGS if counts[kind.words]]
    counted = table("Nodes", ("how they ended", "number"), rows)
    if len(contents.nodes) == 1:
        return join([element("p", "One node, the root, is all that was needed."), counted])
    figures["tree-figure"] = tree_figure(contents.nodes)
    note = (
        "Each node stands for all divisions in which certain points are together and others apart. Where one that is "
        "divided has nothing below it, what is below was left open."
    )
    listed = [
        (
            str(node.number),
            "-" if node.parent is None else str(node.parent),
            node.decision,
            node.closing,
            "-" if node.lower_bound is None else f"{node.lower_bound:.10g}",
        )
        for node in contents.nodes
    ]
    header = ("node", "parent", "what it adds", "how it ended", "bound")
    return join(
        [
            _figure("tree-figure", f"The tree with {len(contents.nodes):,} nodes", note),
            counted,
            _details("All nodes", _long_table("Nodes in the order of their end", header, listed)),
        ]
    )


def _check(contents: Contents) -> Markup:
    check = contents.check
    if check is None:
        return element("p", _why_unchecked(contents))
    parts = []
    if check.verdict is None:
        parts.append(element("p", f"It refuses the file: {check.refusal}."))
    else:
        parts.append(element("p", "Every check passed, in exact arithmetic and with no code of the solver."))
    if check.steps:
        parts.append(element("ul", *(element("li", step) for step in check.steps)))
    return join(parts)


def _why_unchecked(contents: Contents) -> str:
    if not contents.has_ended:
        return "The run has not ended, so there is nothing to check yet."
    is_proof = contents.result.lower_bound is not None or contents.result.status is Status.INFEASIBLE
    return "It was not asked." if is_proof else "Nothing is proved, so there was nothing to check."


def _figure(name: str, label: str, note: str) -> Markup:
    place = element("div", id=name, role="img", aria_label=label)
    return element("figure", place, element("figcaption", note))


def _details(summary: str, content: Markup) -> Markup:
    return element("details", element("summary", summary), content)


def _long_table(caption: str, header: Iterable[str], rows: Sequence[tuple[str, ...]]) -> Markup:
    """Return a table, cut where it is long."""
    if len(rows) > MOST_ROWS:
        caption = f"{caption} (the first {MOST_ROWS} of {len(rows):,})"
    return table(caption, header, rows[:MOST_ROWS])
