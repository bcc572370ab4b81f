"""How long a proof takes with pairs, beside the published exact methods, on their instances."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import published, rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.proofs import effort
from benchmarks.pages.rows import rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.published import N_CLUSTERS, proved, proved_at_root, seconds_of
from benchmarks.tables import geometric_mean, mean, table

PARTS = ("published", "published-1e-6", "published-one-core")
DRAWN_FROM = ("published",)
ALT = "Mean seconds for each data set, published and ours, on a logarithmic axis"
#: The data sets of the paper's first table; the others are larger.
SMALLER = ("iris", "wine", "seeds", "connectionist", "glass")
LARGER = tuple(name for name in N_CLUSTERS if name not in SMALLER)
#: Instances of a configuration in the paper.
DRAWS = 5
HEADER = (
    *("data set", "points", "clusters", "instances", "proved", "at the root", "most nodes"),
    *("PC-SOS-SDP, s (printed, 16 cores)", "pcsos, s", "theirs / ours"),
)


def datasets(record: Record) -> str:
    """Return a line a data set."""
    groups = by_dataset(record)
    lines = [line(name, groups[name]) for name in N_CLUSTERS if name in groups]
    for label, names in (("the smaller five", SMALLER), ("the others", LARGER)):
        rows = [row for name in names for row in groups.get(name, [])]
        if rows:
            lines.append([label, "", "", *counts(rows), "", "", times_as_long(rows)])
    return table(HEADER, lines, left=1)


def line(name: str, rows: list[Row]) -> list[object]:
    """Return the line of one data set: means of seconds are arithmetic, the ratio is a geometric mean."""
    theirs, ours = both_means(rows)
    points = next((f"{row['n_points']:.0f}" for row in rows if row["n_points"]), "")
    cells = (rounding.whole(theirs), rounding.seconds(ours), times_as_long(rows))
    return [name, points, N_CLUSTERS[name], *counts(rows), *cells]


def counts(rows: list[Row]) -> list[object]:
    """Return how many there are, how many are proved, without branching, and the most nodes."""
    nodes = max((row["nodes"] for row in rows if row["nodes"] is not None), default=None)
    return [len(rows), sum(proved(row, 1e-4) for row in rows), sum(map(proved_at_root, rows)), rounding.whole(nodes)]


def by_dataset(record: Record, part: str = "published") -> dict[str, list[Row]]:
    """Return the rows of each data set."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows_of(record, part):
        groups[row["dataset"]].append(row)
    return groups


def case_of(row: Row) -> str:
    """Return the configuration of a row, as the published figures name it."""
    return published.configuration(row["dataset"], row["constraint_type"], row["num_constraints"])


def by_configuration(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of each configuration, of which the published seconds are means."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[case_of(row)].append(row)
    return groups


def named(case: str) -> str:
    """Return the name of a configuration for a sentence."""
    return case.replace("/", " ")


def mean_seconds(rows: Iterable[Row]) -> float:
    """Return the mean of the seconds; what did not end counts with those of its process."""
    return mean(map(seconds_of, rows))


def both_means(rows: list[Row]) -> tuple[float, float]:
    """Return the mean of the published seconds and that of ours."""
    theirs = published.seconds("PC-SOS-SDP")
    return mean(theirs[case_of(row)] for row in rows), mean_seconds(rows)


def ratios(rows: list[Row], gap: float = 1e-4) -> dict[str, float]:
    """Return published seconds divided by ours, means both, for each configuration that is all proved to a gap."""
    theirs = published.seconds("PC-SOS-SDP")
    return {
        case: theirs[case] / mean_seconds(group)
        for case, group in by_configuration(rows).items()
        if all(proved(row, gap) for row in group)
    }


def times_as_long(rows: list[Row], gap: float = 1e-4) -> str:
    """Return the geometric mean of the ratios, and how many configurations it leaves out."""
    found, number = ratios(rows, gap), len(by_configuration(rows))
    left_out = f" (without {number - len(found)} of {number} configurations)" if len(found) < number else ""
    return rounding.ratio(geometric_mean(found.values())) + left_out


def sample(record: Record) -> str:
    """Return which of the paper's instances these are."""
    rows, cases = rows_of(record, "published"), published.seconds("PC-SOS-SDP")
    sets = {case.split("/")[0] for case in cases}
    missing = sorted(sets - {row["dataset"] for row in rows})
    without = f"; without {', '.join(missing)}" if missing else ""
    configurations = f"{len(by_configuration(rows))} of its {len(cases)} configurations"
    return f"{len(rows)} of the {DRAWS * len(cases)} instances of the paper, in {configurations}{without}"


def proved_of(record: Record) -> str:
    """Return how many of them are proved."""
    rows = rows_of(record, "published")
    return rounding.of(sum(proved(row, 1e-4) for row in rows), len(rows))


def at_root(record: Record) -> str:
    """Return how many are proved without branching."""
    return rounding.whole(sum(map(proved_at_root, rows_of(record, "published"))))


def minutes(record: Record) -> str:
    """Return the minutes of all solves."""
    return rounding.minutes(sum(map(seconds_of, rows_of(record, "published"))))


def ratio_smaller(record: Record) -> str:
    """Return the geometric mean of the ratios for the smaller data sets."""
    return times_as_long(rows_of(record, "published", f"^({'|'.join(SMALLER)})/"))


def ratio_larger(record: Record) -> str:
    """Return that for the larger ones."""
    return times_as_long(rows_of(record, "published", f"^({'|'.join(LARGER)})/"))


def extremes(record: Record) -> str:
    """Return the configurations with the least and the greatest ratio."""
    found = ratios(rows_of(record, "published"))
    if not found:
        return "on none, as no configuration is all proved"
    low, high = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
    return f"{rounding.ratio(found[low])} ({named(low)}) to {rounding.ratio(found[high])} ({named(high)})"


def slowest(record: Record) -> str:
    """Return the slowest solve, with its nodes."""
    row = max(rows_of(record, "published"), key=seconds_of)
    return f"{row['name']}: {effort(row)}"


def not_solved(record: Record) -> str:
    """Return the configurations of which PC-SOS-SDP did not solve all instances."""
    shares = published.solved("PC-SOS-SDP")
    cases = by_configuration(rows_of(record, "published"))
    found = [f"{named(case)} ({shares[case] / 100 * DRAWS:.0f} of {DRAWS})" for case in cases if shares[case] < 100]
    return ", ".join(found) or "none"


def cprbba_faster(record: Record) -> str:
    """Return the configurations on which CPRBBA is printed to take less time than we do."""
    theirs, shares = published.seconds("CPRBBA"), published.solved("CPRBBA")
    both = {case: group for case, group in by_configuration(rows_of(record, "published")).items() if case in theirs}
    found = [
        f"{named(case)} ({theirs[case]:g} seconds, pcsos {ours(group)})"
        for case, group in both.items()
        if shares[case] == 100 and not (is_all_proved(group) and mean_seconds(group) <= theirs[case])
    ]
    unsolved = sum(shares[case] < 100 for case in both)
    return (
        f"{len(found)} of {rounding.counted(len(both), 'configuration')}{': ' if found else ''}{', '.join(found)}; "
        f"it did not solve all instances of {unsolved}"
    )


def is_all_proved(rows: Iterable[Row]) -> bool:
    """Tell whether all rows are proved to 1e-4."""
    return all(proved(row, 1e-4) for row in rows)


def ours(rows: list[Row]) -> str:
    """Return the mean of our seconds, or that not all are proved."""
    return rounding.seconds(mean_seconds(rows)) if is_all_proved(rows) else "does not prove all"


def tight(record: Record) -> str:
    """Return what becomes of the smaller ones at a gap of 1e-6."""
    rows = rows_of(record, "published-1e-6")
    done = rounding.of(sum(proved(row, 1e-6) for row in rows), len(rows))
    root = sum(proved(row, 1e-6) and row["nodes"] <= 1 for row in rows)
    ratio = times_as_long(rows, 1e-6)
    return f"{done} proved, {root} at the root; theirs, which are to 1e-4, divided by ours: {ratio}"


def one_core(record: Record) -> str:
    """Return the seconds with one worker beside the published means."""
    theirs = published.seconds("PC-SOS-SDP")
    return "; ".join(
        f"{row['name']} {'in' if proved(row, 1e-4) else 'not proved in'} {rounding.seconds(seconds_of(row))} seconds "
        f"(printed {theirs[case_of(row)]:,.0f})"
        for row in rows_of(record, "published-one-core")
    )


def draw(record: Record, figure: Path) -> None:
    """Draw a dot for the published mean of each data set, and one for ours."""
    groups = by_dataset(record)
    names = [name for name in N_CLUSTERS if name in groups]
    theirs, own = zip(*(both_means(groups[name]) for name in names), strict=True)
    values = {"PC-SOS-SDP, printed, 16 cores": theirs, "pcsos": own}
    dots(figure, names, values, "mean seconds an instance")


FACTS = {
    "datasets": datasets,
    "sample": sample,
    "instances": lambda record: rounding.whole(len(rows_of(record, "published"))),
    "proved": proved_of,
    "at_root": at_root,
    "minutes": minutes,
    "ratio_smaller": ratio_smaller,
    "ratio_larger": ratio_larger,
    "extremes": extremes,
    "slowest": slowest,
    "not_solved": not_solved,
    "cprbba_faster": cprbba_faster,
    "tight": tight,
    "one_core": one_core,
}
