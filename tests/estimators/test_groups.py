"""Estimators with groups of samples."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from pcsos import Groups, InputError
from tests.estimators.test_conditions import KINDS, LINE, quiet

GROUPS = [*"aaabb"]


@pytest.mark.parametrize("kind", KINDS)
class TestGroups:
    def test_clusters_hold_points_of_each_group(self, kind: Any) -> None:
        own = [Groups(GROUPS, at_least=1, at_most={"a": 2})]
        labels = quiet(kind, 2).fit(LINE, conditions=own).labels_
        assert set(labels[:3]) == set(labels[3:]) == {0, 1}
        assert clone(quiet(kind, 2, conditions=own)).fit_predict(LINE).tolist() == labels.tolist()
        assert quiet(kind, 2).fit(LINE, conditions=[Groups(GROUPS)]).labels_.tolist() == [0, 0, 0, 1, 1]

    def test_samples_without_weight_do_not_count(self, kind: Any) -> None:
        weights = [1, 1, 1, 1, 0]
        with pytest.raises(InputError, match="2 clusters of group_min = 1 for group 'b' need 2 points of it"):
            quiet(kind, 2).fit(LINE, sample_weight=weights, conditions=[Groups(GROUPS, at_least=1)])
        model = quiet(kind, 2).fit(LINE, sample_weight=weights, conditions=[Groups(GROUPS, at_most={"a": 2})])
        assert np.bincount(model.labels_[:3]).max() == 2

    def test_groups_go_with_the_rows_of_a_table(self, kind: Any) -> None:
        table = pd.DataFrame({"x": LINE[:, 0]}, index=[*"vwxyz"])
        with pytest.raises(InputError, match="groups have another index than the points"):
            quiet(kind, 2).fit(table, conditions=[Groups(pd.Series(GROUPS), at_least=1)])
        model = quiet(kind, 2).fit(table, conditions=[Groups(pd.Series(GROUPS, index=table.index), at_least=1)])
        assert set(model.labels_[3:]) == {0, 1}

    def test_what_is_no_group_is_refused(self, kind: Any) -> None:
        with pytest.raises(InputError, match="groups are 2 labels for 5 points; give one label per point"):
            quiet(kind, 2).fit(LINE, conditions=[Groups([1, 2], at_least=1)])
        with pytest.raises(InputError, match=r"groups\[1\] is None; give every point the number or name of a group"):
            quiet(kind, 2).fit(LINE, conditions=[Groups([1, None, 1, 1, 1])])
        with pytest.raises(InputError, match="group_min is given without groups"):
            quiet(kind, 2, conditions=[Groups(at_least=1)])
