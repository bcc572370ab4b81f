"""Who keeps the pairs."""

from pathlib import Path

from benchmarks.pages import rounding
from benchmarks.pages.methods import METHODS as SHOWN
from benchmarks.pages.pictures import picture
from benchmarks.pages.rows import NotMeasuredError, done_rows, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.comparators import METHODS, Exact, Violations, exact_lines, violations
from benchmarks.tables import table

PARTS = ("comparators",)
DRAWN_FROM = ("comparators",)
ALT = "Share of the instances on which each method keeps all pairs with every seed, a bar a method"
#: Methods that must keep pairs, and those to which none are given; the others weigh what a broken one costs.
KEEPING, WITHOUT = ("SG-MDE", "pcsos"), ("MDEClust", "KMeans", "BisectingKMeans", "KMeansConstrained")
HEURISTICS, EXACT = "^heuristics/", "^exact/"


def kept(record: Record) -> str:
    """Return a line for each method that ran, those first that keep the pairs most often."""
    header = (
        *("method", "whose program", "pairs", "ends with every seed", "of these keeps all pairs"),
        *("share of pairs broken, median", "largest share", "median excess", "median CPU s"),
    )
    total = len(rows_of(record, "comparators", HEURISTICS))
    return table(header, [cells(line, total) for line in by_kept(record)], left=3)


def cells(line: Violations, total: int) -> list[object]:
    """Return the cells of a method, of so many instances in all."""
    shares = (line.median_share, line.largest_share, line.excess)
    return [
        *(*SHOWN[line.method], treatment(line.method)),
        *(rounding.of(line.number, total), rounding.of(line.kept, line.number) if line.number else rounding.NONE),
        *(*map(rounding.percent, shares), rounding.seconds(line.cpu_seconds)),
    ]


def treatment(method: str) -> str:
    """Return what a method is meant to make of pairs."""
    return "must be kept" if method in KEEPING else "not given to it" if method in WITHOUT else "may be broken"


def by_kept(record: Record) -> list[Violations]:
    """Return what each method that ran makes of the pairs."""
    rows = done_rows(record, "comparators", HEURISTICS)
    lines = [line for method in METHODS if (line := violations(method, rows))]
    return sorted(lines, key=lambda line: -share(line))


def share(line: Violations) -> float:
    """Return on which share of the instances on which it ends a method keeps all pairs, in percent."""
    return 100.0 * line.kept / line.number if line.number else 0.0


def breaks(record: Record, method: str) -> str:
    """Return on how many of the instances on which it ends a method breaks pairs, and on how many it fails.

    Raises
    ------
    NotMeasuredError
        If it was not run.
    """
    line = violations(method, done_rows(record, "comparators", HEURISTICS))
    if line is None:
        raise NotMeasuredError("comparators")
    number = line.number - line.kept
    text = f"{number:,} of {rounding.counted(line.number, 'instance')}" if number else none_of(line.number)
    return f"{text} (it fails on {line.failed:,} more)" if line.failed else text


def none_of(number: int) -> str:
    """Return that it is none."""
    return f"none of {rounding.counted(number, 'instance')}"


def exact(record: Record) -> str:
    """Return a line for each configuration on which CPRBBA ran beside the exact solve."""
    header = (
        *("data set, pairs", "super-points", "CPRBBA ends", "pcsos proves 1e-4"),
        *("CPRBBA, median CPU s", "pcsos, median CPU s", "theirs / ours, median"),
    )
    return table(header, map(exact_cells, exact_of(record)), left=1)


def exact_of(record: Record) -> list[Exact]:
    """Return the lines of the configurations, and that of all."""
    return exact_lines(rows_of(record, "comparators", EXACT))


def exact_cells(line: Exact) -> list[object]:
    """Return the cells of a configuration; seconds of what was stopped are least ones."""
    at_least = "" if line.ended == line.instances or line.theirs is None else "at least "
    return [
        *(f"{line.dataset} {pairs_of(line)}".strip(), rounding.whole(line.size)),
        *(rounding.of(line.ended, line.instances), rounding.of(line.proved, line.instances)),
        *(f"{at_least}{rounding.seconds(line.theirs)}", rounding.seconds(line.ours)),
        f"{at_least}{rounding.ratio(line.ratio)}",
    ]


def pairs_of(line: Exact) -> str:
    """Return how many pairs of which kind a configuration has."""
    return "" if line.number is None else f"{line.number:.0f} {line.kind}"


def cprbba_faster(record: Record) -> str:
    """Return on how many instances CPRBBA is the faster, and where."""
    *configurations, total = exact_of(record)
    if not total.faster:
        return none_of(total.instances)
    where = ", ".join(f"{line.dataset} {pairs_of(line)}" for line in configurations if line.faster)
    return f"{total.faster:,} of {rounding.counted(total.instances, 'instance')} ({where})"


def draw(record: Record, figure: Path) -> None:
    """Draw a bar for each method."""
    lines = [line for line in by_kept(record) if line.number]
    with picture(figure, height=0.6 + 0.27 * len(lines)) as axes:
        axes.barh([SHOWN[line.method].name for line in lines], [share(line) for line in lines], height=0.6)
        axes.set(xlabel="% of the instances on which it ends, all pairs kept with every seed", xlim=(0.0, 100.0))
        axes.invert_yaxis()


FACTS = {
    "kept": kept,
    "exact": exact,
    "pckmeans_breaks": lambda record: breaks(record, "PCKMeans"),
    "own_breaks": lambda record: breaks(record, "pcsos"),
    "own_pckmeans_breaks": lambda record: breaks(record, "pcsos PCKMeans"),
    "cprbba_faster": cprbba_faster,
}
