"""How good partitions without a proof are, and how soon they are there."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks import profiles
from benchmarks.case import Row
from benchmarks.heuristics import by_dataset_and_all, excess, least, percent, reaches
from benchmarks.pages import provenance, rounding
from benchmarks.pages.rows import NotMeasuredError, done_rows, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites import constrained_kmeans, dense, memetic, synthetic, variants
from benchmarks.tables import mean, table
from pcsos.base.control.stop import OUT_OF_TIME

#: That of proofs has the best known objectives.
PARTS = ("memetic", "variants", "constrained_kmeans", "synthetic", "dense", "published")
DRAWN_FROM = ("constrained_kmeans",)
ALT = "Performance profile: share of the instances on which each method is so near to the best objective of all"
#: How the page names the runs: the default variant of S-MDEClust is that of pcsos, the others are the paper's.
IN_WORDS = {
    "pcsos": "S-MDEClust (pcsos)",
    "s-mdeclust": "S-MDEClust (pcsos)",
    "sdp-kmeans": "IPC-k-means from the relaxation",
    "ipc-kmeans": "IPC-k-means",
    "post-processing": "k-means, then post-processing",
    "cop-kmeans": "COP-k-means",
    "blp-km": "BLP-KM",
}


def in_words(run: str) -> str:
    """Return how the page names a run."""
    return IN_WORDS.get(run, f"S-MDEClust, {run}")


def reached(record: Record) -> str:
    """Return the share of the instances whose best known objective the worst seed reaches."""
    lines = [
        [name, len(rows), *(rounding.percent(share(record, run, rows)) for run in memetic.RUNS), *cpu(rows)]
        for name, rows in by_dataset_and_all(done_rows(record, "memetic")).items()
    ]
    header = ("data set", "instances", *map(in_words, memetic.RUNS), "pcsos: mean CPU s", "pcsos: largest CPU s")
    return table(header, lines, left=1)


def share(record: Record, run: str, rows: list[Row]) -> float | None:
    """Return the share, in percent, on which a run reaches the best known objective."""
    known = memetic.known_values(record.path)
    return percent(reaches(row[f"{run} objective"], memetic.best_known(row, known)) for row in rows)


def cpu(rows: list[Row]) -> list[str]:
    """Return the mean and the largest CPU seconds of pcsos."""
    found = [row["pcsos cpu_seconds"] for row in rows]
    return [rounding.seconds(mean(found)), rounding.seconds(max(found))]


def sample(record: Record, part: str, datasets: Sequence[str] = ()) -> str:
    """Return how many of the instances that are proved with pairs a part has."""
    whole = [row for row in rows_of(record, "published") if not datasets or row["dataset"] in datasets]
    return rounding.of(len(rows_of(record, part)), len(whole))


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
        ended = num_out_of_time(row[f"{run} message"] for row in rows)
        seconds = mean(row[f"{run} cpu_seconds"] for row in rows)
        lines.append([in_words(run), *map(rounding.percent, shares), ended, rounding.seconds(seconds)])
    header = (
        *("method", f"reaches the best known, of {rounding.counted(len(rows), 'instance')}", "without a partition"),
        *("ended by the limit", "mean CPU s"),
    )
    return table(header, lines, left=1)


def num_out_of_time(messages: Iterable[str | None]) -> int:
    """Return how many runs their limit has ended."""
    return sum(OUT_OF_TIME in (message or "") for message in messages)


def four_variants(record: Record) -> str:
    """Return a line for each variant of the S-MDEClust paper."""
    rows = done_rows(record, "variants")
    lines = [variants.line("all", run, rows) for run in variants.RUNS]
    cells = [[line[2], rounding.percent(line[3]), rounding.seconds(line[4]), rounding.whole(line[5])] for line in lines]  # type: ignore[arg-type]
    header = (
        *("variant", f"reaches the best of the four, of {rounding.counted(len(rows), 'instance')}"),
        *("mean CPU s", "mean local searches"),
    )
    return table(header, cells, left=1)


def drawn(record: Record) -> str:
    """Return a line for each method on the synthetic sets: how often it is best, and its seconds."""
    sets = synthetic.measured(done_rows(record, "synthetic")).values()
    lines = []
    for run in synthetic.RUNS:
        there = [runs for runs in sets if run in runs]
        best = sum(reaches(runs[run]["objective"], synthetic.best_objective(runs)) for runs in there)
        without = sum(runs[run]["objective"] is None for runs in there)
        ended = num_out_of_time(runs[run]["message"] for runs in there)
        seconds = rounding.seconds(mean(runs[run]["cpu_seconds"] for runs in there))
        lines.append([in_words(run), len(there), best, without, ended, seconds])
    header = ("method", "sets", "is best on", "without a partition", "ended by the limit", "mean CPU s")
    return table(header, lines, left=1)


def drawn_sample(record: Record) -> str:
    """Return how many synthetic sets there are, and what they are like."""
    rows = rows_of(record, "synthetic")
    sets = {(row["n"], row["k"], row["num_constraints"]) for row in rows}
    points, clusters, pairs = (
        ", ".join(f"{value:,.0f}" for value in sorted(set(one))) for one in zip(*sets, strict=True)
    )
    number = rounding.of(len(sets), synthetic.NUM_SETS)
    return f"{number} sets: {points} points, {clusters} clusters, {pairs} pairs"


def dense_sets(record: Record) -> list[list[Row]]:
    """Return the runs with many cannot-links by set; sets with a single run have nothing to compare with."""
    sets = [group for group in dense.by_set(rows_of(record, "dense")).values() if len(group) > 1]
    if not sets:
        raise NotMeasuredError("dense")
    return sets


def dense_apart(record: Record) -> str:
    """Return how far the seeds of a set end above the best of them, at most, and how many find no partition."""
    above = []
    for group in dense_sets(record):
        best = least(row["objective"] for row in group)
        above += [excess(row["objective"], best) for row in group]
    without = sum(value is None for value in above)
    most = max((value for value in above if value is not None), default=None)
    apart = rounding.percent(None if most is None else 100.0 * most)
    return f"{apart}; {rounding.counted(without, 'run')} without a partition" if without else apart


def dense_sample(record: Record) -> str:
    """Return how many runs these are, on how many sets."""
    sets, limit = dense_sets(record), provenance.limit("dense")
    runs = rounding.counted(sum(map(len, sets)), "run")
    return f"{runs} of {limit} seconds on {rounding.counted(len(sets), 'set')}"


def all_reached(record: Record) -> str:
    """Return the share of the instances whose best known objective the worst seed of pcsos reaches."""
    return rounding.percent(share(record, "pcsos", done_rows(record, "memetic")))


def draw(record: Record, figure: Path) -> None:
    """Draw the profile of the objectives."""
    instances = constrained_kmeans.measured(done_rows(record, "constrained_kmeans"))
    profile = profiles.ratios(profiles.values_of(instances, "objective"))
    profiles.draw({in_words(run): factors for run, factors in profile.items()}, "objective", figure)


FACTS = {
    "reached": reached,
    "all_reached": all_reached,
    "mean_cpu": lambda record: cpu(done_rows(record, "memetic"))[0],
    "sample": lambda record: sample(record, "memetic"),
    "methods": methods,
    "methods_sample": lambda record: sample(record, "constrained_kmeans"),
    "variants": four_variants,
    "variants_sample": lambda record: sample(record, "variants", variants.DATASETS),
    "drawn": drawn,
    "drawn_sample": drawn_sample,
    "drawn_limit": lambda _: provenance.limit("synthetic"),
    "dense_apart": dense_apart,
    "dense_sample": dense_sample,
}
