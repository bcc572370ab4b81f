"""Covers: certificates of blocks are accepted, what they prove is true, and covers that do not cover are refused."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.verify import VerificationError, processes, verify
from pcsos.verify.reading.payloads import read_part
from tests import oracle
from tests.blobs import arrays
from tests.slow import first_few
from tests.verify.certificates import edit

#: Blocks as small as they come, which are never merged.
SMALL = Params(blocks=BlockParams(least_size=4, least_members=1, largest_size=2), prices=PriceParams(features_up_to=0))


def blobs(n: int = 48, *, weights: bool = False) -> tuple[pcsos.Instance, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 3
    points = rng.normal(size=(n, 2)) + 12.0 * np.array([[0, 0], [1, 0], [0, 1]])[labels]
    pairs = [(0, 3), (1, 4)], [(0, 1), (5, 7)]
    return pcsos.Instance(points, 3, *pairs, rng.uniform(0.5, 2.0, n) if weights else None), labels


def certified(path: Path, instance: pcsos.Instance, labels: np.ndarray, params: Params = SMALL) -> pcsos.Certification:
    return pcsos.certify(instance, labels, gap=0.05, workers=1, run_file=path, options=pcsos.Options(params=params))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cover.run"


@pytest.mark.parametrize("workers", [1, 2, -1])
@pytest.mark.parametrize("weights", [False, True])
def test_a_certificate_of_blocks_is_accepted(path: Path, weights: bool, workers: int) -> None:
    instance, labels = blobs(weights=weights)
    result = certified(path, instance, labels)
    assert result.n_blocks == 8
    links = ([tuple(p) for p in instance.must_link], [tuple(p) for p in instance.cannot_link])
    said: list[str] = []
    verdict = verify(path, instance.points, links, weights=instance.weights, workers=workers, on_step=said.append)
    assert verdict.lower_bound >= result.lower_bound > 0.85 * result.objective
    assert (verdict.status, verdict.n_points) == (str(result.status), 48)
    assert any(sentence.startswith("the cover:") for sentence in said)


@pytest.mark.parametrize("seed", first_few(6, range(40)))
def test_what_blocks_of_small_instances_prove_is_true(path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = oracle.random_instance(rng, max_points=9)
    truth = oracle.enumerate_feasible(instance)
    if not truth.feasible:
        return
    labels = truth.labels[rng.integers(len(truth.labels))]
    params = Params(blocks=BlockParams(least_size=2, least_members=int(rng.integers(1, 3)), largest_size=2))
    result = pcsos.certify(instance, labels, workers=1, run_file=path, options=pcsos.Options(params=params))
    verdict = verify(path, instance.points, (instance.must_link, instance.cannot_link), weights=instance.weights)
    assert verdict.lower_bound <= truth.optimum * (1 + 1e-12) + 1e-300
    assert result.lower_bound <= truth.optimum * (1 + 1e-12) + 1e-300
    assert result.better is None or result.better.objective < result.objective


def number_of(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        return int(connection.execute("SELECT min(problem) FROM problems WHERE change = 'part'").fetchone()[0])


def with_points(path: Path, change: Callable[[list[int], list[float]], None]) -> None:
    """Change points and weights of the first part."""
    number = number_of(path)
    with sqlite3.connect(path) as connection:
        (content,) = connection.execute(f"SELECT content FROM problems WHERE problem = {number}").fetchone()
    points, weights = read_part(arrays(content), 48)
    own, shares = points.tolist(), weights.tolist()
    change(own, shares)
    edit(path, (f"UPDATE problems SET content = ? WHERE problem = {number}", (content_of(own, shares),)))


def content_of(points: Sequence[int], weights: Sequence[float]) -> bytes:
    return encode_integers(np.array(points, int), differences=True) + encode_floats(np.array(weights))


def cover_of(*parts: int) -> bytes:
    return encode_integers(np.array(parts, int))


def drop(points: list[int], weights: list[float]) -> None:
    del points[0], weights[0]


def take_from_another(points: list[int], weights: list[float]) -> None:
    other = next(p for p in range(48) if p not in points)
    at = next((i for i, p in enumerate(points) if p > other), len(points))
    points.insert(at, other)
    weights.insert(at, 1.0)


def heavier(points: list[int], weights: list[float]) -> None:
    weights[0] *= 1.0 + 2.0**-40


def lighter(points: list[int], weights: list[float]) -> None:
    weights[0] *= 0.5


def negative(points: list[int], weights: list[float]) -> None:
    weights[0] = -1.0


def unsorted(points: list[int], weights: list[float]) -> None:
    points[0], points[1] = points[1], points[0]


def outside(points: list[int], weights: list[float]) -> None:
    points[-1] = 48


FORGED = {
    "a point is missing": (drop, "is missing|multipliers"),
    "a point is there twice": (take_from_another, "more of point|multipliers"),
    "a point is heavier": (heavier, "more of point|more than"),
    "a point is lighter": (lighter, "is missing|is claimed"),
    "a weight is negative": (negative, "not some points"),
    "points are not sorted": (unsorted, "not some points"),
    "a point is none": (outside, "not some points"),
}


@pytest.mark.parametrize(("change", "reason"), FORGED.values(), ids=FORGED)
def test_parts_that_are_changed_are_refused(path: Path, change: Callable[..., None], reason: str) -> None:
    certified(path, *blobs())
    with_points(path, change)
    with pytest.raises(VerificationError, match=reason):
        verify(path)


def test_covers_that_do_not_cover_are_refused(path: Path) -> None:
    certified(path, *blobs())
    with sqlite3.connect(path) as connection:
        parts = sorted(row[0] for row in connection.execute("SELECT problem FROM problems WHERE change = 'part'"))
    for wrong, reason in (
        (parts[1:], "is missing"),
        ([*parts, parts[0]], "there twice"),
        ([*parts, 999], "0 rows for part 999"),
        ([0, *parts], "0 rows for part 0"),
        ([-1, *parts], "0 rows for part -1"),
        ([], "is missing"),
    ):
        edit(path, ("UPDATE evidence SET payload = ? WHERE kind = 'cover'", (cover_of(*wrong),)))
        with pytest.raises(VerificationError, match=reason):
            verify(path)


def test_parts_without_proof_count_nothing(path: Path) -> None:
    result = certified(path, *blobs())
    edit(path, (f"DELETE FROM evidence WHERE problem = {number_of(path)}", ()))
    with pytest.raises(VerificationError, match=r"the lower bound: .* is claimed, but only"):
        verify(path)
    edit(path, ("UPDATE claim SET lower_bound = ?, status = 'FEASIBLE'", (0.5 * result.lower_bound,)))
    assert verify(path).lower_bound < result.lower_bound


def test_a_part_that_is_too_small_is_not_infeasible(path: Path) -> None:
    """Fewer super-points than clusters: exactly k clusters are impossible, but at most k are what counts."""
    instance, labels = blobs()
    certified(path, instance, labels)
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT problem, content FROM problems WHERE change = 'part'").fetchall()
    held = {number: read_part(arrays(content), 48)[0] for number, content in rows}
    number, points = next((number, points) for number, points in held.items() if 0 in points)
    rest = [other for other in held if other != number]
    others = points[points != 0].tolist()
    edit(
        path,
        (f"DELETE FROM evidence WHERE problem = {number}", ()),
        ("INSERT INTO problems VALUES (900, 0, 'part', ?, '')", (content_of([0], instance.weights[:1]),)),
        ("INSERT INTO problems VALUES (901, 0, 'part', ?, '')", (content_of(others, instance.weights[others]),)),
        ("UPDATE evidence SET payload = ? WHERE kind = 'cover'", (cover_of(900, 901, *rest),)),
        ("INSERT INTO evidence VALUES (9000, 900, 'infeasible', 1e300, ?, 0.0, '')", (encode_integers([]),)),
        ("UPDATE claim SET status = 'INFEASIBLE', labels = NULL, objective = NULL, lower_bound = NULL", ()),
    )
    with pytest.raises(VerificationError, match="the lower bound"):
        verify(path)


def test_multipliers_of_another_part_prove_what_they_prove(path: Path) -> None:
    """Blocks of the same size can lend each other their multipliers; the bound is computed anew from the points."""
    instance, labels = blobs()
    result = certified(path, instance, labels)
    of_other = "SELECT payload FROM evidence WHERE problem = 1 AND kind IN ('bound', 'open')"
    edit(path, (f"UPDATE evidence SET payload = ({of_other}) WHERE problem = 2 AND kind != 'equal'", ()))
    with pytest.raises(VerificationError, match=r"the bound|multipliers"):
        verify(path)
    assert result.lower_bound <= result.objective


def test_a_file_that_is_exchanged_while_it_is_checked_proves_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes that check parts open the file anew: another one there must not stand for the cover of the first."""
    instance, labels = blobs()
    certified(path, instance, labels)
    other = path.with_name("other.run")
    certified(other, instance.with_(weights=np.full(48, 5.0)), labels)
    pool = processes.ProcessPoolExecutor

    def exchanging(*arguments: Any, **settings: Any) -> Any:
        other.replace(path)
        return pool(*arguments, **settings)

    monkeypatch.setattr(processes, "ProcessPoolExecutor", exchanging)
    with pytest.raises(VerificationError, match="exchanged while it was checked"):
        verify(path, workers=2)
