"""Many soft pairs of people who are right nine times in ten: how far a minute takes the proof.

Each case draws so many pairs from all pairs of points of iris or wine; one in ten says the opposite of the classes, and
each is held with confidence 0.9.
"""

from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.suites.soft_optimum import load, solved
from benchmarks.tables import table
from pcsos.problem.instance import Instance

DATA, NUMBERS, SEEDS = ("iris", "wine"), (100, 150, 200), range(2)
N_CLUSTERS, WRONG, CONFIDENCE = 3, 0.1, 0.9
COLUMNS = ("status", "objective", "lower_bound", "gap", "nodes", "num_broken", "penalty", "seconds")
HEADER = ("case", "cost", "gap", "nodes", "broken", "seconds")


def cases(settings: Settings) -> list[Case]:
    """Return the draws on both sets."""
    return [
        Case(f"{name}/{number}/{seed}", {}, {"name": name, "number": number, "seed": seed})
        for name in DATA
        for number in NUMBERS
        for seed in SEEDS
    ]


def run(name: str, number: int, seed: int, *, time_limit: float, workers: int | None, **_: Any) -> Row:
    """Solve one draw."""
    return solved(drawn(name, number, seed), time_limit, workers)


def drawn(name: str, number: int, seed: int) -> Instance:
    """Return the instance with so many pairs."""
    points, classes = load(name)
    rng = np.random.default_rng(seed)
    pairs: dict[bool, dict[tuple[int, int], None]] = {True: {}, False: {}}
    while sum(map(len, pairs.values())) < number:
        i, j = sorted(rng.choice(len(points), 2, replace=False).tolist())
        if all((i, j) not in own for own in pairs.values()):
            pairs[bool(classes[i] == classes[j]) ^ bool(rng.random() < WRONG)][i, j] = None
    must_link, cannot_link = ([(i, j, CONFIDENCE) for i, j in pairs[same]] for same in (True, False))
    soft = {"soft_must_link": must_link, "soft_cannot_link": cannot_link}
    return Instance(points, N_CLUSTERS, **soft, penalty="confidence")


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a case."""
    names = ("name", "objective", "gap", "nodes", "num_broken", "seconds")
    lines = [[row[name] for name in names] for row in rows if row["outcome"] == "done"]
    return f"{table(HEADER, lines)}\n\nfailed or killed: {len(rows) - len(lines)}"
