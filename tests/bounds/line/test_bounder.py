"""Runs on a line: no relaxation, no heuristic, no refusal for size; limits, interrupts and resuming."""

import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.events import Event, IncumbentFound, NodeClosed
from pcsos.bounds.line import intervals as line
from pcsos.evidence.codec import encode_floats
from pcsos.evidence.kinds import Branching, Line
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.evidence.result import Reason, Status
from pcsos.evidence.run_file import RunFile
from pcsos.search.relaxation import bounder
from pcsos.verify import verify
from tests.bounds.line.test_intervals import TINY, drawn
from tests.exact_oracle import ExactTruth
from tests.slow import first_few
from tests.verify.certificates import edit, write

POINTS = np.random.default_rng(4).normal(size=30)


def forbidden(name: str) -> Callable[..., Any]:
    def call(*arguments: object, **options: object) -> None:
        raise AssertionError(f"{name} was called")

    return call


@pytest.fixture
def nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the line may be used."""
    pcsos.solve(POINTS, 2, cannot_link=[(0, 1)], workers=1)  # what is compiled is compiled before
    monkeypatch.setattr(bounder, "process", forbidden("a relaxation"))
    monkeypatch.setattr("pcsos.search.run.offer_first_incumbents", forbidden("a heuristic"))
    monkeypatch.setattr("pcsos.search.run.move_blocks", forbidden("moving blocks"))
    monkeypatch.setattr("pcsos.search.blocks.bounder.first_number", forbidden("a certificate by blocks"))
    monkeypatch.setattr("pcsos.presolve.presolve.infer_and_check", forbidden("inference"))
    monkeypatch.setattr("pcsos.search.blocks.block.memetic_partition", forbidden("a heuristic"))
    monkeypatch.setattr("pcsos.search.first_incumbents.improve", forbidden("local search"))


@pytest.mark.usefixtures("nothing_else")
@pytest.mark.parametrize("size", first_few(2, [30, 900, 12_000]))
@pytest.mark.parametrize("k", [1, 4])
def test_the_root_is_closed_at_once(size: int, k: int, tmp_path: Path) -> None:
    points = np.random.default_rng(size).standard_cauchy(size)
    heard: list[Event] = []
    result = pcsos.solve(
        points, k, must_link=[(0, 1)], gap=1e-9, run_file=tmp_path / "run", options=pcsos.Options(on_event=heard.append)
    )
    assert (result.status, result.reason, result.nodes) == (Status.OPTIMAL, Reason.GAP_REACHED, 1)
    assert result.n_super_points == size - 1
    (closed,) = [event for event in heard if isinstance(event, NodeClosed)]
    assert (closed.how, closed.size, closed.num_open) == ("line", size - 1, 0)
    assert closed.lower_bound == result.root_lower_bound == pytest.approx(result.lower_bound, rel=1e-14)
    assert {event.source for event in heard if isinstance(event, IncumbentFound)} == {"D"}
    assert verify(tmp_path / "run", points, ([(0, 1)], []), n_clusters=k, gap=1e-9).num_nodes == 1


def test_too_few_super_points_are_infeasible(tmp_path: Path) -> None:
    result = pcsos.solve(POINTS[:3], 3, must_link=[(0, 1)], run_file=tmp_path / "run")
    assert result.status is Status.INFEASIBLE
    assert verify(tmp_path / "run", POINTS[:3], ([(0, 1)], [])).status == "INFEASIBLE"


def test_a_run_without_nodes_is_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "run"
    first = pcsos.solve(POINTS, 3, workers=1, run_file=path, options=pcsos.Options(node_limit=0))
    assert (first.reason, first.nodes) == (Reason.NODE_LIMIT, 0)
    assert first.partition is not None
    again = pcsos.resume(path, workers=1)
    assert (again.status, again.nodes) == (Status.OPTIMAL, 1)
    assert verify(path).lower_bound >= again.lower_bound
    finished = pcsos.resume(path)
    assert (finished.lower_bound, finished.seconds) == (again.lower_bound, again.seconds)


@pytest.mark.slow
def test_a_run_without_time_keeps_a_good_partition_and_is_taken_up(tmp_path: Path) -> None:
    points, path = np.random.default_rng(1).normal(size=20_000), tmp_path / "run"
    first = pcsos.solve(points, 5, time_limit=0.0, workers=1, run_file=path)
    assert (first.status, first.reason, first.nodes) == (Status.FEASIBLE, Reason.TIME_LIMIT, 0)
    assert verify(path).num_open == 1
    again = pcsos.resume(path, workers=1)
    assert again.status is Status.OPTIMAL
    assert again.objective <= first.objective <= 1.05 * again.objective
    assert verify(path, points, ([], [])).lower_bound >= again.lower_bound


def test_an_interrupt_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    monkeypatch.setattr(line, "ASK_EVERY", 16)

    def on_event(event: Event) -> None:
        if isinstance(event, IncumbentFound):
            signal.raise_signal(signal.SIGINT)

    result = pcsos.solve(
        np.random.default_rng(1).normal(size=2_000), 3, workers=1, options=pcsos.Options(on_event=on_event)
    )
    assert (result.status, result.reason, result.nodes) == (Status.FEASIBLE, Reason.INTERRUPTED, 0)


def test_a_tree_that_an_earlier_version_has_begun_is_finished(tmp_path: Path) -> None:
    """It was branched on: the children are bounded as ever, one of them with a cannot-link."""
    instance = pcsos.Instance(POINTS[:12], 3)
    root = NodeRecord(0, None, None, (Branching(Decision("ML", 2, 7), 0.0),))
    path = write(tmp_path / "run", instance, [root], [0, 1] + [2] * 10, 0.0, status=Status.FEASIBLE)
    with RunFile.open(path) as file:
        file._connection.execute("DELETE FROM claim")
    result = pcsos.resume(path, workers=1)
    assert (result.status, result.nodes >= 3) == (Status.OPTIMAL, True)
    assert result.objective == pytest.approx(pcsos.solve(instance, workers=1).objective, rel=1e-4)
    assert verify(path).lower_bound >= result.lower_bound


def test_the_record_is_stored_and_read(tmp_path: Path) -> None:
    path = tmp_path / "run"
    result = pcsos.solve(POINTS, 3, workers=1, run_file=path)
    with RunFile.open(path) as file:
        assert not list(file.records())
        (record,) = file.records_beside_tree()
    (own,) = record.evidence
    assert isinstance(own, Line)
    assert own.bound == record.lower_bound == result.lower_bound
    found = line.best_intervals(pcsos.Instance(POINTS, 3))
    assert (own.penalty, own.bound) == (found.penalty, found.lower_bound)


@pytest.mark.usefixtures("nothing_else")
def test_labels_on_a_line_are_certified(tmp_path: Path) -> None:
    points = np.random.default_rng(8).normal(size=3_000)
    best = pcsos.solve(points, 4, gap=1e-9, workers=1)
    result = pcsos.certify(points, best.labels, gap=1e-9, workers=1, run_file=tmp_path / "best")
    assert (result.status, result.n_blocks, result.better) == (Status.OPTIMAL, 1, None)
    assert result.lower_bound == pytest.approx(best.lower_bound, rel=1e-14)
    assert verify(tmp_path / "best", points, ([], []), gap=1e-9).num_nodes == 1
    assert pcsos.resume(tmp_path / "best").lower_bound == result.lower_bound
    poor = pcsos.certify(points, np.digitize(points, [-1.5, 0.3, 1.0]), workers=1, run_file=tmp_path / "poor")
    assert poor.status is Status.FEASIBLE
    assert poor.better.objective == pytest.approx(best.objective, rel=1e-12)
    assert poor.lower_bound == pytest.approx(best.lower_bound, rel=1e-14)
    assert "% less than the labels given" in poor.message
    assert verify(tmp_path / "poor", points, ([], [])).lower_bound >= poor.lower_bound
    again = pcsos.resume(tmp_path / "poor")
    assert (again.lower_bound, again.better.objective) == (poor.lower_bound, poor.better.objective)


@pytest.mark.slow
def test_a_certificate_without_time_is_taken_up(tmp_path: Path) -> None:
    points, path = np.random.default_rng(1).normal(size=20_000), tmp_path / "run"
    labels = np.digitize(points, [-1.0, 0.0, 1.0])
    first = pcsos.certify(points, labels, time_limit=0.0, workers=1, run_file=path)
    assert (first.status, first.reason) == (Status.FEASIBLE, Reason.TIME_LIMIT)
    again = pcsos.resume(path, workers=1)
    assert again.lower_bound > 0.9 * again.better.objective
    assert verify(path, points, ([], [])).lower_bound >= again.lower_bound


def test_a_resumed_run_notices_another_penalty(tmp_path: Path) -> None:
    path = tmp_path / "run"
    result = pcsos.solve(POINTS, 3, run_file=path, workers=1)
    assert pcsos.resume(path).lower_bound == result.lower_bound
    edit(path, ("UPDATE evidence SET payload = ?", (encode_floats([0.75]),)))
    with pytest.raises(pcsos.RunFileError, match="changed or damaged"):
        pcsos.resume(path)


@pytest.mark.parametrize("seed", range(0, 320, 8))
def test_small_instances_are_verified(seed: int, tmp_path: Path) -> None:
    instance = drawn(seed)
    if instance is None:
        return
    optimum = ExactTruth.of(instance).optimum
    result = pcsos.solve(instance, gap=1e-9, workers=1, run_file=tmp_path / "run")
    assert optimum < TINY or (result.status, result.nodes) == (pcsos.Status.OPTIMAL, 1)
    links = (instance.must_link.tolist(), [])
    verdict = verify(tmp_path / "run", instance.points, links, weights=instance.weights)
    assert Fraction(verdict.lower_bound) <= optimum
    assert verdict.lower_bound >= result.lower_bound


def test_constant_features_and_equal_points_change_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    column = rng.integers(0, 40, 300).astype(float)
    alone = pcsos.solve(column, 6, workers=1)
    table = np.column_stack([np.full(300, -7.25), column, np.full(300, 1e100)])
    beside = pcsos.solve(table, 6, workers=1, run_file=tmp_path / "run")
    assert (alone.status, alone.nodes, beside.status, beside.nodes) == ("OPTIMAL", 1, "OPTIMAL", 1)
    assert beside.objective == pytest.approx(alone.objective, rel=1e-13)
    assert verify(tmp_path / "run", table, ([], []), gap=1e-12).lower_bound == alone.lower_bound


@pytest.mark.slow
def test_a_hundred_thousand_points_take_seconds(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=100_000)
    pcsos.solve(points[:10], 2, workers=1)
    begun = time.process_time()
    result = pcsos.solve(points, 10, gap=1e-9, run_file=tmp_path / "run")
    solved = time.process_time()
    assert (result.status, result.nodes, result.n_super_points) == (pcsos.Status.OPTIMAL, 1, 100_000)
    assert verify(tmp_path / "run", points, ([], []), n_clusters=10, gap=1e-12).num_nodes == 1
    assert solved - begun < 20.0
    assert time.process_time() - solved < 60.0


def test_six_hundred_points_take_milliseconds() -> None:
    points = np.random.default_rng(0).normal(size=600)
    pcsos.solve(points, 5, workers=1)
    begun = time.process_time()
    pcsos.solve(points, 5, workers=1)
    assert time.process_time() - begun < 0.5


@pytest.mark.slow
def test_there_is_always_time_for_a_partition_of_a_line_within_limits() -> None:
    points = np.random.default_rng(1).normal(size=(30_000, 1))
    assert pcsos.solve(points, 5, size_min=5500, time_limit=1e-9, workers=1).status == "FEASIBLE"


def drawn_pairs(points: np.ndarray, k: int, number: int, wrong: int, **limits: int) -> dict[str, Any]:
    """Limits with as many must-links as cannot-links, all but so many of each as the best partition within limits."""
    labels = line.best_intervals(pcsos.Instance(points, k, **limits)).labels
    i, j = np.random.default_rng(1).integers(0, points.size, (2, 100 * number))
    together, apart = ([*zip(i[own].tolist(), j[own].tolist(), strict=True)] for own in split_by(labels, i, j))
    right = number - wrong
    return limits | {
        "must_link": together[:right] + apart[:wrong],
        "cannot_link": apart[wrong:number] + together[right:number],
    }


def split_by(labels: np.ndarray, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which pairs of different points are in one cluster, and which are not."""
    return (labels[i] == labels[j]) & (i != j), labels[i] != labels[j]


def test_pairs_that_agree_within_limits_leave_no_gap(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=3_000) ** 3
    asked = drawn_pairs(points, 6, 60, 0, size_min=300, size_max=700)
    result = pcsos.solve(points, 6, gap=1e-9, workers=1, run_file=tmp_path / "run", **asked)
    alone = pcsos.solve(points, 6, gap=1e-9, workers=1, size_min=300, size_max=700)
    assert (result.status, result.nodes) == (Status.OPTIMAL, 0)
    assert result.objective == pytest.approx(alone.objective, rel=1e-12)
    limits = {"limits": {"size_min": 300, "size_max": 700}}
    pairs = asked["must_link"], asked["cannot_link"]
    assert verify(tmp_path / "run", points, pairs, conditions=limits, gap=1e-9).lower_bound >= result.lower_bound


@pytest.mark.parametrize(
    "condition",
    [
        pcsos.Loads(np.ones(12), at_least=3, at_most=4.5),
        pcsos.Groups(["a"] * 12, at_least={"a": 3}, at_most={"a": 4}),
    ],
)
def test_loads_and_groups_count_as_sizes_do(condition: pcsos.Loads | pcsos.Groups, tmp_path: Path) -> None:
    points, path = POINTS[:12], tmp_path / "run"
    wanted = line.best_intervals(pcsos.Instance(points, 3, conditions=[pcsos.Sizes(3, 4)]))
    found = pcsos.solve(points, 3, conditions=[condition], workers=1, run_file=path)
    with RunFile.open(path) as file:
        (record,) = file.records_beside_tree()
    assert found.objective == pytest.approx(wanted.lower_bound)
    assert record.lower_bound == pytest.approx(wanted.lower_bound)
    assert verify(path).status == found.status == "OPTIMAL"


@pytest.mark.parametrize(("n", "k"), first_few(1, [(5, 2), (7, 3), (9, 4)]))
def test_loads_that_no_intervals_keep_are_proved_infeasible(n: int, k: int, tmp_path: Path) -> None:
    given = {"n_clusters": k, "conditions": [pcsos.Loads(np.ones(n), at_least=2, at_most=2.9)]}
    assert pcsos.solve(POINTS[:n], **given, workers=1, run_file=tmp_path / "run").status == "INFEASIBLE"
    assert verify(tmp_path / "run").status == "INFEASIBLE"


def test_a_super_point_may_take_all_of_an_interval() -> None:
    points = np.array([0.0, 0.0, 2.0, 2.0, 3.0, 4.0, 4.0, 4.0])
    instance = pcsos.Instance(points, 4, [(1, 2), (2, 3), (3, 4)], size_max=4)
    assert len(set(line.best_intervals(instance).labels.tolist())) == 3
    result = pcsos.solve(instance, workers=1)
    assert (result.status, result.objective) == (Status.OPTIMAL, 4.75)


@pytest.mark.slow
def test_a_hundred_thousand_points_with_limits_and_a_thousand_pairs_take_seconds(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=100_000) ** 3
    asked = drawn_pairs(points, 10, 500, 50, size_min=5_000, size_max=20_000)
    pcsos.solve(points[:10], 2, workers=1)
    begun = time.process_time()
    assert pcsos.solve(points, 10, workers=1, run_file=tmp_path / "run", **asked).status == Status.OPTIMAL
    assert time.process_time() - begun < 20.0
    assert verify(tmp_path / "run").status == Status.OPTIMAL
