"""Both checkers on 20,000 forged run files and 20,000 that were changed byte by byte: they disagree about none.

The second checker (``tests/second_checker``) was written in another language from ``docs/certificate.md`` alone.
"""

from typing import Any

from benchmarks import judging
from benchmarks.case import Case, Row, Settings
from tests.second_checker import agreement

COLUMNS = judging.COLUMNS
#: Each seed is 50 files.
SEEDS_A_CASE, NUM_CASES = 40, 10
#: Away from the seeds that the test run draws.
FIRST_FORGED, FIRST_MUTATED = 40_000_000_000, 41_000_000_000


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    return [
        case for first in (FIRST_FORGED, FIRST_MUTATED) for case in judging.seed_cases(first, NUM_CASES, SEEDS_A_CASE)
    ]


def run(start: int, workers: int | None, **_: Any) -> Row:
    """Write and check the files of one range of seeds."""
    judge = agreement.judge_forged if start < FIRST_MUTATED else agreement.judge_mutated
    return judging.judge_seeds(judge, range(start, start + SEEDS_A_CASE), workers)


def report(rows: list[Row], settings: Settings) -> str:
    """Return what was counted, and every disagreement."""
    return judging.report(rows, "sets of 50 files are judged alike by both checkers")
