"""More than 100,000 run files that claim something false: none is accepted, and nothing but a refusal is raised."""

from typing import Any

from benchmarks import judging
from benchmarks.case import Case, Row, Settings
from tests.verify import forged_prices, forgeries

COLUMNS = judging.COLUMNS
SEEDS_A_CASE = 50
#: Each seed is one sound file, from which 50 are forged; four of five of these claim something false. The first cases
#: are files of any kind, the others trees of prices with knots and axes.
NUM_CASES, NUM_OF_PRICES = 55, 15
#: Away from the seeds that the test run draws.
FIRST_SEED, FIRST_OF_PRICES = 30_000_000_000, 31_000_000_000


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    others = judging.seed_cases(FIRST_OF_PRICES, NUM_OF_PRICES, SEEDS_A_CASE)
    return judging.seed_cases(FIRST_SEED, NUM_CASES, SEEDS_A_CASE) + others


def run(start: int, workers: int | None, **_: Any) -> Row:
    """Forge and verify the files of one range of seeds."""
    judge = forgeries.judge if start < FIRST_OF_PRICES else forged_prices.judge
    return judging.judge_seeds(judge, range(start, start + SEEDS_A_CASE), workers)


def report(rows: list[Row], settings: Settings) -> str:
    """Return what went wrong and the totals."""
    return judging.report(rows, "sound files have no forgery that was accepted with a false claim")
