"""Twenty thousand hard small instances against the exact truth: status, objective, every bound, certificates."""

from typing import Any

from benchmarks import judging
from benchmarks.case import Case, Row, Settings
from tests.exact_agreement import judge

COLUMNS = judging.COLUMNS
SEEDS_A_CASE = 200
NUM_CASES = 100
#: Away from the seeds that the test run draws.
FIRST_SEED = 10_000_000_000


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    return judging.seed_cases(FIRST_SEED, NUM_CASES, SEEDS_A_CASE)


def run(start: int, workers: int | None, **_: Any) -> Row:
    """Solve the instances of one range of seeds, with up to nine points each, and verify those with a run file."""
    return judging.judge_seeds(judge, range(start, start + SEEDS_A_CASE), workers)


def report(rows: list[Row], settings: Settings) -> str:
    """Return what went wrong and the totals."""
    return judging.report(rows, "instances agree with the exact truth")
