"""Sizes: labels whose clusters have other numbers of points than the list."""

import numpy as np
import pytest

from pcsos import Sizes
from pcsos.base.exceptions import InputError
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition


@pytest.mark.parametrize("labels", [[0, 0, 1, 1, 1], [0, 1, 1, 0, 0]])
def test_a_list_of_sizes_is_kept_by_whichever_cluster_has_which(labels: list[int]) -> None:
    assert (
        Partition.of(Instance(np.arange(5.0), 2, conditions=[Sizes(exactly=[3, 2])]), labels).labels.tolist() == labels
    )


def test_labels_of_other_sizes_than_the_list_are_refused() -> None:
    with pytest.raises(InputError, match="the clusters have 1, 4 points instead of 2, 3"):
        Partition.of(Instance(np.arange(5.0), 2, conditions=[Sizes(exactly=[3, 2])]), [0, 1, 1, 1, 1])
    limits = Limits.of([Sizes(exactly=[1, 3, 3])])  # no size is too small or too large by itself
    assert limits is not None
    assert limits.violation([0, 1, 1, 1, 2, 2, 2], np.ones(7)) is None
    assert limits.violation([0, 0, 1, 1, 2, 2, 2], np.ones(7)) == "the clusters have 2, 2, 3 points instead of 1, 3, 3"
