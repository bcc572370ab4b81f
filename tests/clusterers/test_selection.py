import itertools
from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from pcsos.base.exceptions import InputError
from pcsos.clusterers import KMeans, PCSKMeans, SparseKMeans, selection
from pcsos.clusterers.selection import (
    KINDS,
    Protocol,
    best_within,
    drawn_pairs,
    held_out_scores,
    pairwise_f,
    select_sparsity,
    signed_ranks,
    sparsity_grid,
)
from pcsos.report.progress import counted
from tests.slow import first_few

IRIS, CLASSES = load_iris(return_X_y=True)
QUICK = Protocol(share=0.02, n_folds=5, n_repeats=1)


class TestPairwiseF:
    @pytest.mark.parametrize("seed", first_few(10, range(20)))
    def test_it_counts_pairs(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        classes, labels = rng.integers(4, size=25), rng.integers(3, size=25)
        upper = np.triu_indices(25, 1)
        wanted, found = ((names[:, None] == names)[upper] for names in (classes, labels))
        precision, recall = (wanted & found).sum() / found.sum(), (wanted & found).sum() / wanted.sum()
        assert pairwise_f(classes, labels) == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-12)

    def test_names_do_not_matter_and_equal_partitions_score_one(self) -> None:
        assert pairwise_f(["x", "y", "x"], [5, 1, 5]) == 1.0
        assert pairwise_f([0, 1], [4, 4]) == 0.0
        assert pairwise_f([0, 1], [1, 0]) == pairwise_f([], []) == 1.0


class TestPairs:
    @pytest.mark.parametrize("kind", KINDS)
    def test_pairs_are_of_the_kind_the_number_and_the_rows_asked_for(self, kind: str) -> None:
        rows = np.arange(0, 150, 2)
        must, cannot = drawn_pairs(CLASSES, rows, 0.05, kind, np.random.default_rng(0))  # type: ignore[arg-type]
        assert len(must) + len(cannot) == 140  # 138.75 of 2,775, made even
        assert not np.isin([*must.ravel(), *cannot.ravel()], np.arange(1, 150, 2)).any()
        assert (CLASSES[must[:, 0]] == CLASSES[must[:, 1]]).all()
        assert (CLASSES[cannot[:, 0]] != CLASSES[cannot[:, 1]]).all()
        assert (len(must) > 0) == (kind != "cannot-link")
        assert (len(cannot) > 0) == (kind != "must-link")

    def test_both_kinds_come_in_the_proportion_of_the_pool(self) -> None:
        rng = np.random.default_rng(0)
        shares = [len(drawn_pairs(CLASSES, np.arange(150), 0.02, "both", rng)[0]) / 224 for _ in range(60)]
        assert np.mean(shares) == pytest.approx(3675 / 11175, abs=0.02)

    def test_there_are_no_more_than_the_pool_holds(self) -> None:
        must, cannot = drawn_pairs(np.array([0, 0, 1]), np.arange(3), 1.0, "both", np.random.default_rng(0))
        assert (len(must), len(cannot)) == (1, 2)
        assert len(drawn_pairs(np.array([0, 0, 1]), np.arange(3), 1.0, "must-link", np.random.default_rng(0))[0]) == 1


class TestFolds:
    def test_folds_are_stratified_cover_all_and_draw_from_the_training_part(self) -> None:
        folds = list(QUICK.folds(CLASSES))
        assert len(folds) == 5
        assert sorted(np.concatenate([fold.test for fold in folds])) == list(range(150))
        for fold in folds:
            assert np.bincount(CLASSES[fold.test]).tolist() == [10, 10, 10]
            assert not np.isin(np.vstack([fold.must_link, fold.cannot_link]), fold.test).any()

    def test_the_seed_says_it_all_and_repeats_differ(self) -> None:
        one, other = (list(Protocol(n_repeats=2, n_folds=5, seed=3).folds(CLASSES)) for _ in range(2))
        np.testing.assert_array_equal(one[7].cannot_link, other[7].cannot_link)
        assert one[0].test.tolist() != one[5].test.tolist()

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"kind": "all"}, "kind is 'all'; give one of 'both', 'must-link', 'cannot-link'"),
            ({"share": 1.5}, "share is 1.5; give a share of the pairs from 0 to 1"),
            ({"n_folds": 1}, "n_folds is 1; give a whole number of at least 2"),
            ({"n_repeats": 0}, "n_repeats is 0; give a whole number of at least 1"),
        ],
    )
    def test_other_protocols_are_refused(self, params: dict[str, object], message: str) -> None:
        with pytest.raises(InputError, match=message):
            Protocol(**params)  # type: ignore[arg-type]


class TestScores:
    def test_models_see_the_same_folds(self) -> None:
        scores = held_out_scores(
            [KMeans(3, random_state=0), KMeans(3, random_state=0), KMeans(2, random_state=0)], IRIS, CLASSES, QUICK
        )
        assert scores.shape == (5, 3)
        np.testing.assert_array_equal(scores[:, 0], scores[:, 1])
        assert (scores[:, 0] != scores[:, 2]).any()
        labels = KMeans(3, random_state=0).fit(IRIS).labels_
        expected = [pairwise_f(CLASSES[fold.test], labels[fold.test]) for fold in QUICK.folds(CLASSES)]
        assert scores[:, 0].tolist() == expected

    def test_classes_have_to_be_as_many_as_samples(self) -> None:
        with pytest.raises(InputError, match="y has 3 classes but there are 150 samples"):
            held_out_scores([KMeans(3, random_state=0)], IRIS, [0, 1, 2], QUICK)


class TestSelection:
    @pytest.mark.slow
    def test_the_oracle_is_the_best_column(self) -> None:
        grid = [1.1, 1.5, 1.9]
        scores = held_out_scores([SparseKMeans(3, s=s, random_state=0) for s in grid], IRIS, CLASSES, QUICK)
        oracle = select_sparsity(
            SparseKMeans(3, random_state=0), IRIS, CLASSES, how="oracle", grid=grid, protocol=QUICK
        )
        best = scores.mean(axis=0).argmax()
        assert oracle.s == grid[best]
        assert oracle.scores.tolist() == scores[:, best].tolist()

    @pytest.mark.slow
    def test_nested_chooses_without_the_classes_of_test_samples(self) -> None:
        """Whatever these are, the same value is chosen; with other classes of training samples another one may be."""
        rows = next(iter(QUICK.folds(CLASSES))).train
        models = [PCSKMeans(3, init="robin", s=s, random_state=0) for s in (1.1, 1.5, 1.9)]
        lies = CLASSES.copy()
        lies[np.setdiff1d(np.arange(150), rows)] = 7
        chosen = [best_within(models, IRIS, classes, rows, QUICK, 3, 0) for classes in (CLASSES, lies)]
        assert chosen[0] == chosen[1]

    @pytest.mark.slow
    def test_nested_scores_are_those_of_what_was_chosen(self) -> None:
        nested = select_sparsity(
            PCSKMeans(3, init="robin", random_state=0), IRIS, CLASSES, grid=[1.1, 1.9], protocol=QUICK
        )
        models = [PCSKMeans(3, init="robin", s=s, random_state=0) for s in (1.1, 1.9)]
        scores = held_out_scores(models, IRIS, CLASSES, QUICK)
        assert nested.scores.tolist() == scores[np.arange(5), (nested.chosen == 1.9).astype(int)].tolist()
        assert nested.s in nested.chosen

    @pytest.mark.parametrize("grid", [[], 1.2, [[1.1, 1.3]], ["much"]])
    def test_a_grid_without_values_is_refused(self, grid: object) -> None:
        with pytest.raises(InputError, match=r"grid .*; give at least one value of s, such as \[1.1, 1.3\]"):
            select_sparsity(SparseKMeans(3, random_state=0), IRIS, CLASSES, grid=grid, protocol=QUICK)  # type: ignore[arg-type]

    @pytest.mark.parametrize("how", ["oracle", "nested"])
    def test_progress_is_told_after_two_seconds_and_not_where_it_is_unwanted(
        self, how: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for verbose in (True, False):
            monkeypatch.setattr(selection, "counted", partial(counted, clock=itertools.count().__next__))
            select_sparsity(
                SparseKMeans(3, random_state=0), IRIS, CLASSES, how=how, grid=[1.5], protocol=QUICK, verbose=verbose
            )
            told = "1 of 5 folds, 2 s, about 8 s left\n3 of 5 folds, 4 s, about 3 s left\n"
            assert capsys.readouterr().err == (told if verbose else "")

    def test_other_ways_are_refused(self) -> None:
        with pytest.raises(InputError, match="how is 'guess'; give 'nested' or 'oracle'"):
            select_sparsity(SparseKMeans(3, random_state=0), IRIS, CLASSES, how="guess", protocol=QUICK)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n_features", "last", "count"),
    [(4, 1.9, 5), (34, 5.7, 24), (16, 3.9, 15), (18, 4.1, 16), (10, 3.1, 11), (1, 1, 1)],
)
def test_the_grid_is_that_of_the_paper(n_features: int, last: float, count: int) -> None:
    grid = sparsity_grid(n_features)
    assert (len(grid), grid[-1]) == (count, last)


def test_signed_ranks_count_and_compare() -> None:
    rng = np.random.default_rng(0)
    worse = rng.random(60)
    better = worse + rng.random(60)
    found = signed_ranks(better, worse)
    assert found[:3] == (60, 0, 0)
    assert found.p_value < 1e-10
    assert signed_ranks(worse, better).p_value == found.p_value
    assert signed_ranks([1.0, 2.0], [1.0, 2.0]) == (0, 0, 2, 1.0)
