"""How good partitions without a proof are, and how soon they are there."""

from pathlib import Path

from benchmarks import profiles
from benchmarks.heuristics import by_dataset_and_all, least, percent, reaches
from benchmarks.pages import rounding
from benchmarks.pages.rows import done_rows
from benchmarks.record.folder import Record
from benchmarks.suites import constrained_kmeans, dense, memetic, synthetic, variants
from benchmarks.tables import mean, table

PARTS = ("memetic", "variants", "constrained_kmeans", "synthetic", "dense")
DRAWN_FROM = ("constrained_kmeans",)
ALT = "Performance profile: share of the instances on which each method is so near to the best objective of all"


def reached(record: Record) -> str:
    """Return the share of the instances whose best known objective the worst seed reaches."""
    lines = [
        [name, len(rows), *(rounding.percent(share(record, run, rows)) for run in memetic.RUNS), *cpu(rows)]
        for name, rows in by_dataset_and_all(done_rows(record, "memetic")).items()
    ]
    return table(("data set", "instances", *memetic.RUNS, "pcsos: mean CPU s", "most"), lines, left=1)


def share(record: Record, run: str, rows: list[memetic.Row]) -> float | None:
    """Return the share, in percent, on which a run reaches the best known objective."""
    known = memetic.known_values(record.path)
    return percent(reaches(row[f"{run} objective"], memetic.best_known(row, known)) for row in rows)


def cpu(rows: list[memetic.Row]) -> list[str]:
    """Return the mean and the largest CPU seconds of pcsos."""
    found = [row["pcsos cpu_seconds"] for row in rows]
    return [rounding.seconds(mean(found)), rounding.seconds(max(found))]


def methods(record: Record) -> str:
    """Return a line for each method of constrained k-means."""
    rows = done_rows(record, "constrained_kmeans")
    known = {name: value for name, (value, _) in memetic.known_values(record.path).items()}
    best = [
        least([*(row[f"{run} objective"] for run in constrained_kmeans.RUNS), known.get(row["name"])]) for row in rows
    ]
    lines = []
    for run in constrained_kmeans.RUNS:
        found = [row[f"{run} objective"] for row in rows]
        shares = (percent(map(reaches, found, best)), percent(value is None for value in found))
        seconds = mean(row[f"{run} cpu_seconds"] for row in rows)
        lines.append([run, *map(rounding.percent, shares), rounding.seconds(seconds)])
    return table(("method", f"best known, of {len(rows)}", "without a partition", "mean CPU s"), lines, left=1)


def four_variants(record: Record) -> str:
    """Return a line for each variant of the S-MDEClust paper."""
    rows = done_rows(record, "variants")
    lines = [variants.line("all", run, rows) for run in variants.RUNS]
    cells = [[line[2], rounding.percent(line[3]), rounding.seconds(line[4]), rounding.whole(line[5])] for line in lines]  # type: ignore[arg-type]
    return table(("variant", "best of the four", "CPU s", "local searches"), cells, left=1)


def drawn(record: Record) -> str:
    """Return a line for each method on the synthetic sets: how often it is best, and its seconds."""
    sets = synthetic.measured(done_rows(record, "synthetic")).values()
    lines = []
    for run in synthetic.RUNS:
        there = [runs for runs in sets if run in runs]
        best = sum(reaches(runs[run]["objective"], synthetic.best_objective(runs)) for runs in there)
        without = sum(runs[run]["objective"] is None for runs in there)
        lines.append([run, best, without, rounding.seconds(mean(runs[run]["cpu_seconds"] for runs in there))])
    return table(("method", f"best of {len(sets)}", "without a partition", "mean CPU s"), lines, left=1)


def dense_close(record: Record) -> str:
    """Return how many runs with many cannot-links end near the best of their set."""
    groups = dense.by_set(done_rows(record, "dense")).values()
    best = [(row["objective"], least(each["objective"] for each in group)) for group in groups for row in group]
    close = sum(value is not None and least_one is not None and value <= 1.002 * least_one for value, least_one in best)
    return rounding.of(close, len(best))


def all_reached(record: Record) -> str:
    """Return the share of the instances whose best known objective the worst seed of pcsos reaches."""
    return rounding.percent(share(record, "pcsos", done_rows(record, "memetic")))


def paper_reached(record: Record) -> str:
    """Return the same for the paper's variant."""
    return rounding.percent(share(record, "SG-MDE", done_rows(record, "memetic")))


def draw(record: Record, figure: Path) -> None:
    """Draw the profile of the objectives."""
    instances = constrained_kmeans.measured(done_rows(record, "constrained_kmeans"))
    profiles.draw(profiles.ratios(profiles.values_of(instances, "objective")), "objective", figure)


FACTS = {
    "reached": reached,
    "all_reached": all_reached,
    "paper_reached": paper_reached,
    "mean_cpu": lambda record: cpu(done_rows(record, "memetic"))[0],
    "methods": methods,
    "variants": four_variants,
    "drawn": drawn,
    "dense_close": dense_close,
}
