"""A long node in a process of its own: the same outcome, and nothing but its last steps lost where it is left."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.control import subprocess
from pcsos.base.control.stop import GRACE, NEVER, Stop
from pcsos.base.control.subprocess import Channel, Here, run_job, try_job
from pcsos.base.events import CutRound, Event, IncumbentFound, Notice
from pcsos.presolve import presolve
from pcsos.problem.options import Options
from pcsos.problem.params import MemeticParams, Params, PriceParams, TreeParams
from pcsos.problem.reduction import Reduced
from pcsos.search import first_incumbents
from pcsos.search.relaxation import bounder
from pcsos.search.relaxation.bounding import Round, process
from pcsos.search.task import Found, Outcome, State, Task
from tests.bounds.relaxation.samples import loose_sample
from tests.search.test_branch_and_cut import FEW_ROUNDS, search_of

ROOT = Task(0, None, None, State(), 0.0)
OPTIONS = Options(gap=1e-6, workers=1)
BY_TREE = Params(prices=PriceParams(features_up_to=0))


def test_the_outcome_and_what_is_told_are_those_of_a_node_processed_here() -> None:
    sample = loose_sample(0)
    told: list[Any] = []

    def hear(message: Found | Round) -> float | None:
        told.append((message.labels.tolist(), message.source) if isinstance(message, Found) else message)
        return None if isinstance(message, Found) else sample.truth.optimum

    arguments = (sample.reduced, ROOT, math.inf, OPTIONS)
    here = process(Here(NEVER, hear), *arguments)
    told_here, told = told, []
    there = run_job(process, *arguments, stop=Stop(lambda: False), on_message=hear)
    assert told == told_here != []
    assert (here.lower_bound, here.size) == (there.lower_bound, there.size)
    assert type(here.proof.end) is type(there.proof.end)


@pytest.mark.slow
def test_a_node_that_is_left_stays_open_with_the_bound_of_its_last_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[Event] = []

    def endless(channel: Channel, *_: object) -> Outcome:
        channel.send(Round(5, 0, 3.5, 0, True))
        channel.send(Round(5, 0, 2.5, 1, True))
        channel.send(Round(5, 0, 4.5, 1, False))  # shown, but nothing proves it
        while True:
            time.sleep(1.0)

    monkeypatch.setattr(bounder, "process", endless)
    monkeypatch.setattr(bounder, "LARGE", 0)
    own = search_of(loose_sample(0), interrupted=lambda: len(rounds) == 3, notify=rounds.append, tree=FEW_ROUNDS)
    (outcome,) = own._bounders[0].bound(ROOT, own.problem, own.context)
    assert (outcome.proof, outcome.lower_bound) == (None, 3.5)


def test_a_large_root_that_is_left_keeps_its_bound_in_the_run_file(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(bounder, "LARGE", 0)
    monkeypatch.setattr(subprocess, "POLL", 0.0)  # so that a request is heard within a round
    params = replace(BY_TREE, tree=TreeParams(largest_left_open=10))
    rounds: list[Event] = []

    def hear(event: Event) -> None:
        rounds.extend([event] if isinstance(event, CutRound) else [])

    options = pcsos.Options(params=params, on_event=hear, should_stop=lambda: len(rounds) > 0, workers=1, gap=1e-9)
    points = np.random.default_rng(3).standard_normal((80, 4))
    result = pcsos.solve(points, 4, options=options, run_file=tmp_path / "run")
    assert result.reason is pcsos.Reason.INTERRUPTED
    assert 0.0 < 0.99 * rounds[-1].lower_bound <= result.lower_bound  # type: ignore[attr-defined]
    assert pcsos.verify.verify(tmp_path / "run").lower_bound >= result.lower_bound * (1.0 - 1e-9)


def test_the_run_ends_where_the_time_that_was_kept_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The root is asked once, though the time limit is far."""
    monkeypatch.setattr(bounder, "seconds_to_prove", lambda *_: 1e6)
    monkeypatch.setattr(bounder, "MOST_KEPT", 1.0)
    monkeypatch.setattr(bounder, "of_root", lambda *_: "gpu")
    monkeypatch.setattr(bounder.device, "announcement", str)
    events: list[Event] = []
    options = pcsos.Options(params=BY_TREE, on_event=events.append, workers=1, gap=1e-9, time_limit=1e4)
    monkeypatch.setattr(bounder, "try_job", left_at_once)
    result = pcsos.solve(np.random.default_rng(3).standard_normal((80, 4)), 4, options=options)
    assert result.reason is pcsos.Reason.TIME_LIMIT
    assert sum("80" in getattr(event, "message", "") for event in events) == 1


def test_time_is_kept_on_the_processor_too_once_a_device_gave_up(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    graces: list[float] = []

    def give_up_once(*arguments: Any, grace: float, **how: Any) -> Outcome | None:
        graces.append(grace)
        if len(graces) == 1:
            raise RuntimeError("gone")
        return try_job(*arguments, grace=grace, **how)

    monkeypatch.setattr(bounder, "of_root", lambda name, _: name)
    monkeypatch.setattr(bounder.device, "announcement", str)
    monkeypatch.setattr(bounder, "try_job", give_up_once)
    monkeypatch.setattr(bounder, "seconds_to_prove", lambda *_: 1.0)
    params = replace(BY_TREE, tree=TreeParams(largest_left_open=10))
    own = pcsos.Options(params=params, workers=1, engine="gpu")
    monkeypatch.setattr(pcsos.solving, "_refuse_missing_engine", lambda _: None)
    points = np.random.default_rng(3).standard_normal((80, 4))
    assert pcsos.solve(points, 4, options=own, run_file=tmp_path / "run").status is pcsos.Status.OPTIMAL
    assert graces == [GRACE + 1.0, GRACE + bounder.ROUND]


def left_at_once(*_: Any, stop: Stop, **__: Any) -> Outcome:
    assert stop.asked()
    return Outcome(1.0)


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything runs aside."""
    for module in (bounder, presolve, first_incumbents):
        monkeypatch.setattr(module, "LARGE", 0)


def points() -> Any:
    return np.random.default_rng(3).standard_normal((40, 2))


@pytest.mark.usefixtures("small_is_large")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_whose_steps_are_aside_has_the_same_result(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"cannot_link": [(0, 1), (1, 2)], "workers": workers}
    events: list[Event] = []
    there = pcsos.solve(points(), 4, **options, options=pcsos.Options(params=BY_TREE, on_event=events.append))
    monkeypatch.undo()
    here = pcsos.solve(points(), 4, **options, options=pcsos.Options(params=BY_TREE))
    assert there.status is here.status is pcsos.Status.OPTIMAL
    assert (there.objective, there.lower_bound, there.nodes) == (here.objective, here.lower_bound, here.nodes)
    assert there.labels.tolist() == here.labels.tolist()
    assert any(isinstance(event, CutRound) for event in events)


@pytest.mark.usefixtures("small_is_large")
def test_infeasibility_comes_back_from_aside() -> None:
    result = pcsos.solve(points(), 2, cannot_link=[(0, 1), (1, 2), (0, 2)])
    assert result.status is pcsos.Status.INFEASIBLE
    assert "odd cycle" in result.message


@pytest.mark.usefixtures("small_is_large")
def test_a_node_whose_process_is_killed_is_processed_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounder, "try_job", lambda *_, **__: None)  # as where its process was killed
    events: list[Event] = []
    result = pcsos.solve(points(), 3, workers=1, options=pcsos.Options(params=BY_TREE, on_event=events.append))
    assert result.status is pcsos.Status.OPTIMAL
    assert any(isinstance(event, Notice) and "once more" in event.message for event in events)


def test_what_s_mdeclust_finds_is_shown_before_the_root_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick partition is spoilt, so that there is something left to find."""
    monkeypatch.setattr(first_incumbents, "quick_partition", spoilt)
    monkeypatch.setattr(bounder, "LARGE", 0)
    monkeypatch.setattr(bounder, "try_job", wait_and_do)
    events: list[Event] = []
    params = replace(BY_TREE, memetic=MemeticParams(alone_up_to=0))
    pcsos.solve(points(), 4, workers=2, options=pcsos.Options(params=params, on_event=events.append))
    kinds = [event.source if isinstance(event, IncumbentFound) else type(event) for event in events]
    assert kinds.index("M") < kinds.index(CutRound)


def spoilt(channel: Channel, problem: Reduced, *_: object) -> Found:
    return Found(problem.lift(np.arange(40) % 4), math.inf, "K")


def wait_and_do(
    job: Callable[..., Outcome], *arguments: Any, stop: Stop, meanwhile: Any, on_message: Any, **_: Any
) -> Outcome:
    """Process a node after the heuristic beside it has ended."""
    own = meanwhile.__self__
    own._heuristic.result()
    meanwhile()
    return job(Here(stop, on_message), *arguments)
