"""Five thousand small instances dealt into blocks in every way: no sum of bounds is above the exact optimum."""

from typing import Any

from benchmarks import judging
from benchmarks.case import Case, Row, Settings
from tests.search.blocks.dealings import judge

COLUMNS = judging.COLUMNS
SEEDS_A_CASE = 50
NUM_CASES = 100
#: Away from the seeds that the test run draws.
FIRST_SEED = 40_000_000_000


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    return judging.seed_cases(FIRST_SEED, NUM_CASES, SEEDS_A_CASE)


def run(start: int, workers: int | None, **_: Any) -> Row:
    """Bound all blocks of the instances of one range of seeds, and compare every dealing with the optimum."""
    return judging.judge_seeds(judge, range(start, start + SEEDS_A_CASE), workers)


def report(rows: list[Row], settings: Settings) -> str:
    """Return what went wrong and the totals."""
    return judging.report(rows, "instances have no dealing that proves more than the optimum")
