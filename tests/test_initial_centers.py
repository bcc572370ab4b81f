"""Centres to begin with, and numbers of clusters that are kept."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pcsos
from pcsos import heuristics
from pcsos.base.events import Event, IncumbentFound
from pcsos.base.exceptions import InputError

RNG = np.random.default_rng(3)
CENTRES = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 9.0]])
POINTS = np.repeat(CENTRES, 20, axis=0) + RNG.standard_normal((80, 2))


class TestInitialCenters:
    def found(self, points: np.ndarray, k: int, **arguments: object) -> list[IncumbentFound]:
        events: list[Event] = []
        options = pcsos.Options(node_limit=0, on_event=events.append)
        pcsos.solve(points, k, workers=1, **arguments, options=options)  # type: ignore[arg-type]
        return [event for event in events if isinstance(event, IncumbentFound)]

    def test_good_ones_are_the_first_incumbent_and_the_best(self) -> None:
        (first, *others) = self.found(POINTS, 4, start=CENTRES)
        assert (first.source, others) == ("C", [])

    @pytest.mark.parametrize("pairs", [{}, {"cannot_link": [(0, 1)]}, {"size_max": 21}, {"must_link": [(0, 20)]}])
    def test_they_are_where_k_means_begins(self, pairs: dict[str, object]) -> None:
        poor = np.array([[0.0, 0.0], [0.5, 0.0], [9.0, 4.5], [0.0, 9.0]])
        first = self.found(POINTS, 4, start=poor, **pairs)[0]
        assert first.source == "C"
        assert first.objective >= pcsos.solve(POINTS, 4, workers=1, **pairs).objective  # type: ignore[arg-type]

    def test_with_more_features_than_points(self) -> None:
        """Points are rotated into fewer dimensions then, and centres with them."""
        wide = np.random.default_rng(0).standard_normal((12, 40))
        wide[6:, 0] += 30.0
        centres = np.array([wide[:6].mean(axis=0), wide[6:].mean(axis=0)])
        (first, *others) = self.found(wide, 2, start=centres)
        labels = np.repeat([0, 1], 6)
        assert first.objective == pytest.approx(pcsos.Partition.of(pcsos.Instance(wide, 2), labels).objective)
        assert others == []

    def test_an_infeasible_instance_is_infeasible_still(self) -> None:
        result = pcsos.solve([0.0, 1.0, 5.0], 2, cannot_link=[(0, 1), (1, 2), (0, 2)], start=[[0.0], [5.0]])
        assert str(result.status) == "INFEASIBLE"

    def test_a_heuristic_begins_with_them(self) -> None:
        found: list[float] = []
        heuristics.run(pcsos.Instance(POINTS, 4), start=CENTRES, on_improvement=lambda own: found.append(own.objective))
        assert found == [pytest.approx(pcsos.solve(POINTS, 4, workers=1).objective)]

    @pytest.mark.parametrize(
        ("centres", "reason"),
        [
            ([[0.0, 0.0]], r"have shape \(1, 2\); give 2 centres of 2 coordinates"),
            ([[0.0], [1.0]], r"have shape \(2, 1\)"),
            ([[0.0, np.nan], [1.0, 1.0]], r"centres\[0, 1\] is nan"),
            ([["a", "b"], ["c", "d"]], "centres must be numbers"),
            ("file.csv", "start"),
        ],
    )
    def test_others_are_refused(self, centres: object, reason: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=reason):
            pcsos.solve(POINTS, 2, start=centres, run_file=tmp_path / "run")  # type: ignore[arg-type]
        assert not (tmp_path / "run").exists()

    def test_inner_products_have_no_coordinates(self) -> None:
        with pytest.raises(InputError, match="give labels as start instead"):
            pcsos.solve(pcsos.Kernel(POINTS, "rbf"), 2, start=CENTRES[:2])


@pytest.mark.parametrize("kind", [pcsos.CertifiedKMeans, pcsos.MemeticKMeans])
def test_estimators_begin_with_centres(kind: type[pcsos.CertifiedKMeans]) -> None:
    model = kind(4, random_state=0).fit(POINTS, start=CENTRES)
    assert model.inertia_ == pytest.approx(pcsos.solve(POINTS, 4, workers=1).objective)
    with pytest.raises(InputError, match=r"centres have shape \(3, 2\); give 4 centres"):
        kind(4).fit(POINTS, start=CENTRES[:3])


class TestMatching:
    RESULT = pcsos.solve(POINTS, 4, workers=1)

    @pytest.mark.parametrize("seed", range(4))
    def test_clusters_keep_their_numbers(self, seed: int) -> None:
        earlier = np.random.default_rng(seed).permutation(4)[np.repeat(np.arange(4), 20)]
        np.testing.assert_array_equal(self.RESULT.matched_to(earlier).labels, earlier)
        np.testing.assert_array_equal(self.RESULT.matched_to(earlier[:70]).labels, earlier)
        gaps = np.where(np.arange(80) % 3 == 0, -1, earlier)
        np.testing.assert_array_equal(self.RESULT.matched_to(gaps).labels, earlier)

    def test_sizes_and_centres_go_along(self) -> None:
        matched = self.RESULT.matched_to(CENTRES[::-1])
        assert np.abs(matched.centers - CENTRES[::-1]).max() < 1.0
        assert matched.objective == self.RESULT.objective
        assert matched.sizes.tolist() == [20, 20, 20, 20]

    def test_of_more_or_fewer_clusters(self) -> None:
        three = np.minimum(np.repeat([3, 2, 1, 1], 20), 3)
        labels = self.RESULT.matched_to(three).labels
        assert (labels[0], labels[20]) == (3, 2)
        assert sorted(np.unique(labels)) == [0, 1, 2, 3]
        assert self.RESULT.matched_to([7] * 20 + [2] * 20).labels[20] == 2

    def test_by_the_index_of_a_table(self) -> None:
        table = pd.DataFrame(POINTS, index=[f"p{i}" for i in range(80)])
        earlier = pd.Series(np.repeat([3, 2, 1, 0], 20), index=table.index).sample(frac=0.8, random_state=0)
        labels = pcsos.solve(table, 4, workers=1).matched_to(earlier).labels
        np.testing.assert_array_equal(labels, np.repeat([3, 2, 1, 0], 20))

    @pytest.mark.parametrize(
        ("earlier", "reason"),
        [
            (np.zeros(81), "match_to has 81 labels for 80 points"),
            ([0.5] * 80, r"match_to\[0\] is 0.5"),
            (np.zeros((4, 3)), r"match_to has shape \(4, 3\), but there are 2 features"),
            (["a"] * 80, "match_to must be numbers"),
        ],
    )
    def test_others_are_refused(self, earlier: object, reason: str) -> None:
        with pytest.raises(InputError, match=reason):
            self.RESULT.matched_to(earlier)  # type: ignore[arg-type]


class TestPredict:
    def test_other_points_have_the_nearest_centre(self) -> None:
        others = np.random.default_rng(1).uniform(-5.0, 15.0, size=(500, 2))
        result = pcsos.solve(POINTS, 4, workers=1)
        distances = ((others[:, None] - result.centers) ** 2).sum(axis=2)
        np.testing.assert_array_equal(result.predict(others), distances.argmin(axis=1))
        np.testing.assert_array_equal(result.predict(POINTS), result.labels)
        assert result.predict(np.empty((0, 2))).size == 0

    @pytest.mark.parametrize(
        ("points", "reason"),
        [
            (np.zeros((3, 3)), r"points have shape \(3, 3\); give 2 coordinates"),
            ([[0.0, np.nan]], r"points\[0, 1\] is nan"),
            ("x", "points is of type str"),
        ],
    )
    def test_those_that_do_not_fit_are_refused(self, points: object, reason: str) -> None:
        with pytest.raises(InputError, match=reason):
            pcsos.solve(POINTS, 4, workers=1).predict(points)  # type: ignore[arg-type]

    def test_inner_products_have_no_centres(self) -> None:
        with pytest.raises(InputError, match="predict needs coordinates"):
            pcsos.solve(pcsos.Kernel(POINTS, "rbf"), 2, workers=1, gap=0.5).predict(POINTS)
