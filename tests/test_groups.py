"""Fair clustering from end to end: solve, heuristics, certify, path, front and resume under limits of groups."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos import Instance
from pcsos.evidence.run_file import RunFile
from tests.conditioned import random_fair
from tests.slow import first_few
from tests.test_conditions import check, check_beside_the_optimum

RNG = np.random.default_rng(5)
LABELS = np.repeat([0, 1, 2], 10)
POINTS = 6.0 * RNG.normal(size=(3, 2))[LABELS] + RNG.normal(size=(30, 2))
#: Groups that go with the clusters, so that limits of them cost something.
GROUPS = np.where(RNG.random(30) < 0.8, LABELS == 0, LABELS == 1)
FAIR = [pcsos.Groups(GROUPS, at_least={True: 2})]


def held(labels: Any) -> list[int]:
    """Numbers of points of the limited group in the clusters."""
    return np.bincount(np.asarray(labels)[GROUPS], minlength=3).tolist()


@pytest.mark.parametrize("seed", first_few(6, range(30)))
def test_the_optimum_is_found_and_proved(seed: int, tmp_path: Path) -> None:
    check(random_fair(seed), tmp_path)


@pytest.mark.parametrize("seed", first_few(3, range(60, 75)))
def test_heuristics_and_certificates_keep_to_the_groups(seed: int) -> None:
    check_beside_the_optimum(random_fair(seed))


@pytest.mark.parametrize("limits", [(9, None), (None, 11), (10, 10)])
def test_one_group_is_a_size(limits: tuple[int | None, int | None]) -> None:
    low, high = limits
    sizes = pcsos.solve(POINTS, 3, size_min=low, size_max=high, workers=1)
    groups = pcsos.solve(POINTS, 3, workers=1, conditions=[pcsos.Groups(["all"] * 30, at_least=low, at_most=high)])
    assert (groups.objective, groups.lower_bound, groups.nodes) == (sizes.objective, sizes.lower_bound, sizes.nodes)


def test_a_point_a_group_is_all_points() -> None:
    result = pcsos.solve(POINTS[:8], 2, workers=1, conditions=[pcsos.Groups(range(8), at_least=0, at_most=1)])
    assert result.instance is not None
    assert result.instance.limits is None


@pytest.mark.slow
def test_a_stopped_run_goes_on_with_its_groups(tmp_path: Path) -> None:
    path, instance = tmp_path / "some.run", Instance(POINTS[::3], 3, conditions=[pcsos.Groups(GROUPS[::3], {True: 1})])
    assert pcsos.solve(instance, workers=1, run_file=path, options=pcsos.Options(node_limit=0)).status != "OPTIMAL"
    with RunFile.read(path) as file:
        assert file.instance.asked.to_dict() == instance.asked.to_dict()
    result = pcsos.resume(path, workers=1)
    assert result.status == "OPTIMAL"
    assert result.labels is not None
    assert np.unique(result.labels[GROUPS[::3]]).size == 3


def test_certify_refuses_labels_that_miss_a_limit_and_offers_none_that_do() -> None:
    free = pcsos.solve(POINTS, 3, workers=1)
    assert min(held(free.labels)) < 2
    with pytest.raises(pcsos.InputError, match="points of group 'True', less than group_min = 2"):
        pcsos.certify(POINTS, free.labels, conditions=FAIR)
    result = pcsos.certify(POINTS, np.arange(30) % 3, conditions=FAIR, workers=1)
    assert result.better is not None
    assert min(held(result.better.labels)) >= 2


def test_a_path_shows_where_groups_do_not_suffice() -> None:
    path = pcsos.path(POINTS[:8], range(1, 4), workers=1, conditions=[pcsos.Groups([*"aabbbbbb"], at_least={"a": 1})])
    assert [str(row.status) for row in path.rows] == ["OPTIMAL", "OPTIMAL", "INFEASIBLE"]
    assert path.results[-1].message is not None
    assert "3 clusters of group_min = 1 for group 'a' need 3 points of it" in path.results[-1].message
    assert path.rows[1].objective >= pcsos.solve(POINTS[:8], 2, workers=1).objective


def test_points_of_a_group_that_pairs_hold_together_are_told_in_one_sentence() -> None:
    groups = [*"aaab", *"b" * 40]
    result = pcsos.solve(
        np.arange(44.0), 2, must_link=[(0, 1)], workers=1, conditions=[pcsos.Groups(groups, at_most={"a": 2, "b": 40})]
    )
    assert result.status == "OPTIMAL"
    whole = pcsos.solve(
        np.arange(44.0), 2, must_link=[(0, 1), (1, 2)], conditions=[pcsos.Groups(groups, at_most={"a": 2})]
    )
    assert whole.status == "INFEASIBLE"
    assert whole.message == (
        "point 0 and those that it must be linked to are 3 points of weight 3, 3 of group 'a', more than group_max = 2 "
        "of the 3 of group 'a' allows"
    )
    apart = pcsos.solve(
        [0.0, 1.0, 2.0, 3.0],
        2,
        cannot_link=[(0, 2), (0, 3), (1, 2)],
        conditions=[pcsos.Groups([*"aabb"], at_least={"b": 1})],
    )
    assert apart.status == "INFEASIBLE"
    assert apart.message is not None


def test_an_instance_that_is_given_takes_no_groups_beside_it() -> None:
    with pytest.raises(pcsos.InputError, match="conditions is given beside an Instance, which has its own"):
        pcsos.solve(Instance(POINTS, 3), conditions=[pcsos.Groups(GROUPS)])
    instance = Instance(POINTS, 3, conditions=FAIR)
    (kept,) = instance.conditions
    assert isinstance(kept, pcsos.Groups)
    changed = instance.with_(conditions=[replace(kept, at_most=12)])
    assert changed.asked.to_dict()["limits"]["group_min"] == [["True", 2]]
    assert changed.limits != instance.limits
