"""Whole certifications of hard small instances, stopped and resumed, against the exact truth."""

import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

import pcsos
from pcsos.base.events import BlockBounded, Event
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Certification
from pcsos.problem.params import BlockParams, Params, PriceParams, TreeParams
from pcsos.verify import VerificationError, verify
from tests.exact_agreement import contradictions, is_near, truth_of
from tests.exact_oracle import ExactTruth
from tests.hard_instances import Hard, draw
from tests.judgement import Judgement, above, shown

Wrong = tuple[str, str]
#: What ends the first part of a run: nothing, no time, an exception of whoever listens, or a keyboard.
ENDINGS = {"by itself": 0.4, "no time": 0.2, "raised": 0.2, "interrupted": 0.2}


@dataclass(frozen=True, eq=False)
class Run:
    """How an instance is certified."""

    hard: Hard
    labels: np.ndarray
    params: Params
    ending: str
    num_events: int  #: after which it ends


class EndedError(Exception):
    """Raised by whoever listens."""


def judge(seed: int) -> Judgement:
    """Certify labels of the hard instance of a seed, in two parts if it is stopped, and verify the run file."""
    rng = np.random.default_rng([seed, 71])
    hard = draw(int(rng.integers(2**40)))
    truth = truth_of(hard)
    run = drawn_run(rng, hard, truth)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        ending, wrong = _certified(run, truth, Path(folder) / "run")
    wrong += [("warning", f"{w.category.__name__}: {w.message}") for w in heard[:1]]
    about = f"{hard.points_kind}, weights {hard.weights_kind}, {run.ending} after {run.num_events}"
    return Judgement(seed, about, {"instances": 1, run.ending: 1, ending: 1}, tuple(wrong))


def drawn_run(rng: np.random.Generator, hard: Hard, truth: ExactTruth) -> Run:
    """Return a run on some labels, the best ones in a quarter of the cases, in blocks as small as they come."""
    labels = rng.permutation(np.arange(len(hard.points)) % hard.n_clusters)
    if truth.feasible:
        labels = truth.best_labels if rng.random() < 0.25 else truth.labels[rng.integers(len(truth.labels))]
    blocks = BlockParams(
        least_size=int(rng.integers(2, 4)),
        least_members=int(rng.integers(1, 3)),
        largest_size=int(rng.choice([2, 4, 2400])),
        nodes=int(rng.integers(1, 4)),
        probes=int(rng.integers(1, 3)),
    )
    rounds = int(rng.choice([1, 3, 60]))
    prices = PriceParams(points_from=int(rng.choice([2, 300])), first_cells=int(rng.integers(1, 9)))
    params = Params(blocks=blocks, tree=TreeParams(root_rounds=rounds, node_rounds=rounds), prices=prices)
    ending = str(rng.choice(list(ENDINGS), p=list(ENDINGS.values())))
    return Run(hard, labels, params, ending, int(rng.integers(1, 8)))


def _certified(run: Run, truth: ExactTruth, path: Path) -> tuple[str, list[Wrong]]:
    """How a run ended, and what is wrong with it."""
    hard, bounds = run.hard, list[float]()
    wrong: list[Wrong] = []
    arguments = {"must_link": hard.must_link, "cannot_link": hard.cannot_link, "weights": hard.weights}
    try:
        result = pcsos.certify(
            hard.points,
            run.labels,
            **arguments,
            gap=hard.gap,
            workers=1,
            run_file=path,
            time_limit=0.0 if run.ending == "no time" else None,
            options=pcsos.Options(params=run.params, on_event=listener(run, bounds)),
        )
        wrong += _contradicted(run, truth, result, path)
    except (EndedError, KeyboardInterrupt):
        pass
    except InputError as error:
        return f"refused: {' '.join(str(error).split()[:2])}", wrong
    except Exception as error:  # whatever else is raised is what this looks for
        return "crash", [*wrong, ("crash", f"{type(error).__name__}: {error}")]
    try:
        result = pcsos.resume(path, workers=1)
    except Exception as error:
        return "crash", [*wrong, ("crash", f"resume: {type(error).__name__}: {error}")]
    if not isinstance(result, Certification):
        return "crash", [*wrong, ("kind", f"resumed as a {type(result).__name__}")]
    wrong += _contradicted(run, truth, result, path)
    if truth.feasible and bounds and above(max(bounds), truth.optimum * (1 + Fraction(1, 10**13))):
        wrong.append(("event's bound", f"{max(bounds)!r} is above the optimum {shown(truth.optimum)}"))
    return f"{result.status} {result.reason}", wrong


def listener(run: Run, bounds: list[float]) -> Callable[[Event], None]:
    """Return who notes the bounds of events, and ends the run after some of them."""
    heard: list[Event] = []

    def listen(event: Event) -> None:
        heard.append(event)
        if isinstance(event, BlockBounded):
            bounds.append(event.lower_bound)
        if len(heard) == run.num_events and run.ending in ("raised", "interrupted"):
            raise EndedError if run.ending == "raised" else KeyboardInterrupt

    return listen


def _contradicted(run: Run, truth: ExactTruth, result: Certification, path: Path) -> Iterator[Wrong]:
    """Everything in which a result and its run file contradict the truth."""
    hard = run.hard
    if not truth.feasible:
        yield "status", f"{result.status}, but no partition is feasible"
        return
    yield from contradictions(result, hard.gap, truth)
    if result.labels is None or result.lower_bound is None:
        yield "labels", "no labels, or no bound"
    better = result.better
    if better is not None:
        cost = truth.cost(better.labels)
        if not truth.admits(better.labels) or not is_near(better.objective, cost):
            yield "better", f"{better.labels.tolist()} costs {shown(cost)}, or is not feasible"
        if cost >= truth.cost(run.labels):
            yield "better", f"{shown(cost)} is no better than the labels given"
    try:
        verdict = verify(path, hard.points, (hard.must_link, hard.cannot_link), weights=hard.weights)
    except VerificationError as error:
        yield "verify refuses", f"{result.status} {result.reason}: {error}"
        return
    except Exception as error:  # whatever else is raised is what this looks for
        yield "verify crashes", f"{type(error).__name__}: {error}"
        return
    if above(verdict.lower_bound, truth.optimum):
        yield "verified bound", f"{verdict.lower_bound!r} is above the optimum {shown(truth.optimum)}"
    if verdict.status != result.status:
        yield "verified status", f"{verdict.status} for a result that is {result.status}"
