"""Estimators with groups of samples."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from pcsos import InputError
from tests.estimators.test_conditions import KINDS, LINE, quiet

GROUPS = [*"aaabb"]


@pytest.mark.parametrize("kind", KINDS)
class TestGroups:
    def test_clusters_hold_points_of_each_group(self, kind: Any) -> None:
        model = clone(quiet(kind, 2, group_min=1, group_max={"a": 2}))
        labels = model.fit(LINE, groups=GROUPS).labels_
        assert set(labels[:3]) == set(labels[3:]) == {0, 1}
        assert model.fit_predict(LINE, groups=GROUPS).tolist() == labels.tolist()
        assert quiet(kind, 2).fit(LINE, groups=GROUPS).labels_.tolist() == [0, 0, 0, 1, 1]

    def test_samples_without_weight_do_not_count(self, kind: Any) -> None:
        weights = [1, 1, 1, 1, 0]
        with pytest.raises(InputError, match="2 clusters of group_min = 1 for group 'b' need 2 points of it"):
            quiet(kind, 2, group_min=1).fit(LINE, groups=GROUPS, sample_weight=weights)
        model = quiet(kind, 2, group_max={"a": 2}).fit(LINE, groups=GROUPS, sample_weight=weights)
        assert np.bincount(model.labels_[:3]).max() == 2

    def test_groups_go_with_the_rows_of_a_table(self, kind: Any) -> None:
        table = pd.DataFrame({"x": LINE[:, 0]}, index=[*"vwxyz"])
        with pytest.raises(InputError, match="groups have another index than the points"):
            quiet(kind, 2, group_min=1).fit(table, groups=pd.Series(GROUPS))
        model = quiet(kind, 2, group_min=1).fit(table, groups=pd.Series(GROUPS, index=table.index))
        assert set(model.labels_[3:]) == {0, 1}

    def test_what_is_no_group_is_refused(self, kind: Any) -> None:
        with pytest.raises(InputError, match="groups are 2 labels for 5 points; give one label per point"):
            quiet(kind, 2, group_min=1).fit(LINE, groups=[1, 2])
        with pytest.raises(InputError, match=r"groups\[1\] is None; give every point the number or name of a group"):
            quiet(kind, 2).fit(LINE, groups=[1, None, 1, 1, 1])
        with pytest.raises(InputError, match="group_min is given without groups"):
            quiet(kind, 2, group_min=1).fit(LINE)
