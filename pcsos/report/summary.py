"""Sections on what the data are, what was asked, what was found, and what the checker said."""

from pcsos.evidence.result import Status
from pcsos.problem.conditions.conditions import SPELLINGS
from pcsos.problem.instance import Instance
from pcsos.report.contents import Contents, Source
from pcsos.report.features import averages
from pcsos.report.markup import Markup, Section, counted, cut_table, element, folded, join, long_table, table
from pcsos.report.page import day

#: Columns that are named in a line.
MOST_NAMED = 12


def data_section(instance: Instance, source: Source) -> Section:
    """Return what a page is about."""
    rows = [
        *([("data", source.data)] if source.data else []),
        *([("file of the run", source.run_file)] if source.run_file else []),
        *([("date of the run", f"{day(source.begun)}, {source.begun:%H:%M} UTC")] if source.begun else []),
        ("rows", f"{counted(instance.n_points, 'point')}{_weights(instance)}"),
        ("columns", _columns(instance)),
    ]
    figures = [] if instance.gram is not None else [folded("Columns in figures", _figures(instance))]
    return Section("data", "What the data are", join([table("The data", (), rows), *figures]))


def _weights(instance: Instance) -> str:
    weights = instance.weights
    return f", which weigh from {weights.min():g} to {weights.max():g}" if (weights != 1.0).any() else ""


def _columns(instance: Instance) -> str:
    """Return the names of the features, as far as there are any."""
    if instance.gram is not None:
        return f"none: there are inner products of points, nearly of rank {instance.gram.rank:,}"
    number, names = f"{instance.n_features:,}", instance.feature_names
    if names is None:
        return f"{number}, without names"
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return f"{number}: {', '.join(names[:MOST_NAMED])}{more}"


def _figures(instance: Instance) -> Markup:
    points, (average, deviation) = instance.points, averages(instance)
    columns = (points.min(axis=0), average, points.max(axis=0), deviation)
    rows = [
        (title, *(f"{value:.6g}" for value in values))
        for title, *values in zip(instance.feature_titles, *columns, strict=True)
    ]
    return cut_table("Columns", ("column", "least", "average", "greatest", "standard deviation"), rows)


def asked_section(contents: Contents) -> Section:
    """Return what was asked of the division, and how the run was started."""
    instance, options = contents.instance, contents.options
    must, cannot = len(instance.must_link), len(instance.cannot_link)
    rows = [
        ("clusters", str(instance.n_clusters)),
        *([("must-links", f"{counted(must, 'pair')} of points that must share a cluster")] if must else []),
        *([("cannot-links", f"{counted(cannot, 'pair')} of points that must not share one")] if cannot else []),
        *_conditions(instance),
    ]
    if options is not None:
        rows += [
            ("gap", f"at most {100.0 * options.gap:g} % between the best division and the proved bound"),
            ("time limit", "none" if options.time_limit is None else f"{options.time_limit:g} s"),
            ("engine", options.engine),
        ]
    rows.append(("seed", str(contents.result.seed)))
    return Section("asked", "What was asked", table("The task", (), rows))


def _conditions(instance: Instance) -> list[tuple[str, str]]:
    """Return limits of clusters and soft pairs in words."""
    limits = {} if instance.limits is None else instance.limits.shown()
    listed = [(SPELLINGS[name].purpose, words) for name, words in limits.items()]
    if len(instance.soft):
        total = f"{instance.soft.total:.6g} if all of them were broken"
        listed.append(("soft pairs", f"{instance.soft.num_links:,} that may be broken at a penalty, {total}"))
    return listed


def found_section(contents: Contents) -> Section:
    """Return the figures of the result."""
    result = contents.result
    rows = list(result.figures().items()) if contents.has_ended else []
    if result.message and result.status is not Status.INFEASIBLE:
        rows.append(("message", str(result.message)))
    known = join([table("The result", (), rows), *_broken(contents)])
    content = known if rows else element("p", "The file holds no result yet.")
    return Section("found", "What was found", content)


def _broken(contents: Contents) -> list[Markup]:
    """Return a table of the soft pairs that are broken, where there are any."""
    names = contents.instance.names
    rows = [
        (f"soft {pair.kind.replace('_', '-')}", names[pair.i], names[pair.j], f"{pair.penalty:.6g}")
        for pair in contents.result.violated or []
    ]
    header = ("kind", "point", "point", "penalty")
    return [long_table("Soft pairs that are broken, the dearest first", header, rows)] if rows else []


def contradiction_section(contents: Contents) -> Section:
    """Return why there is no partition."""
    conflict = contents.result.conflict
    parts = [element("p", f"{contents.result.message}.")] if contents.result.message else []
    if conflict is None:
        parts.append(
            element("p", "Only the search as a whole proves it: the run has been through all divisions there could be.")
        )
        return Section("contradiction", "The contradiction", join(parts))
    pairs = [("must-link", *pair) for pair in conflict.must_link]
    pairs += [("cannot-link", *pair) for pair in conflict.cannot_link]
    caption = "Constraints that cannot hold together"
    caption += "; without any one of them, the others can" if conflict.is_irreducible else ""
    names = contents.instance.names
    rows = [(kind, names[i], names[j]) for kind, i, j in pairs]
    table_of_pairs = long_table(caption, ("kind", "point", "point"), rows)
    return Section("contradiction", "The contradiction", join([*parts, table_of_pairs]))


TITLE = "What the checker said"


def check_section(contents: Contents) -> Section:
    """Return what the checker has checked, or why it has not."""
    check = contents.check
    if check is None:
        return Section("check", TITLE, element("p", _why_unchecked(contents)))
    passed = "Every check passed, in exact arithmetic and with no code of the solver."
    said = element("p", passed if check.verdict is not None else f"It refuses the file: {check.refusal}.")
    steps = [element("ul", *(element("li", step) for step in check.steps))] if check.steps else []
    return Section("check", TITLE, join([said, *steps]))


def _why_unchecked(contents: Contents) -> str:
    if not contents.has_ended:
        return "The run has not ended, so there is nothing to check yet."
    is_proof = contents.result.lower_bound is not None or contents.result.status is Status.INFEASIBLE
    return "It was not asked." if is_proof else "Nothing is proved, so there was nothing to check."
