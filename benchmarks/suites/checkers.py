"""Both checkers on run files of every kind: what they answer, and how long each takes, a thread each.

Files are written by solves of the instances of this repository, of drawn ones under conditions, with inner products
and without a solution, by certifications and, with ``--data``, of every fifth instance of the PC-SOS-SDP paper and of
its data sets in clusters of equal size. Seconds are those of a whole process, Python's start among them; the first
checker's own, without it, stand beside them.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.suites import balanced, certify, instances, published
from benchmarks.tables import geometric_mean, table
from pcsos import heuristics
from pcsos.problem.instance import Instance
from pcsos.problem.params import BlockParams, Params, PriceParams
from tests.second_checker.second import first_answers, program, second_answers

COLUMNS = (
    *("kind", "answer", "difference", "file_kb"),
    *("first_seconds", "first_process_seconds", "second_seconds"),
)
#: Of the published instances every so many is taken.
STEP = 5
#: Drawn instances of each kind.
DRAWN = ("soft", "sizes", "weights", "gram", "line", "infeasible", "stopped")
SEEDS = 3
#: Certified mixtures: points, spread of centres, clusters and features.
MIXTURES = [
    *((n, spread, 10, 2) for n in (1000, 10_000, 100_000) for spread in (9, 2)),
    *((n, spread, 5, 4) for n in (1000, 10_000) for spread in (9, 2)),
    (100_000, 9, 5, 4),
]
#: One that is small, and in blocks all the same.
BLOCKS = [1000, 9, 0, 5, 4]
IN_BLOCKS = Params(prices=PriceParams(features_up_to=0), blocks=BlockParams(largest_size=150))


def cases(settings: Settings) -> list[Case]:
    """Return one case for each file."""
    found = [_of(instances, case, "instances") for case in instances.cases(settings)]
    found += [
        Case(f"{kind}/{seed}", {"kind": kind}, {"drawn": [kind, seed]}) for kind in DRAWN for seed in range(SEEDS)
    ]
    found.append(Case("certify/blocks", {"kind": "certify"}, {"mixture": BLOCKS, "in_blocks": True}))
    for n, spread, k, d in MIXTURES:
        found.append(Case(f"certify/n{n}-spread{spread}-d{d}", {"kind": "certify"}, {"mixture": [n, spread, 0, k, d]}))
    if settings.data is not None:
        found += [_of(published, case, "published") for case in published.cases(settings)[::STEP]]
        found += [_of(balanced, case, "balanced") for case in balanced.cases(settings)]
    return found


def _of(suite: Any, case: Case, kind: str) -> Case:
    return Case(f"{kind}/{case.name}", {"kind": kind}, {"suite": suite.__name__.rpartition(".")[2], **case.arguments})


def run(
    suite: str | None = None,
    drawn: list[Any] | None = None,
    mixture: list[int] | None = None,
    *,
    in_blocks: bool = False,
    **arguments: Any,
) -> Row:
    """Write a run file, and let both checkers judge it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.run"
        own = {name: arguments.pop(name) for name in ("gap", "time_limit", "workers")}
        if suite is not None:
            module = {"instances": instances, "published": published, "balanced": balanced}[suite]
            module.run(**arguments, **own, run_file=path)
        elif drawn is not None:
            solve_drawn(*drawn, run_file=path, **own)
        elif mixture is not None:
            instance = certify.mixture(*mixture)
            found, _ = heuristics.run(instance, "sampled", time_limit=60.0)
            params = IN_BLOCKS if in_blocks else Params()
            pcsos.certify(instance, found and found.labels, run_file=path, params=params, **own)
        return judged(path)


def solve_drawn(kind: str, seed: int, **options: Any) -> None:
    """Solve a drawn instance of a kind."""
    rng = np.random.default_rng([seed, DRAWN.index(kind)])
    points = rng.normal(size=(3, 2))[np.arange(42) % 3] * 2.0 + rng.normal(size=(42, 2))
    pairs = [(int(i), int(j)) for i, j in rng.integers(0, 42, (30, 2)) if i != j]
    if kind == "soft":
        instance = Instance(points, 3, soft_must_link=pairs[:15], soft_cannot_link=pairs[15:], penalty=1.0)
    elif kind == "sizes":
        instance = Instance(points, 3, sizes=[10, 14, 18])
    elif kind == "weights":
        instance = Instance(points, 3, weights=rng.uniform(0.5, 2.0, 42), weight_min=14.0)
    elif kind == "gram":
        squares = ((points[:, None] - points) ** 2).sum(axis=2)
        instance = Instance(gram=np.exp(-squares / 4.0), n_clusters=3)
    elif kind == "line":
        instance = Instance(rng.normal(size=2000), 9)
    elif kind == "infeasible":
        many = [(int(i), int(j)) for i, j in rng.integers(0, 42, (230, 2)) if i != j]
        instance = Instance(points, 3, cannot_link=many)
    else:
        instance, options = Instance(rng.normal(size=(150, 5)), 6), options | {"time_limit": 3.0}
    pcsos.solve(instance, **options)


def judged(path: Path) -> Row:
    """Return what both checkers say of a file, and their seconds."""
    begun = time.perf_counter()
    (first,) = first_answers([path])
    first_seconds, begun = time.perf_counter() - begun, time.perf_counter()
    subprocess.run([sys.executable, "-m", "pcsos.verify", "--quiet", str(path)], check=False, capture_output=True)
    process_seconds = time.perf_counter() - begun
    program()  # is built once
    begun = time.perf_counter()
    (second,) = second_answers([path])
    return {
        "answer": first.status or f"refused: {first.reason}",
        "difference": first.differs(second),
        "file_kb": path.stat().st_size / 1024,
        "first_seconds": first_seconds,
        "first_process_seconds": process_seconds,
        "second_seconds": time.perf_counter() - begun,
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return for each kind how many files are judged alike, and how much faster the second checker is."""
    done = [row for row in rows if row["outcome"] == "done"]
    kinds = list(dict.fromkeys(row["kind"] for row in done))
    lines = [_line(kind, [row for row in done if row["kind"] == kind]) for kind in kinds] + [_line("all", done)]
    header = ("kind", "files", "accepted", "disagreements", "first s", "second s", "ratio", "without Python's start")
    bad = [f"{row['name']}: {row['outcome']} {row['error'] or row['difference']}" for row in rows if _is_bad(row)]
    return "\n".join([table(header, lines), *bad])


def _is_bad(row: Row) -> bool:
    return row["outcome"] != "done" or bool(row["difference"])


def _line(kind: str, rows: list[Row]) -> tuple[object, ...]:
    accepted = sum(not str(row["answer"]).startswith("refused") for row in rows)
    seconds = [sum(row[name] for row in rows) for name in ("first_process_seconds", "second_seconds")]
    ratios = [
        geometric_mean(row[name] / row["second_seconds"] for row in rows)
        for name in ("first_process_seconds", "first_seconds")
    ]
    return kind, len(rows), accepted, sum(bool(row["difference"]) for row in rows), *seconds, *ratios
