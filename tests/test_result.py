import dataclasses
import json

import numpy as np
import pytest

from pcsos.instance import Instance
from pcsos.partition import Partition
from pcsos.result import Reason, Result, Status
from tests.conftest import LINE_OPTIMUM

KEYS = {
    *("status", "reason", "objective", "lower_bound", "gap", "n_points", "n_features", "n_clusters"),
    *("n_super_points", "n_must_link", "n_cannot_link", "nodes", "root_lower_bound", "root_gap"),
    *("root_seconds", "seconds", "seed", "version", "labels"),
}


@pytest.fixture
def result(line: Instance) -> Result:
    return Result(
        status=Status.OPTIMAL,
        reason=Reason.GAP_REACHED,
        partition=Partition.of(line, [0, 0, 1, 1, 1]),
        lower_bound=LINE_OPTIMUM * (1 - 1e-5),
        n_points=5,
        n_features=1,
        n_clusters=2,
        n_super_points=3,
        n_must_link=1,
        n_cannot_link=1,
        seconds=0.25,
        seed=0,
        nodes=1,
        root_lower_bound=LINE_OPTIMUM * (1 - 1e-3),
    )


def test_labels_objective_and_gaps_come_from_partition_and_bounds(result: Result) -> None:
    np.testing.assert_array_equal(result.labels, [0, 0, 1, 1, 1])
    assert result.objective == pytest.approx(LINE_OPTIMUM)
    assert result.gap == pytest.approx(1e-5)
    assert result.root_gap == pytest.approx(1e-3)


def test_what_is_not_known_is_none(result: Result) -> None:
    unknown = dataclasses.replace(
        result, partition=None, lower_bound=None, root_lower_bound=None, status=Status.UNKNOWN
    )
    assert (unknown.labels, unknown.objective, unknown.gap, unknown.root_gap) == (None, None, None, None)
    assert dataclasses.replace(result, lower_bound=None).gap is None


def test_the_dictionary_is_json_with_the_documented_keys(result: Result) -> None:
    stored = json.loads(json.dumps(result.to_dict()))
    assert set(stored) >= KEYS
    assert stored["status"] == "OPTIMAL"
    assert stored["labels"] == [0, 0, 1, 1, 1]
    assert stored["gap"] == result.gap


def test_a_result_keeps_its_instance_but_does_not_show_it(line: Instance) -> None:
    result = Result.of(line, Status.UNKNOWN, Reason.TIME_LIMIT, seconds=0.0, seed=0)
    assert result.instance is line
    assert "Instance" not in repr(result)
    assert "instance" not in result.to_dict()
