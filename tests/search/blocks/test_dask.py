"""Blocks on the workers of a cluster: the same bound as the process pool, also when a worker is killed."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.events import BlockBounded, NodeClosed
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.params import BlockParams, Params, PriceParams, TreeParams
from pcsos.verify import verify
from tests.clouds import clouds

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

#: Many blocks of equal size.
PARAMS = Params(blocks=BlockParams(least_size=50, largest_size=2), prices=PriceParams(features_up_to=0))
#: A tree that must grow.
FEW_ROUNDS = Params(tree=TreeParams(root_rounds=2, node_rounds=2))


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


PLAIN = pcsos.Options()


def blobs(n: int) -> tuple[np.ndarray, np.ndarray]:
    return clouds(1, n, 3, 5, 20.0)


def certify(n: int, *, options: pcsos.Options = PLAIN, **settings: Any) -> pcsos.Certification:
    points, labels = blobs(n)
    return pcsos.certify(points, labels, gap=1e-2, workers=2, **settings, options=replace(options, params=PARAMS))


def test_a_cluster_proves_what_the_process_pool_proves(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "blocks.run"
    there, here = certify(800, run_file=path, options=pcsos.Options(executor=client.get_executor())), certify(800)
    assert there.n_blocks == here.n_blocks == 16
    assert (there.lower_bound, there.status) == (here.lower_bound, here.status)
    assert verify(path, blobs(800)[0], ([], []), workers=2).num_open == 0


def test_a_worker_that_is_killed_loses_nothing(client: Any) -> None:
    pids = list(client.run(os.getpid).values())
    done: list[BlockBounded] = []

    def kill_one(event: object) -> None:
        if isinstance(event, BlockBounded):
            done.append(event)
            if len(done) == 3:
                os.kill(pids[0], signal.SIGKILL)

    result = certify(1600, options=pcsos.Options(executor=client.get_executor(), on_event=kill_one))
    assert result.status is pcsos.Status.OPTIMAL
    assert done[-1].num_done == done[-1].num_blocks == 32


def test_a_tree_on_a_cluster_is_that_of_the_process_pool(client: Any) -> None:
    points, labels = gaussian_mixture(40, 8, 4, separation=0.7, seed=6)
    must_link, cannot_link = constraints_from_labels(labels, n_must_link=2, n_cannot_link=6, seed=6)

    def solve(options: pcsos.Options = PLAIN) -> tuple[list[Any], pcsos.Result]:
        closed: list[Any] = []

        def note(event: object) -> None:
            if isinstance(event, NodeClosed):
                closed.append(replace(event, seconds=0.0))

        result = pcsos.solve(
            points,
            4,
            must_link=must_link,
            cannot_link=cannot_link,
            gap=1e-6,
            workers=2,
            options=replace(options, params=FEW_ROUNDS, on_event=note),
        )
        return closed, result

    (there, on_cluster), (here, in_pool) = solve(options=pcsos.Options(executor=client.get_executor())), solve()
    assert there == here
    assert len(here) > 10
    assert (on_cluster.objective, on_cluster.lower_bound) == (in_pool.objective, in_pool.lower_bound)


def test_a_time_limit_ends_a_run_on_a_cluster(client: Any) -> None:
    result = certify(1600, time_limit=0.0, options=pcsos.Options(executor=client.get_executor()))
    assert result.reason is pcsos.Reason.TIME_LIMIT
