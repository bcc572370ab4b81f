"""Evidence: covers are judged in several processes as in one, and what blocks of points prove is true."""

import multiprocessing
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import PcsosError
from pcsos.evidence import kinds
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.verify import Verdict, VerificationError, processes, verify
from pcsos.verify.evidence import RULES, STATED
from pcsos.verify.reading.columns import EVIDENCE
from tests import oracle
from tests.conformance import texts
from tests.slow import first_few, slow_where

#: Blocks as small as they come, which are never merged.
SMALL = Params(blocks=BlockParams(least_size=4, least_members=1, largest_size=2), prices=PriceParams(features_up_to=0))
COVERS = {own.name: own for own in texts.expected() if own.kind == "cover"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cover.run"


def test_there_is_a_rule_for_each_kind() -> None:
    assert set(RULES) == set(EVIDENCE) == set(kinds.KINDS)
    assert set(STATED) < set(RULES)


@pytest.mark.parametrize("name", slow_where(lambda name: list(COVERS).index(name) % 8 > 0, COVERS))
def test_covers_are_judged_in_several_processes_as_in_one(path: Path, name: str) -> None:
    def outcome(workers: int) -> Verdict | str:
        try:
            return verify(path, workers=workers)
        except PcsosError as error:
            return str(error).removeprefix("problem 0: ")

    texts.write_file(path, COVERS[name])
    assert outcome(2) == outcome(1)


def blobs(n: int = 48, *, weights: bool = False) -> tuple[pcsos.Instance, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 3
    points = rng.normal(size=(n, 2)) + 12.0 * np.array([[0, 0], [1, 0], [0, 1]])[labels]
    pairs = [(0, 3), (1, 4)], [(0, 1), (5, 7)]
    return pcsos.Instance(points, 3, *pairs, rng.uniform(0.5, 2.0, n) if weights else None), labels


def certified(path: Path, instance: pcsos.Instance, labels: np.ndarray, params: Params = SMALL) -> pcsos.Certification:
    return pcsos.certify(instance, labels, gap=0.05, workers=1, run_file=path, options=pcsos.Options(params=params))


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


@pytest.mark.skipif(sys.platform == "win32", reason="there are no servers of processes")
def test_parts_are_checked_where_python_has_processes_from_a_server(path: Path) -> None:
    """As from Python 3.14 on: the server would be their parent, with which they go."""
    certified(path, *blobs())
    usual = multiprocessing.get_start_method()
    multiprocessing.set_start_method("forkserver", force=True)
    try:
        assert verify(path, workers=2).n_points == 48
    finally:
        multiprocessing.set_start_method(usual, force=True)


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
