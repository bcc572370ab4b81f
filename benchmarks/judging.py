"""Judging many seeds on all cores, and reporting what was wrong; shared by the suites that compare with the truth."""

import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor

from benchmarks.case import Case, Row
from benchmarks.machine import num_cores
from benchmarks.tables import table
from tests.judgement import Judgement

COLUMNS = ("first_seed", "num_seeds", "counts", "num_wrong", "kinds_wrong", "seeds_wrong", "first_wrong", "seconds")
#: Of the seeds that a row names.
MOST_NAMED = 20


def seed_cases(first_seed: int, num_cases: int, seeds_a_case: int) -> list[Case]:
    """Return one case for each range of seeds."""
    starts = [first_seed + seeds_a_case * i for i in range(num_cases)]
    return [
        Case(f"seeds-{start}", {"first_seed": start, "num_seeds": seeds_a_case}, {"start": start}) for start in starts
    ]


def judge_seeds(judge: Callable[[int], Judgement], seeds: Iterable[int], workers: int | None) -> Row:
    """Judge the seeds, in as many processes as there are cores unless told otherwise; return the columns of a row."""
    began = time.perf_counter()
    count = workers or num_cores()
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
        judgements = list(pool.map(judge, seeds, chunksize=4))
    wrong = [judgement for judgement in judgements if judgement.wrong]
    return {
        "counts": json.dumps(sum((Counter(j.counts) for j in judgements), Counter())),
        "num_wrong": len(wrong),
        "kinds_wrong": json.dumps(Counter(kind for j in wrong for kind, _ in j.wrong)),
        "seeds_wrong": " ".join(str(j.seed) for j in wrong[:MOST_NAMED]),
        "first_wrong": wrong[0].sentence if wrong else None,
        "seconds": round(time.perf_counter() - began, 2),
    }


def report(rows: list[Row], what: str) -> str:
    """Return how many seeds are as they must be, everything that was counted, and one line for each row with faults."""
    done = [row for row in rows if row["outcome"] == "done"]
    total, wrong = (int(sum(row[column] for row in done)) for column in ("num_seeds", "num_wrong"))
    parts = [f"{total - wrong} of {total} {what}, in {sum(row['seconds'] for row in done):.0f} s"]
    for title, column in (("counted", "counts"), ("wrong", "kinds_wrong")):
        totals: Counter[str] = Counter()
        for row in done:
            totals.update(json.loads(row[column]))
        if totals:
            parts.append(table((title, "number"), totals.most_common()))
    bad = [row for row in rows if row["outcome"] != "done" or row["num_wrong"]]
    lines = [[row["name"], row["outcome"], row["num_wrong"], row["first_wrong"] or row["error"]] for row in bad]
    return "\n\n".join([*parts, *([table(("seeds", "outcome", "wrong", "first"), lines)] if bad else [])])
