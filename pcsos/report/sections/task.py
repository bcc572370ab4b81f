"""What was asked, and what was found."""

from pcsos.evidence.result import Status
from pcsos.problem.conditions.conditions import SPELLINGS
from pcsos.problem.instance import Instance
from pcsos.report.contents import Contents
from pcsos.report.markup import Markup, element, join, table
from pcsos.report.section import Section, counted, long_table


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
    content = join([table("The result", (), rows), *_broken(contents)]) if rows else _nothing()
    return Section("found", "What was found", content)


def _nothing() -> Markup:
    return element("p", "The file holds no result yet.")


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
