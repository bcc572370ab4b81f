"""Loads from end to end: solve, heuristics, certify, path and resume; every run is verified."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos import Instance, Loads
from pcsos.evidence.run_file import RunFile
from pcsos.verify import verify
from pcsos.verify.reader import VerificationError
from tests.conditioned import random_loaded
from tests.second_checker.agreement import compare
from tests.slow import first_few
from tests.test_conditions import check, check_beside_the_optimum

RNG = np.random.default_rng(5)
POINTS = RNG.normal(size=(10, 2))
AMOUNTS = np.column_stack([RNG.integers(1, 9, 10), RNG.uniform(0.0, 1.0, 10)])
MOST = 1.3 * AMOUNTS.sum(axis=0) / 3.0
CARRIED = [Loads(AMOUNTS, at_most=MOST)]


def keep(labels: Any) -> bool:
    held = np.array([np.bincount(labels, column) for column in AMOUNTS.T])
    return bool((held.max(axis=1) <= MOST * (1.0 + 2.0**-30)).all())


@pytest.mark.parametrize("seed", first_few(4, range(1, 31)))
def test_the_optimum_is_found_and_proved(seed: int, tmp_path: Path) -> None:
    check(random_loaded(seed), tmp_path)
    assert compare([tmp_path / "some.run"])[0]["accepted by both"] == 1


@pytest.mark.parametrize("seed", first_few(2, range(1000, 1020)))
def test_heuristics_and_certificates_keep_to_the_loads(seed: int) -> None:
    check_beside_the_optimum(random_loaded(seed))


@pytest.mark.slow
def test_a_load_of_one_a_point_is_a_size() -> None:
    sizes = pcsos.solve(POINTS, 3, size_max=4, size_min=3, workers=1)
    loads = pcsos.solve(POINTS, 3, workers=1, conditions=[Loads(np.ones(10), at_least=3, at_most=4)])
    assert (loads.objective, str(loads.status)) == (pytest.approx(sizes.objective), "OPTIMAL")
    assert sorted(loads.sizes) == [3, 3, 4]


@pytest.mark.slow
def test_a_load_that_is_the_weight_is_one_of_weights() -> None:
    weights, most = AMOUNTS[:, 0], float(MOST[0])
    one = pcsos.solve(POINTS, 3, weights=weights, workers=1, conditions=[pcsos.Weights(at_most=most)])
    other = pcsos.solve(POINTS, 3, weights=weights, workers=1, conditions=[Loads(weights, at_most=most)])
    assert one.objective == pytest.approx(other.objective, rel=2e-4)


@pytest.mark.slow
def test_a_stopped_run_goes_on_with_its_loads(tmp_path: Path) -> None:
    path, instance = tmp_path / "some.run", Instance(POINTS, 3, conditions=CARRIED)
    assert pcsos.solve(instance, workers=1, run_file=path, options=pcsos.Options(node_limit=0)).status != "OPTIMAL"
    with RunFile.read(path) as file:
        assert file.instance.asked.to_dict() == instance.asked.to_dict()
    result = pcsos.resume(path, workers=1)
    assert result.status == "OPTIMAL"
    assert keep(result.labels)
    kg, volume = (np.bincount(result.labels, column) for column in AMOUNTS.T)
    assert result.figures()["loads"] == "; ".join(", ".join(f"{own:.10g}" for own in row) for row in (kg, volume))


def test_certify_refuses_labels_that_are_too_much_for_a_cluster() -> None:
    with pytest.raises(pcsos.InputError, match="of load 0, more than load_max = "):
        pcsos.certify(POINTS, np.minimum(np.arange(10) // 2, 2), conditions=CARRIED)


OTHERS = {
    "no limit": [],
    "a greater limit": [Loads(AMOUNTS, at_most=MOST * 1.001)],
    "a limit less": [Loads(AMOUNTS, at_most=[MOST[0], None])],
    "other amounts": [Loads(AMOUNTS[::-1], at_most=MOST)],
    "a least": [*CARRIED, Loads(AMOUNTS[:, 0], at_least=1)],
}


def test_a_run_about_other_loads_is_refused(tmp_path: Path) -> None:
    path, instance = tmp_path / "some.run", Instance(POINTS, 3, conditions=CARRIED)
    pcsos.solve(instance, workers=1, run_file=path, options=pcsos.Options(node_limit=0))
    verify(path, POINTS, n_clusters=3, conditions=instance.asked.to_dict())
    for given in OTHERS.values():
        own = Instance(POINTS, 3, conditions=given).asked.to_dict()
        with pytest.raises(VerificationError, match="about other limits or soft pairs"):
            verify(path, POINTS, n_clusters=3, conditions=own)
