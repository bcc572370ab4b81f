"""How long a proof takes with pairs, beside the published exact method, on its instances."""

from collections import defaultdict
from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import published, rounding
from benchmarks.pages.pictures import dots
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
HEADER = (
    *("data set", "n", "k", "instances", "proved", "at the root", "most nodes"),
    *("published s, 16 cores", "our s", "ratio"),
)


def datasets(record: Record) -> str:
    """Return a line a data set."""
    groups = by_dataset(record)
    lines = [line(name, groups[name]) for name in N_CLUSTERS if name in groups]
    for label, names in (("the smaller five", SMALLER), ("the others", LARGER)):
        rows = [row for name in names for row in groups.get(name, [])]
        if rows:
            lines.append([label, "", "", *counts(rows), "", "", rounding.ratio(geometric_mean(ratios(rows)))])
    return table(HEADER, lines, left=1)


def line(name: str, rows: list[Row]) -> list[object]:
    """Return the line of one data set: means of seconds are arithmetic, the ratio is a geometric mean."""
    theirs, ours = both_means(rows)
    points = next((f"{row['n_points']:.0f}" for row in rows if row["n_points"]), "")
    cells = (rounding.whole(theirs), rounding.seconds(ours), rounding.ratio(geometric_mean(ratios(rows))))
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


def published_seconds(row: Row) -> float:
    """Return the published mean of the configuration of a row."""
    case = published.configuration(row["dataset"], row["constraint_type"], row["num_constraints"])
    return published.seconds("PC-SOS-SDP")[case]


def both_means(rows: list[Row]) -> tuple[float, float]:
    """Return the mean of the published seconds and that of ours."""
    return mean(map(published_seconds, rows)), mean(map(seconds_of, rows))


def ratios(rows: list[Row]) -> list[float]:
    """Return published seconds divided by ours."""
    return [published_seconds(row) / seconds_of(row) for row in rows]


def instances(record: Record) -> str:
    """Return how many instances were solved."""
    return rounding.whole(len(rows_of(record, "published")))


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
    return rounding.ratio(geometric_mean(ratios(rows_of(record, "published", f"^({'|'.join(SMALLER)})/"))))


def ratio_larger(record: Record) -> str:
    """Return that for the larger ones."""
    return rounding.ratio(geometric_mean(ratios(rows_of(record, "published", f"^({'|'.join(LARGER)})/"))))


def slowest(record: Record) -> str:
    """Return the slowest solve."""
    row = max(rows_of(record, "published"), key=seconds_of)
    return f"{rounding.seconds(seconds_of(row))} seconds ({row['name']})"


def tight(record: Record) -> str:
    """Return what becomes of the smaller ones at a gap of 1e-6."""
    rows = rows_of(record, "published-1e-6")
    done = rounding.of(sum(proved(row, 1e-6) for row in rows), len(rows))
    root = sum(proved(row, 1e-6) and row["nodes"] <= 1 for row in rows)
    return f"{done} proved, {root} at the root, ratio {rounding.ratio(geometric_mean(ratios(rows)))}"


def one_core(record: Record) -> str:
    """Return the seconds with one worker beside the published means."""
    rows = rows_of(record, "published-one-core")
    return "; ".join(
        f"{row['dataset']} {rounding.seconds(seconds_of(row))} seconds (published {published_seconds(row):,.0f})"
        for row in rows
    )


def draw(record: Record, figure: Path) -> None:
    """Draw a dot for the published mean of each data set, and one for ours."""
    groups = by_dataset(record)
    names = [name for name in N_CLUSTERS if name in groups]
    means = [both_means(groups[name]) for name in names]
    values = {"PC-SOS-SDP, published, 16 cores": [a for a, _ in means], "pcsos": [b for _, b in means]}
    dots(figure, names, values, "mean seconds an instance")


FACTS = {
    "datasets": datasets,
    "instances": instances,
    "proved": proved_of,
    "at_root": at_root,
    "minutes": minutes,
    "ratio_smaller": ratio_smaller,
    "ratio_larger": ratio_larger,
    "slowest": slowest,
    "tight": tight,
    "one_core": one_core,
}
