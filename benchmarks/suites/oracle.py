"""Thousands of random small instances against brute force: status, objective, bound and labels must all agree."""

from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from tests.agreement import disagreement

COLUMNS = ("first_seed", "num_seeds", "num_wrong", "first_wrong", "seconds")
SEEDS_A_CASE = 100
NUM_CASES = 30
#: Away from the seeds that the test run draws.
FIRST_SEED = 10_000_000_000


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    starts = [FIRST_SEED + SEEDS_A_CASE * i for i in range(NUM_CASES)]
    return [
        Case(f"seeds-{start}", {"first_seed": start, "num_seeds": SEEDS_A_CASE}, {"start": start}) for start in starts
    ]


def run(start: int, **_: Any) -> Row:
    """Solve the instances of one range of seeds, with up to nine points each."""
    import time

    began = time.perf_counter()
    seeds = range(start, start + SEEDS_A_CASE)
    wrong = [f"seed {seed}: {text}" for seed in seeds if (text := disagreement(seed, max_points=9)) is not None]
    return {
        "num_wrong": len(wrong),
        "first_wrong": wrong[0] if wrong else None,
        "seconds": round(time.perf_counter() - began, 2),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return what went wrong and the totals."""
    bad = [row for row in rows if row["outcome"] != "done" or row["num_wrong"]]
    lines = [[row["name"], row["outcome"], row["num_wrong"], row["first_wrong"] or row["error"]] for row in bad]
    done = [row for row in rows if row["outcome"] == "done"]
    total = int(sum(row["num_seeds"] for row in done))
    wrong = int(sum(row["num_wrong"] for row in done))
    head = (
        f"{total - wrong} of {total} instances agree with brute force, in {sum(row['seconds'] for row in done):.0f} s"
    )
    return head if not bad else f"{head}\n\n{table(('seeds', 'outcome', 'wrong', 'first'), lines)}"
