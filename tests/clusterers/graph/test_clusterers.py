import signal
import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons

from pcsos import InfeasibleError, InputError
from pcsos.clusterers import MCSSDBS, MCSSGC, SSGC
from pcsos.clusterers.graph.mcssdbs import ReachabilityTree, spanning_tree
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture

KINDS: list[Any] = [SSGC, MCSSGC, MCSSDBS]
WITH_PAIRS: list[Any] = [MCSSGC, MCSSDBS]
LINE = np.array([[0.0], [1.0], [2.0], [5.0], [6.0], [7.5]])
ENDS = [0, -1, -1, -1, -1, 1]


@pytest.mark.parametrize("kind", KINDS)
class TestFit:
    def test_two_moons_are_found_from_one_seed_each(self, kind: Any) -> None:
        points, moon = make_moons(300, noise=0.05, random_state=0)
        seeds = np.full(300, -1)
        for label in (0, 1):
            seeds[np.flatnonzero(moon == label)[0]] = label + 5
        model = kind().fit(points, seeds)
        assert (model.labels_ == moon + 5).mean() > 0.98
        assert (model.predict(points) == model.labels_).all()

    def test_labels_are_those_of_the_seeds_wherever_there_are_seeds(self, kind: Any) -> None:
        points, component = gaussian_mixture(120, 2, 4, separation=3.0, seed=0)
        seeds = np.where(np.arange(120) % 3 == 0, component * 10 - 20, -1)
        labels = kind().fit(points, seeds).labels_
        assert (labels[seeds != -1] == seeds[seeds != -1]).all()
        assert set(labels) == set(seeds) - {-1}

    def test_leftovers_are_noise_where_asked_for(self, kind: Any) -> None:
        points = np.vstack([LINE, [[40.0]]])
        seeds = [*ENDS, -1]
        params = {"min_samples": 1} if kind is MCSSDBS else {"n_neighbors": 2}
        near, noise = (kind(**params, leftovers=leftovers).fit(points, seeds) for leftovers in ("nearest", "noise"))
        assert near.labels_.tolist() == [0, 0, 0, 1, 1, 1, 1]
        if kind is not MCSSDBS:  # whose trees reach everything but what is beyond a cut
            assert noise.labels_.tolist() == [0, 0, 0, 1, 1, 1, -1]
            assert noise.predict([[40.0]]).tolist() == [1]

    @pytest.mark.slow
    def test_rows_of_a_table_are_called_by_their_index(self, kind: Any) -> None:
        table = pd.DataFrame({"height": LINE[:, 0]}, index=list("abcdef"))
        params = {"min_samples": 1} if kind is MCSSDBS else {"n_neighbors": 2}
        pairs = {} if kind is SSGC else {"must_link": [("c", "d")], "cannot_link": [("a", "f")]}
        model = kind(**params).fit(table, pd.Series(ENDS, index=list("abcdef")), **pairs)
        assert model.feature_names_in_.tolist() == ["height"]
        assert kind is SSGC or model.labels_[2] == model.labels_[3]

    def test_fit_predict_hands_seeds_on(self, kind: Any) -> None:
        params = {"min_samples": 1} if kind is MCSSDBS else {"n_neighbors": 2}
        assert kind(**params).fit_predict(LINE, ENDS).tolist() == [0, 0, 0, 1, 1, 1]

    def test_one_label_takes_everything(self, kind: Any) -> None:
        assert kind().fit(LINE, [-1, 4, -1, -1, -1, -1]).labels_.tolist() == [4] * 6

    def test_samples_at_one_place(self, kind: Any) -> None:
        points = np.zeros((12, 2))
        seeds = [3, 8, *[-1] * 10]
        labels = kind(2).fit(points, seeds).labels_
        assert labels[:2].tolist() == [3, 8]
        assert set(labels) == {3, 8}


@pytest.mark.parametrize("kind", KINDS)
class TestRefusals:
    @pytest.mark.parametrize("count", [0, -3, 2.5, True, "3"])
    def test_counts_of_neighbours(self, kind: Any, count: Any) -> None:
        with pytest.raises(InputError, match=r"(n_neighbors|min_samples) is .*; give a whole number of at least 1"):
            kind(count).fit(LINE, ENDS)

    def test_unknown_leftovers(self, kind: Any) -> None:
        with pytest.raises(InputError, match=r"leftovers is 'lost'; give 'nearest' or 'noise'"):
            kind(leftovers="lost").fit(LINE, ENDS)

    @pytest.mark.parametrize(
        ("seeds", "message"),
        [
            ([0, 1], r"y has shape \(2,\) but there are 6 samples"),
            ([0, 0.5, -1, -1, -1, -1], r"y\[1\] is 0.5"),
            (["a"] * 6, "y must be whole numbers"),
        ],
    )
    def test_seeds(self, kind: Any, seeds: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            kind().fit(LINE, seeds)

    def test_pairs_out_of_range(self, kind: Any) -> None:
        with pytest.raises(InputError, match=r"must_link\[0\] is \(0, 6\), but point indices go from 0 to 5"):
            kind().fit(LINE, ENDS, must_link=[(0, 6)])


def test_unknown_ways_of_must_links() -> None:
    with pytest.raises(InputError, match=r"must_link is 'merged'; give 'contracted' or 'neighbours'"):
        MCSSGC(must_link="merged").fit(LINE, ENDS)  # type: ignore[arg-type]


def test_a_must_link_makes_neighbours_and_is_cut_where_it_joins_two_labels() -> None:
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    seeds, pairs = [0, -1, -1, -1, -1, 1], [(2, 3)]
    published = MCSSGC(2, must_link="neighbours").fit(points, seeds, must_link=pairs)
    assert published.threshold_ == 1  # the samples of the must-link share no neighbour
    assert published.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert published.n_violations_ == 1
    assert [2, 3] in published.graph_.edges.tolist()
    contracted = MCSSGC(2).fit(points, seeds, must_link=pairs)
    assert contracted.n_violations_ == 0
    assert contracted.labels_[2] == contracted.labels_[3]


@pytest.mark.slow
def test_one_sample_linked_to_all_others_costs_no_more_memory_than_its_pairs() -> None:
    n = 20_000
    points = np.random.default_rng(0).normal(size=(n, 2))
    star = np.column_stack([np.zeros(n - 1, np.intp), np.arange(1, n)])
    model = MCSSGC(must_link="neighbours").fit(points, None, must_link=star)
    assert len(model.graph_.edges) >= n - 1


def test_ssgc_says_that_it_knows_no_pairs() -> None:
    for pairs in ({"must_link": [(0, 1)]}, {"cannot_link": [(0, 5)]}):
        with pytest.raises(InputError, match="knows seeds alone; use MCSSGC"):
            SSGC().fit(LINE, ENDS, **pairs)


@pytest.mark.parametrize("kind", WITH_PAIRS)
class TestContradictions:
    def test_a_cannot_link_within_must_links(self, kind: Any) -> None:
        with pytest.raises(InfeasibleError, match=r"points 0 and 3 cannot be linked.*: 0 - 2 - 3"):
            kind().fit(LINE, ENDS, must_link=[(0, 2), (2, 3)], cannot_link=[(3, 0)])

    def test_two_labels_within_must_links(self, kind: Any) -> None:
        with pytest.raises(InfeasibleError, match=r"points 0 and 5 have the labels 0 and 1, .*: 0 - 3 - 5") as caught:
            kind().fit(LINE, ENDS, must_link=[(0, 3), (5, 3)])
        assert caught.value.witness["must_link_path"] == [0, 3, 5]

    def test_a_cannot_link_between_samples_of_one_label_by_the_users_names(self, kind: Any) -> None:
        table = pd.DataFrame(LINE, index=["ash", "beech", "cedar", "dogwood", "elm", "fir"])
        with pytest.raises(InfeasibleError) as caught:
            kind().fit(
                table, [4, -1, -1, -1, -1, 4],
                must_link=[("ash", "cedar"), ("dogwood", "fir")], cannot_link=[("cedar", "dogwood")],
            )  # fmt: skip
        assert str(caught.value) == (
            "points ash and fir have the label 4 both, but a cannot-link keeps them apart: ash - cedar | dogwood - fir"
        )


class TestMCSSGC:
    def test_points_that_may_join_nothing_get_a_label_of_their_own_and_a_warning(self) -> None:
        with pytest.warns(UserWarning, match="given 1 more"):
            model = MCSSGC(2).fit(LINE, ENDS, cannot_link=[(0, 2), (2, 5)])
        assert model.labels_[2] == 2
        assert set(model.labels_) == {0, 1, 2}

    def test_an_unknown_split(self) -> None:
        with pytest.raises(InputError, match="split is 'all'; give one of 'offending', 'literal', 'minimum_cut'"):
            MCSSGC(split="all").fit(LINE)  # type: ignore[arg-type]

    def test_the_order_of_samples_plays_no_part(self) -> None:
        points, component = gaussian_mixture(150, 2, 3, separation=3.0, seed=4)
        order = np.random.default_rng(0).permutation(150)
        seeds = np.where(np.arange(150) % 10 == 0, component, -1)
        drawn = constraints_from_labels(component, n_must_link=20, n_cannot_link=20, seed=2)
        where = np.argsort(order)
        one, other = (
            MCSSGC(leftovers="noise").fit(points[rows], seeds[rows], must_link=pairs[0], cannot_link=pairs[1])
            for rows, pairs in ((np.arange(150), drawn), (order, [where[kind] for kind in drawn]))
        )
        assert one.threshold_ == other.threshold_
        np.testing.assert_array_equal(one.principal_labels_[order], other.principal_labels_)

    def test_moving_and_scaling_change_nothing(self) -> None:
        points, component = gaussian_mixture(150, 2, 3, separation=3.0, seed=5)
        seeds = np.where(np.arange(150) % 10 == 0, component, -1)
        one, other = MCSSGC().fit(points, seeds), MCSSGC().fit(points * 1024.0 - 4096.0, seeds)
        np.testing.assert_array_equal(one.labels_, other.labels_)

    @pytest.mark.slow
    def test_a_hundred_thousand_samples_take_less_than_a_minute(self) -> None:
        points, component = gaussian_mixture(100_000, 2, 10, separation=6.0, seed=1)
        seeds = np.where(np.arange(100_000) % 100 == 0, component, -1)
        pairs = constraints_from_labels(component, n_must_link=1000, n_cannot_link=1000, seed=2)
        start = time.process_time()
        model = MCSSGC().fit(points, seeds, must_link=pairs[0], cannot_link=pairs[1])
        assert time.process_time() - start < 60.0
        assert model.n_violations_ == 0


class TestMCSSDBS:
    def test_seeds_are_needed(self) -> None:
        for seeds in (None, [-1] * 6):
            with pytest.raises(InputError, match=r"requires y .* label at least one sample"):
                MCSSDBS().fit(LINE, seeds)

    def test_the_longest_edge_is_cut_where_nobody_is_asked(self) -> None:
        model = MCSSDBS(1).fit(LINE, ENDS)
        assert model.threshold_.tolist() == [3.0, 3.0]
        assert model.n_questions_ == 0

    def test_the_first_edge_that_is_rejected_is_cut(self) -> None:
        asked: list[tuple[int, int]] = []

        def ask(i: int, j: int) -> bool:
            asked.append((i, j))
            return (i, j) != (1, 2)

        model = MCSSDBS(1, ask=ask).fit(LINE, ENDS)
        assert asked == [(2, 3), (4, 5), (0, 1), (1, 2), (3, 4)]
        assert model.labels_.tolist() == [0, 0, 1, 1, 1, 1]
        assert model.n_questions_ == 5
        assert clone(model).ask is ask

    def test_who_knows_nothing_leaves_the_longest_edge(self) -> None:
        model = MCSSDBS(1, ask=lambda i, j: None).fit(LINE, ENDS)
        assert model.labels_.tolist() == MCSSDBS(1).fit(LINE, ENDS).labels_.tolist()
        assert model.n_questions_ == 5

    @pytest.mark.parametrize("ask", ["yes", True, [(0, 1)]])
    def test_whoever_cannot_be_asked_is_refused(self, ask: Any) -> None:
        with pytest.raises(InputError, match=r"ask is .*; give a function of two samples"):
            MCSSDBS(1, ask=ask).fit(LINE, ENDS)

    @pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that sends signals")
    def test_an_interrupt_is_heard_at_once(self) -> None:
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        points, group = np.random.default_rng(0).normal(size=(200_000, 2)), np.arange(200_000)
        farthest = np.roll(group, 1)
        ReachabilityTree.of(points[:10], 2, group[:10])  # compiled
        previous = signal.signal(signal.SIGPROF, interrupt)
        start = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_PROF, 0.2)
            with pytest.raises(KeyboardInterrupt):
                spanning_tree(points, farthest, group)
            assert time.process_time() - start < 10.0  # all of it takes minutes
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            signal.signal(signal.SIGPROF, previous)

    def test_broken_cannot_links_are_counted(self) -> None:
        model = MCSSDBS(1).fit(LINE, ENDS, cannot_link=[(0, 2)])
        assert model.labels_.tolist() == [0, 0, 0, 1, 1, 1]
        assert model.n_violations_ == 1
