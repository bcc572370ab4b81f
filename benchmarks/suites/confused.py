"""Run files whose values are of other kinds than expected, all digests renewed: commands end in their own words."""

from typing import Any

from benchmarks import judging
from benchmarks.case import Case, Row, Settings
from tests.confusions import FILES, judge

COLUMNS = judging.COLUMNS
SEEDS_A_CASE = 50
#: Each seed is one honest file, from which FILES are made; four commands look at each.
NUM_CASES = 40
#: Away from the seeds that the test run draws.
FIRST_SEED = 50_000_000_000


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    return judging.seed_cases(FIRST_SEED, NUM_CASES, SEEDS_A_CASE)


def run(start: int, workers: int | None, **_: Any) -> Row:
    """Confuse the files of one range of seeds, and see how info, verify, report and resume end."""
    return judging.judge_seeds(judge, range(start, start + SEEDS_A_CASE), workers)


def report(rows: list[Row], settings: Settings) -> str:
    """Return what went wrong and the totals."""
    return judging.report(rows, f"seeds, {FILES} files each, have no unexpected error")
