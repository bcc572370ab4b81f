"""Proofs with pairs: the instances of the PC-SOS-SDP paper (Tables 2-4), beside its printed figures.

The folder of data has ``pc-sos-sdp/datasets/NAME.txt.gz`` and ``pc-sos-sdp/constraints/NAME/ml_M_cl_C_I.txt``. Printed
seconds are means over five instances of a configuration, on 16 cores; those of CPRBBA are printed for some of them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks import published, wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.rows import is_proved, rows_of, seconds_of
from benchmarks.solving import PROOF_COLUMNS, PROOF_SHOWN, solve_case
from benchmarks.tables import geometric_mean, mean

COLUMNS = ("dataset", "constraint_type", "num_constraints", *PROOF_COLUMNS)
SHOWN = PROOF_SHOWN
run = solve_case
FOLDER = "pc-sos-sdp"
#: Numbers of clusters: of the data sets in the paper's first table, and of the larger ones.
SMALLER = {"iris": 3, "wine": 3, "seeds": 3, "connectionist": 2, "glass": 6}
LARGER = {"heart": 2, "vertebral": 2, "accent": 6, "ecoli": 8, "computers": 2, "ECG5000": 5}
N_CLUSTERS = SMALLER | LARGER
TIME_LIMIT = 300.0
#: Cases of a quick record.
QUICK = 8


def cases(data: Path | None) -> list[Case]:
    """Return one case for each file of pairs."""
    return in_tiers(every_case(data), quick=QUICK)


def every_case(data: Path | None) -> list[Case]:
    """Return them as they are, for other suites on the same instances."""
    found = []
    for dataset in N_CLUSTERS if data is not None else ():
        for path in sorted((data / FOLDER / "constraints" / dataset).glob("ml_*_cl_*_*.txt")):
            must, cannot, _ = map(int, re.findall(r"\d+", path.stem))
            kind = "ML+CL" if must and cannot else "ML" if must else "CL"
            columns = {"dataset": dataset, "constraint_type": kind, "num_constraints": max(must, cannot)}
            files = [points_of(data, dataset), str(path), N_CLUSTERS[dataset]]
            found.append(Case(f"{dataset}/{path.stem}", {"files": files}, columns, time_limit=TIME_LIMIT))
    return found


def points_of(data: Path, dataset: str) -> str:
    """Return the file of the points of a data set."""
    return str(data / FOLDER / "datasets" / f"{dataset}.txt.gz")


def by_configuration(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of each configuration, of which the printed seconds are means."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[f"{row['dataset']}/{row['constraint_type']}/{row['num_constraints']:.0f}"].append(row)
    return groups


def mean_seconds(rows: Iterable[Row]) -> float:
    """Return the mean of the seconds; what did not end counts with those of its process."""
    return mean(map(seconds_of, rows))


def ratios(rows: Iterable[Row]) -> dict[str, float]:
    """Return printed seconds divided by ours, means both, for each configuration that is all proved."""
    theirs = published.seconds("PC-SOS-SDP")
    return {
        case: theirs[case] / mean_seconds(group)
        for case, group in by_configuration(rows).items()
        if all(map(is_proved, group))
    }


def times_as_long(datasets: Iterable[str]) -> Figure:
    """Return the geometric mean of the ratios on some data sets, and how many configurations that leaves out."""

    def figure(rows: Rows) -> str:
        own = rows_of(rows, "constrained", *(f"{name}/" for name in datasets))
        found, number = ratios(own), len(by_configuration(own))
        left_out = f" (without {number - len(found)} of {number} configurations)" if len(found) < number else ""
        return wording.ratio(geometric_mean(found.values())) + left_out

    return figure


def extremes(rows: Rows) -> str:
    """Return the configurations with the least and the greatest ratio."""
    found = ratios(rows_of(rows, "constrained"))
    ends = [pick(found, key=found.__getitem__) for pick in (min, max)] if found else []
    return " to ".join(f"{wording.ratio(found[case])} ({case.replace('/', ' ')})" for case in ends) or wording.NONE


def slowest(rows: Rows) -> str:
    """Return the slowest solve, with its seconds."""
    row = max(rows_of(rows, "constrained"), key=seconds_of)
    return f"{row['name']}, {wording.seconds(seconds_of(row))} seconds"


def not_solved(rows: Rows) -> str:
    """Return the configurations of which PC-SOS-SDP did not solve all instances."""
    shares = published.solved("PC-SOS-SDP")
    found = [case.replace("/", " ") for case in by_configuration(rows_of(rows, "constrained")) if shares[case] < 100]
    return ", ".join(found) or "none"


def cprbba_faster(rows: Rows) -> str:
    """Return on how many of the configurations CPRBBA is printed to solve all instances in less time than we do."""
    theirs, shares = published.seconds("CPRBBA"), published.solved("CPRBBA")
    both = {case: own for case, own in by_configuration(rows_of(rows, "constrained")).items() if case in theirs}
    found = [
        case
        for case, own in both.items()
        if shares[case] == 100 and not (all(map(is_proved, own)) and mean_seconds(own) <= theirs[case])
    ]
    return f"{len(found)} of {len(both)}"


FIGURES: dict[str, Figure] = {
    "instances": lambda rows: wording.whole(len(rows_of(rows, "constrained"))),
    "proved": lambda rows: wording.proved_of(rows_of(rows, "constrained")),
    "at_root": lambda rows: wording.whole(
        sum(is_proved(row) and row["nodes"] <= 1 for row in rows_of(rows, "constrained"))
    ),
    "minutes": lambda rows: wording.minutes(sum(map(seconds_of, rows_of(rows, "constrained")))),
    "ratio_smaller": times_as_long(SMALLER),
    "ratio_larger": times_as_long(LARGER),
    "extremes": extremes,
    "slowest": slowest,
    "not_solved": not_solved,
    "cprbba_faster": cprbba_faster,
}
