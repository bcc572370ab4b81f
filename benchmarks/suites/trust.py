"""Trials to make a wrong claim pass, many seeds each, and both checkers on run files of every kind.

A case of a trial judges a range of seeds, far away from those that the tests draw, on all cores. ``checkers/`` writes a
run file of an instance of this repository, of a drawn one under conditions, of a certificate, or of a published
instance, and lets both checkers judge it: the second one (``tests/second_checker``) was written in another language
from ``docs/certificate.md`` alone. Seconds there are those of a whole process, Python's start among them; the first
checker's own, without it, stand beside them.
"""

import importlib
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import pcsos
from benchmarks import wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.checking import UNACCEPTED
from benchmarks.instances import build, of_repository
from benchmarks.machine import num_cores
from benchmarks.rows import NotMeasuredError, is_proved, rows_of
from benchmarks.solving import certify_case, found_labels, solve_case
from benchmarks.suites import constrained, sizes
from benchmarks.tables import geometric_mean, table
from pcsos.problem.instance import Instance
from pcsos.problem.params import BlockParams, Params, PriceParams
from tests.announcements import COMMANDS, Allowed, announce, cost, harm
from tests.judgement import Judgement


class Trial(NamedTuple):
    """A trial.

    Parameters
    ----------
    judge : str
        Module and function that judge a seed.
    first, seeds, cases, every : int
        The first seed, seeds of a case, cases, and of how many cases one is in the record.
    tried : str
        What is tried.
    counts, sound : str
        What of the counts is told, and the sentence that tells it where nothing is wrong.
    """

    judge: str
    first: int
    seeds: int
    cases: int
    every: int
    tried: str
    counts: str
    sound: str


TRIALS = {
    "oracle": Trial(
        "tests.exact_agreement:judge", 10_000_000_000, 200, 100, 4,
        "hard instances of up to nine points, against rational arithmetic", "instances", "none of {} contradicts it",
    ),
    "dealings": Trial(
        "tests.search.blocks.dealings:judge", 40_000_000_000, 50, 100, 4,
        "points dealt into blocks in every way", "dealings", "none of {} sums of bounds above the optimum",
    ),
    "hostile": Trial(
        "tests.verify.hostile_multipliers:judge", 20_000_000_000, 200, 30, 1,
        "multipliers made to fool the checker", "bounds", "none of {} bounds above the optimum",
    ),
    "forged": Trial(
        "tests.verify.forgeries:judge", 30_000_000_000, 50, 55, 4,
        "run files that claim something false", "false claims", "none of {} accepted",
    ),
    "forged-prices": Trial(
        "tests.verify.forged_prices:judge", 31_000_000_000, 50, 15, 4,
        "the same of trees of prices", "false claims", "none of {} accepted",
    ),
    "disagreements": Trial(
        "tests.second_checker.agreement:judge_forged", 40_000_000_000, 40, 10, 5,
        "both checkers on forged files", "files", "none of {} judged differently",
    ),
    "mutations": Trial(
        "tests.second_checker.agreement:judge_mutated", 41_000_000_000, 40, 10, 5,
        "both checkers on damaged files", "files", "none of {} judged differently",
    ),
    "confused": Trial(
        "tests.confusions:judge", 50_000_000_000, 50, 40, 8,
        "values of other kinds in run files, in every command", "files", "every error as documented in {} files",
    ),
    "announced": Trial(
        "benchmarks.suites.trust:judge_announced", 60_000_000_000, 20, 100, 8,
        "run files that announce more than they hold, in every command", "files", "none of {} did harm",
    ),
}  # fmt: skip
#: All commands look at every so many of the files that announce too much, the checker at every one.
ALL_COMMANDS_EVERY = 4
#: Kinds of what seeds find wrong, for readers who do not know the trials.
IN_WORDS = {"verify refuses": "the checker refuses the run file that a solve has written"}
#: Of the seeds that a row names.
MOST_NAMED = 20
#: Drawn instances of each kind for both checkers, and certified mixtures: points, spread, pairs, clusters, features.
DRAWN = ("soft", "sizes", "weights", "gram", "line", "infeasible", "stopped")
MIXTURES = [
    *([n, spread, 0, 10, 2] for n in (1000, 100_000) for spread in (9, 2)),
    *([n, 9, 0, 5, 4] for n in (1000, 10_000, 100_000)),
]
#: One that is small, and in blocks all the same.
BLOCKS = [1000, 9, 0, 5, 4]
IN_BLOCKS = Params(prices=PriceParams(features_up_to=0), blocks=BlockParams(largest_size=150))
COLUMNS = (
    *("trial", "first_seed", "num_seeds", "counts", "num_wrong", "kinds_wrong", "seeds_wrong", "first_wrong"),
    *("seconds", "answer", "difference", "file_kb", "first_seconds", "first_process_seconds", "second_seconds"),
)
SHOWN = ("name", "num_seeds", "num_wrong", "kinds_wrong", "first_wrong", "answer", "difference", "outcome", "error")


def cases(data: Path | None) -> list[Case]:
    """Return the ranges of seeds of each trial, and one case for each file that both checkers judge."""
    found: list[Case] = []
    for name, trial in TRIALS.items():
        starts = range(trial.first, trial.first + trial.seeds * trial.cases, trial.seeds)
        own = [
            Case(
                f"{name}/seeds-{start}", {"trial": name, "start": start},
                {"trial": name, "first_seed": start, "num_seeds": trial.seeds}, time_limit=600.0,
            )
            for start in starts
        ]  # fmt: skip
        found += in_tiers(own, every=trial.every)
    written: dict[str, Row] = {
        f"instances/{name}": {"solved": {"files": files}} for name, files in of_repository().items()
    }
    written |= {f"drawn/{kind}/{seed}": {"drawn": [kind, seed]} for kind in DRAWN for seed in range(3)}
    written |= {f"certify/{'-'.join(map(str, shape))}": {"certified": {"spread": shape}} for shape in MIXTURES}
    for case in (*constrained.every_case(data)[::5], *(sizes.cases(data) if data is not None else ())):
        written[f"published/{case.name}"] = {"solved": case.arguments}
    checked = [
        Case(f"checkers/{name}", given, {"trial": "checkers"}, time_limit=40.0, workers=1)
        for name, given in written.items()
    ]
    in_blocks = Case("checkers/certify/blocks", {"blocks": BLOCKS}, {"trial": "checkers"}, time_limit=40.0, workers=1)
    return [*found, *in_tiers(checked, every=3, quick=3), in_blocks]


def run(
    trial: str | None = None, start: int = 0, solved: Row | None = None, certified: Row | None = None,
    drawn: list[Any] | None = None, blocks: list[int] | None = None, **options: Any,
) -> Row:  # fmt: skip
    """Judge a range of seeds, or write a run file and let both checkers judge it."""
    if trial is not None:
        own = TRIALS[trial]
        module, _, function = own.judge.partition(":")
        judge = getattr(importlib.import_module(module), function)
        return judge_seeds(judge, range(start, start + own.seeds), options["workers"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.run"
        if solved is not None:
            solve_case(**solved, **options, run_file=path)
        elif certified is not None:
            certify_case(**certified, **options, run_file=path)
        elif drawn is not None:
            solve_drawn(*drawn, run_file=path, **options)
        else:
            instance = build(spread=blocks)
            pcsos.certify(
                instance,
                found_labels(instance, 10.0),
                run_file=path,
                **options,
                options=pcsos.Options(params=IN_BLOCKS),
            )
        return judged(path)


def judge_seeds(judge: Callable[[int], Judgement], seeds: Iterable[int], workers: int | None) -> Row:
    """Judge the seeds, in as many processes as there are cores unless told otherwise; return the columns of a row."""
    began = time.perf_counter()
    with ProcessPoolExecutor(workers or num_cores(), multiprocessing.get_context("spawn")) as pool:
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


def judge_announced(seed: int) -> Judgement:
    """Run commands on a file that announces more than it holds, each in a process of its own."""
    counts, wrong = Counter({"files": 1}), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "announced.run"
        kind = announce(path, seed)
        allowed = Allowed.of(path)
        for name in COMMANDS if seed % ALL_COMMANDS_EVERY == 0 else ("verify",):
            found = cost(COMMANDS[name](path))
            counts[f"{name} {found.status}"] += 1
            if problem := harm(name, found, allowed):
                wrong.append((f"{name} does harm", problem))
    return Judgement(seed, kind, counts, tuple(wrong))


def solve_drawn(kind: str, seed: int, **options: Any) -> None:
    """Solve a drawn instance of a kind."""
    rng = np.random.default_rng([seed, DRAWN.index(kind)])
    points = rng.normal(size=(3, 2))[np.arange(42) % 3] * 2.0 + rng.normal(size=(42, 2))
    pairs = [(int(i), int(j)) for i, j in rng.integers(0, 42, (30, 2)) if i != j]
    if kind == "soft":
        instance = Instance(
            points, 3, conditions=[pcsos.SoftPairs(must_link=pairs[:15], cannot_link=pairs[15:], penalty=1.0)]
        )
    elif kind == "sizes":
        instance = Instance(points, 3, conditions=[pcsos.Sizes(exactly=[10, 14, 18])])
    elif kind == "weights":
        instance = Instance(points, 3, weights=rng.uniform(0.5, 2.0, 42), conditions=[pcsos.Weights(at_least=14.0)])
    elif kind == "gram":
        squares = ((points[:, None] - points) ** 2).sum(axis=2)
        instance = Instance(pcsos.Gram(np.exp(-squares / 4.0)), 3)
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
    from tests.second_checker.second import first_answers, program, second_answers

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


class Came(NamedTuple):
    """What a trial came to, in words, and whether that is harm."""

    said: str
    is_harm: bool = False


def came_of(rows: Rows, name: str, *others: str) -> Came:
    """Return what a trial came to: how many rows failed, in how many seeds what was wrong, or what was counted.

    Others that count the same can be taken together with it.
    """
    own = rows_of(rows, "trust", f"{name}/", *(f"{other}/" for other in others))
    done = [row for row in own if row["outcome"] == "done"]
    lost = len(own) - len(done)
    seeds, wrong = (int(sum(row[column] for row in done)) for column in ("num_seeds", "num_wrong"))
    counts, kinds = (
        sum((Counter(json.loads(row[key])) for row in done), Counter()) for key in ("counts", "kinds_wrong")
    )
    parts = [f"{lost} of {wording.counted(len(own), 'case')} failed or did not end"] if lost else []
    if wrong:
        said = ", ".join(IN_WORDS.get(kind, kind) for kind in kinds)
        parts.append(f"WRONG in {wrong:,} of {wording.counted(seeds, 'seed')}: {said}")
    elif done:
        parts.append(f"{TRIALS[name].sound.format(f'{counts[TRIALS[name].counts]:,}')} ({seeds:,} seeds)")
    return Came("; of the others, ".join(parts), bool(lost or wrong))


def tried(rows: Rows) -> str:
    """Return a line for each trial, and one for both checkers."""
    lines = []
    for name, trial in TRIALS.items():
        try:
            lines.append((trial.tried, came_of(rows, name).said))
        except NotMeasuredError:
            continue
    if not lines:
        raise NotMeasuredError("trust")
    return table(("what was tried", "what came of it"), lines, left=2)


def wrong(rows: Rows) -> str:
    """Return in which trials something went wrong or did not end, and what."""
    said = []
    for name in TRIALS:
        try:
            came = came_of(rows, name)
        except NotMeasuredError:
            continue
        said += [f"`{name}`: {came.said}"] * came.is_harm
    alike = [row for row in rows.get("trust", []) if row["name"].startswith("checkers/")]
    unlike = [row["name"] for row in alike if row["outcome"] != "done" or row["difference"]]
    return "; ".join([*said, *unlike]) or "nothing"


def checkers(rows: Rows) -> str:
    """Return how many files both checkers judge alike, and how much sooner the second is done."""
    own = [row for row in rows_of(rows, "trust", "checkers/") if row["outcome"] == "done"]
    process, without = (
        wording.ratio(geometric_mean(row[column] / row["second_seconds"] for row in own))
        for column in ("first_process_seconds", "first_seconds")
    )
    alike = wording.of(sum(not row["difference"] for row in own), len(own))
    return f"{alike} judged alike; the one in Python takes {process} times as long, {without} times without its start"


def checked(rows: Rows) -> list[Row]:
    """Return the rows, of all suites, whose run file was given to the checker.

    Raises
    ------
    NotMeasuredError
        If there are none.
    """
    found = [row for own in rows.values() for row in own if row.get("verified")]
    if not found:
        raise NotMeasuredError("verified")
    return found


def accepted(rows: Rows) -> str:
    """Return how many run files the checker accepts, and which it does not."""
    own = checked(rows)
    lost = [f"{row['name']}: {row['verified']}" for row in own if row["verified"] in UNACCEPTED]
    return wording.of(len(own) - len(lost), len(own)) + f" ({', '.join(lost)})" * bool(lost)


def share(rows: Rows) -> str:
    """Return the time of the checker as a share of that of the proof, a geometric mean over what is proved."""
    own = [row for row in checked(rows) if row["verified"] not in UNACCEPTED and is_proved(row)]
    return wording.percent(geometric_mean(row["verify_seconds"] / row["seconds"] for row in own))


FIGURES: dict[str, Figure] = {
    "tried": tried,
    "wrong": wrong,
    "forged": lambda rows: came_of(rows, "forged", "forged-prices").said,
    "checkers": checkers,
    "accepted": accepted,
    "share": share,
}
