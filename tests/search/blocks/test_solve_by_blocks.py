"""Large instances are solved by blocks first: proved without a node, or handed to the tree with what is proved."""

import multiprocessing
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.events import BlockBounded, Notice
from pcsos.bounds.relaxation import peng_wei
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.search import first_incumbents
from pcsos.verify import verify
from tests.clouds import clouds
from tests.slow import first_few

NO_PRICES = PriceParams(features_up_to=0)
BLOCKS = Params(blocks=BlockParams(whole_up_to=100), prices=NO_PRICES)
WHOLE = Params(blocks=BlockParams(whole_up_to=1000), prices=NO_PRICES)


def blobs(n: int, apart: float) -> np.ndarray:
    return clouds(1, n, 3, 3, apart)[0]


def test_clear_clusters_need_no_node(tmp_path: Path) -> None:
    points, path = blobs(400, 20.0), tmp_path / "blocks.run"
    result = pcsos.solve(points, 3, gap=1e-2, workers=1, run_file=path, options=pcsos.Options(params=BLOCKS))
    assert (result.status, result.reason, result.nodes) == (pcsos.Status.OPTIMAL, pcsos.Reason.GAP_REACHED, 0)
    verdict = verify(path, points, ([], []), gap=1e-2)
    assert verdict.lower_bound >= result.lower_bound
    again = pcsos.resume(path)
    assert (again.lower_bound, again.objective) == (result.lower_bound, result.objective)


@pytest.mark.slow
def test_what_blocks_do_not_prove_the_tree_does(tmp_path: Path) -> None:
    points, path = blobs(160, 3.0), tmp_path / "blocks.run"
    result = pcsos.solve(points, 3, workers=1, run_file=path, options=pcsos.Options(params=BLOCKS))
    whole = pcsos.solve(points, 3, workers=1, options=pcsos.Options(params=WHOLE))
    assert result.status is whole.status is pcsos.Status.OPTIMAL
    assert result.nodes >= 1
    assert result.objective == whole.objective
    assert verify(path, points, ([], [])).gap <= 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_stopped_among_its_blocks_goes_on(tmp_path: Path, workers: int) -> None:
    points, path = blobs(400, 20.0), tmp_path / "blocks.run"

    def stop(event: object) -> None:
        if isinstance(event, BlockBounded):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        pcsos.solve(
            points, 3, gap=1e-2, workers=workers, run_file=path, options=pcsos.Options(params=BLOCKS, on_event=stop)
        )
    result = pcsos.resume(path, workers=workers)
    assert (result.status, result.nodes) == (pcsos.Status.OPTIMAL, 0)
    assert verify(path, points, ([], []), gap=1e-2).num_open == 0


@pytest.mark.parametrize("position", first_few(1, [0, 1]))
def test_a_worker_that_is_killed_among_the_blocks_loses_nothing(position: int) -> None:
    done: list[int] = []

    def kill_one(event: object) -> None:
        if isinstance(event, BlockBounded):
            done.append(event.num_done)
            if len(done) == 2:
                os.kill(multiprocessing.active_children()[position].pid, signal.SIGKILL)
                time.sleep(0.3)  # others are done by then: what is handed out next meets the broken pool

    points, params = blobs(800, 20.0), replace(BLOCKS, blocks=replace(BLOCKS.blocks, least_size=50))
    result = pcsos.solve(points, 3, gap=1e-2, workers=2, options=pcsos.Options(params=params, on_event=kill_one))
    assert (result.status, result.nodes) == (pcsos.Status.OPTIMAL, 0)
    assert max(done) >= 8


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_before_the_blocks_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_incumbents, "memetic_partition", die)
    params = replace(BLOCKS, memetic=replace(BLOCKS.memetic, alone_up_to=0))
    told: list[str] = []

    def notify(event: object) -> None:
        if isinstance(event, Notice):
            told.append(event.message)

    result = pcsos.solve(
        blobs(400, 20.0), 3, gap=1e-2, workers=2, options=pcsos.Options(params=params, on_event=notify)
    )
    assert (result.status, result.nodes) == (pcsos.Status.OPTIMAL, 0)
    assert told == ["a worker process was killed; the run goes on without workers"]


def test_what_does_not_fit_into_memory_keeps_the_bound_of_its_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peng_wei, "MATRICES", 10**9)
    result = pcsos.solve(blobs(160, 3.0), 3, workers=1, options=pcsos.Options(params=BLOCKS))
    assert (result.status, result.reason) == (pcsos.Status.FEASIBLE, pcsos.Reason.STALLED)
    assert 0.0 < result.lower_bound < result.objective
    assert "bounding 160 super-points at once needs about" in result.message
    with pytest.raises(pcsos.InputError, match="needs about"):
        pcsos.solve(blobs(160, 3.0), 3, workers=1, options=pcsos.Options(params=WHOLE))


def test_many_clusters_are_not_cut_into_blocks() -> None:
    """A single block would be the whole, and bounded twice."""
    events: list[object] = []
    result = pcsos.solve(
        blobs(120, 20.0),
        9,
        gap=1e-2,
        workers=1,
        options=pcsos.Options(params=BLOCKS, node_limit=1, on_event=events.append),
    )
    assert not any(isinstance(event, BlockBounded) for event in events)
    assert result.nodes == 1
