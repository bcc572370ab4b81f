"""More than 100,000 bounds from multipliers made to fool the checker, against the exact optimum of the state."""

from typing import Any

from benchmarks import judging
from benchmarks.case import Case, Row, Settings
from tests.verify.hostile_multipliers import judge

COLUMNS = judging.COLUMNS
SEEDS_A_CASE = 200
#: Each seed is a state with 20 multipliers, or 4 where there are many points.
NUM_CASES = 30
#: Away from the seeds that the test run draws.
FIRST_SEED = 20_000_000_000


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    return judging.seed_cases(FIRST_SEED, NUM_CASES, SEEDS_A_CASE)


def run(start: int, workers: int | None, **_: Any) -> Row:
    """Bound the states of one range of seeds."""
    return judging.judge_seeds(judge, range(start, start + SEEDS_A_CASE), workers)


def report(rows: list[Row], settings: Settings) -> str:
    """Return what went wrong and the totals."""
    return judging.report(rows, "states have no bound above their exact optimum")
