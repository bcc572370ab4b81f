"""Pricing: where prices are tried, what they leave in a run file, and how a run goes on with them."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.control.stop import NEVER
from pcsos.base.events import BlockBounded, BoundImproved, NodeClosed
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.kinds import Prices
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.run_file import RunFile
from pcsos.heuristics import run
from pcsos.presolve.presolve import presolve
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import Params, PriceParams
from pcsos.search.prices.bounder import ByPrices, suits
from pcsos.search.role import Context
from pcsos.search.task import Task
from pcsos.verify import VerificationError, verify
from tests.slow import first_few

PRICES = PriceParams(points_from=2)


def blobs(n: int, k: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Clear clusters around a circle."""
    labels, turn = np.arange(n) % k, 2.0 * np.pi * np.arange(k) / k
    centres = 4.0 * k * np.column_stack([np.cos(turn), np.sin(turn)])
    return centres[labels] + np.random.default_rng(1).normal(size=(n, 2)), labels


def beside_tree(path: Path) -> NodeRecord:
    """What stands beside the tree, of the root alone."""
    with RunFile.read(path) as file:
        assert not list(file.records())
        (record,) = file.records_beside_tree()
        return record


def test_prices_prove_what_a_tree_would(tmp_path: Path) -> None:
    points, _ = blobs(400)
    events: list[object] = []
    result = pcsos.solve(points, 8, workers=1, run_file=tmp_path / "run", options=pcsos.Options(on_event=events.append))
    assert (result.status, result.reason, result.nodes) == (pcsos.Status.OPTIMAL, pcsos.Reason.GAP_REACHED, 0)
    assert any(isinstance(event, BoundImproved) for event in events)
    assert not any(isinstance(event, NodeClosed | BlockBounded) for event in events)
    verdict = verify(tmp_path / "run", points, ([], []), n_clusters=8, gap=1e-4)
    assert verdict.lower_bound >= result.lower_bound
    without = pcsos.solve(
        points, 8, workers=1, options=pcsos.Options(params=Params(prices=PriceParams(features_up_to=0)))
    )
    assert without.lower_bound <= result.objective
    assert result.lower_bound <= without.objective


def test_nodes_of_a_price_tree_are_counted_and_verified(tmp_path: Path) -> None:
    points = np.random.default_rng(10).integers(0, 4, (24, 2)).astype(float)
    result = pcsos.solve(points, 6, workers=1, run_file=tmp_path / "run")
    with closing(sqlite3.connect(tmp_path / "run")) as connection, connection:
        (number,) = connection.execute("SELECT 1 + count(*) FROM problems").fetchone()
    assert result.status is pcsos.Status.OPTIMAL
    assert result.nodes >= number > 1
    assert verify(tmp_path / "run", points, ([], []), n_clusters=6, gap=1e-4).status == "OPTIMAL"


def test_cannot_links_that_bind_count(tmp_path: Path) -> None:
    points, _ = blobs(320, k=4)
    cannot = [(i, i + 4) for i in range(0, 40, 8)]  # points of one cluster apart
    free = pcsos.solve(points, 4, workers=1)
    result = pcsos.solve(
        points, 4, cannot_link=cannot, workers=1, run_file=tmp_path / "run", options=pcsos.Options(node_limit=1)
    )
    assert (result.status, result.nodes) == (pcsos.Status.OPTIMAL, 0)
    assert result.lower_bound > 1.2 * free.objective
    verify(tmp_path / "run", points, ([], cannot), n_clusters=4, gap=1e-4)
    (prices,) = beside_tree(tmp_path / "run").evidence
    assert prices.knots
    with closing(sqlite3.connect(tmp_path / "run")) as connection, connection:
        payload = encode_floats(prices.prices) + encode_integers([]) + encode_integers(np.empty((0, 0)))
        assert connection.execute("UPDATE evidence SET payload = ?", (payload,)).rowcount == 1
    with pytest.raises(VerificationError):
        verify(tmp_path / "run", points, ([], cannot), n_clusters=4, gap=1e-4)


@pytest.mark.slow
def test_a_resumed_run_keeps_what_prices_proved(tmp_path: Path) -> None:
    points, labels = blobs(400, k=3)
    points[:, 0] *= 0.1  # overlapping clusters: prices alone are not enough for this gap
    path, bounds = tmp_path / "run", []

    def end_with_the_prices(event: object) -> None:
        if isinstance(event, BoundImproved):
            bounds.append(event.lower_bound)
        elif bounds:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pcsos.certify(
            points, labels, gap=1e-9, workers=1, run_file=path, options=pcsos.Options(on_event=end_with_the_prices)
        )
    with RunFile.open(path) as file:
        proved = file.stated_bound()
        assert [type(each) for each in next(file.records_beside_tree()).evidence] == [Prices]
    assert proved >= bounds[-1]
    events: list[object] = []
    result = pcsos.resume(path, time_limit=3.0, workers=1, options=pcsos.Options(on_event=events.append))
    assert result.lower_bound >= proved
    assert verify(path, points, ([], []), n_clusters=3).lower_bound >= proved


def test_what_is_written_is_evidence_of_the_whole(tmp_path: Path) -> None:
    points, labels = blobs(400)
    result = pcsos.certify(points, labels, workers=1, run_file=tmp_path / "run")
    assert (result.status, result.n_blocks) == (pcsos.Status.OPTIMAL, 1)
    assert verify(tmp_path / "run", points, ([], []), n_clusters=8, gap=1e-4).status == "OPTIMAL"
    assert [type(each) for each in beside_tree(tmp_path / "run").evidence] == [Prices]
    with closing(sqlite3.connect(tmp_path / "run")) as connection, connection:
        assert connection.execute("SELECT problem, kind FROM evidence").fetchall() == [(0, "prices")]
        assert connection.execute("SELECT problem FROM problems").fetchall() == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"features_up_to": 1}, False),
        ({"features_up_to": 0}, False),
        ({"points_up_to": 399}, False),
        ({"points_from": 401}, False),
    ],
)
def test_where_prices_are_tried(changes: dict[str, int], expected: bool) -> None:
    points, _ = blobs(400)
    assert suits(Instance(points, 8), replace(PRICES, **changes)) is expected


def test_constant_features_do_not_count() -> None:
    points, _ = blobs(400)
    constant = np.column_stack([points, np.ones((400, 5))])
    assert suits(Instance(constant, 8), replace(PRICES, features_up_to=2))
    assert not suits(Instance(np.column_stack([points[:, :1], np.ones((400, 5))]), 8), PRICES)
    assert not suits(Instance(points, 1), PRICES)


@pytest.mark.parametrize("gap", first_few(1, [1e-3, 1e-9]))
def test_a_run_that_prices_ended_can_be_resumed(tmp_path: Path, gap: float) -> None:
    points, labels = blobs(400)
    for name, begin in (
        ("certify", lambda path: pcsos.certify(points, labels, gap=gap, workers=1, run_file=path)),
        ("solve", lambda path: pcsos.solve(points, 8, gap=gap, workers=1, run_file=path)),
    ):
        result = begin(tmp_path / name)
        assert result.lower_bound == pcsos.resume(tmp_path / name, workers=1).lower_bound
        assert verify(tmp_path / name, points, ([], [])).lower_bound >= result.lower_bound


@pytest.mark.slow
def test_prices_that_were_stopped_are_raised_again(tmp_path: Path) -> None:
    points = np.random.default_rng(2).uniform(size=(2000, 2))
    partition, _ = run(pcsos.Instance(points, 12), method="ipc-kmeans", seed=0)
    labels = partition.labels
    told: list[float] = []

    def enough() -> bool:
        return len(told) >= 2

    first = pcsos.certify(
        points,
        labels,
        gap=1e-6,
        workers=1,
        run_file=tmp_path / "run",
        options=pcsos.Options(
            should_stop=enough, on_event=lambda event: told.append(0.0) if isinstance(event, BoundImproved) else None
        ),
    )
    assert first.reason is pcsos.Reason.INTERRUPTED
    bounds, enough_now = [0.0], 0.6 * first.objective + 0.4 * first.lower_bound
    second = pcsos.resume(
        tmp_path / "run",
        options=pcsos.Options(
            should_stop=lambda: bounds[-1] > enough_now,
            on_event=lambda event: bounds.append(event.lower_bound) if isinstance(event, BoundImproved) else None,
        ),
    )
    assert second.gap < 0.5 * first.gap


@pytest.mark.parametrize("seed", first_few(2, range(12)))
def test_where_must_links_leave_no_choice_the_cost_is_not_exceeded(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.arange(300) % 5
    points = rng.normal(size=(300, 2)) + 3.0 * rng.normal(size=(5, 2))[labels]
    must = [(i, i + 5) for i in range(295)]
    path = tmp_path / "run"
    result = pcsos.certify(points, labels, must_link=must, workers=1, run_file=path)
    exact = sum(
        sum((Fraction(x) - Fraction(sum(map(Fraction, own)), len(own))) ** 2 for x in own)
        for own in (points[labels == c, f].tolist() for c in range(5) for f in range(2))
    )
    assert Fraction(result.lower_bound) <= exact
    verify(path, points, (must, []), n_clusters=5)


@pytest.mark.parametrize("spread", first_few(1, [1e-5, 1e-6, 1e-7]))
def test_tight_clusters_far_apart_end_the_ascent(spread: float) -> None:
    rng = np.random.default_rng(0)
    labels = np.concatenate([range(4), rng.integers(0, 4, 296)])
    points = rng.normal(size=(4, 2))[labels] + spread * rng.normal(size=(300, 2))
    instance = Instance(points, 4)
    partition = pcsos.Partition.of(instance, labels)
    context = Context.of(instance, Options(), NEVER)
    context.primal.restore(partition)
    problem = presolve(instance)
    outcomes = ByPrices().bound(Task.root(problem), problem, context)
    assert all(0.0 <= outcome.lower_bound <= partition.objective for outcome in outcomes)
