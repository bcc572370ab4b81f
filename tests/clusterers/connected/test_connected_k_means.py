"""Connected clusters: against all of them on small graphs, on maps, and with every form of graph and refusal."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

import pcsos
from pcsos import InputError, Status
from pcsos.clusterers import ConnectedKMeans
from pcsos.clusterers.connected.adjacency import Adjacency
from pcsos.clusterers.connected.moving import descend
from pcsos.heuristics.moves import Nodes
from pcsos.problem.instance import Instance
from tests.oracle import all_partitions, costs
from tests.slow import shares

#: Six places along a road, of which the outer ones are alike.
ROAD = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
ALONG = np.array([[1.0], [2.0], [9.0], [8.0], [1.0], [2.0]])


def is_connected(labels: NDArray[Any], edges: NDArray[Any]) -> bool:
    """Whether a search from the first sample of each cluster meets all the others."""
    for cluster in np.unique(labels):
        own = set(np.flatnonzero(labels == cluster).tolist())
        front = {min(own)}
        met = set(front)
        while front:
            ends = {b for a, b in edges.tolist() if a in front} | {a for a, b in edges.tolist() if b in front}
            front = (ends & own) - met
            met |= front
        if met != own:
            return False
    return True


def grid(height: int, width: int) -> NDArray[np.intp]:
    """The edges between cells of a grid that share a side."""
    cells = np.arange(height * width).reshape(height, width)
    beside = np.column_stack([cells[:, :-1].ravel(), cells[:, 1:].ravel()])
    below = np.column_stack([cells[:-1].ravel(), cells[1:].ravel()])
    return np.vstack([beside, below])


def landscape(height: int, width: int, seed: int) -> NDArray[np.float64]:
    """Two features of each cell of a grid that change slowly, and a little noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width] / 10.0
    waves = [np.sin(a * x + b) * np.cos(c * y + b) for a, b, c in rng.uniform(0.5, 4.0, (2, 3))]
    return np.stack(waves, axis=-1).reshape(-1, 2) + 0.1 * rng.normal(size=(height * width, 2))


def small_problem(seed: int) -> tuple[Instance, NDArray[np.intp]]:
    """At most nine points, weighted half of the time, and a graph with no more components than clusters."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 10))
    k = int(rng.integers(2, min(n, 5)))
    pairs = np.column_stack(np.triu_indices(n, 1))
    edges = np.empty((0, 2), np.intp)
    while sparse.csgraph.connected_components(adjacency(edges, n))[0] > k:
        edges = pairs[rng.random(len(pairs)) < rng.choice([0.25, 0.35, 0.5])]
    points = rng.normal(size=(n, int(rng.integers(1, 4))))
    points = points.round() if rng.random() < 0.3 else points
    weights = np.ones(n) if rng.random() < 0.5 else rng.uniform(0.1, 3.0, n)
    return Instance(points, k, weights=weights), edges


def adjacency(edges: Any, n: int) -> Any:
    one, other = np.asarray(edges, np.intp).reshape(-1, 2).T
    return sparse.coo_array((np.ones(len(one)), (one, other)), shape=(n, n))


def least_cost(instance: Instance, edges: NDArray[np.intp]) -> float:
    """The cost of the best connected clusters, found by looking at all partitions, the cheapest first."""
    partitions = all_partitions(instance.n_points, instance.n_clusters)
    every = costs(instance, partitions)
    return next(float(every[at]) for at in np.argsort(every) if is_connected(partitions[at], edges))


class TestAgainstAllPartitions:
    @pytest.mark.parametrize("seeds", shares(5, 120))
    def test_nothing_beats_the_optimum_and_nearly_all_searches_reach_it(self, seeds: range) -> None:
        reached = 0
        for seed in seeds:
            instance, edges = small_problem(seed)
            best = least_cost(instance, edges)
            model = ConnectedKMeans(instance.n_clusters, time_limit=0, random_state=0)
            model.fit(instance.points, connectivity=edges, sample_weight=instance.weights)
            assert len(set(model.labels_)) == instance.n_clusters
            assert is_connected(model.labels_, edges)
            cost = costs(instance, model.labels_[None])[0]
            assert model.inertia_ == pytest.approx(cost, rel=1e-9, abs=1e-12)
            assert cost >= best * (1.0 - 1e-9)
            reached += cost <= best * (1.0 + 1e-9) + 1e-12
        assert reached >= 0.97 * len(seeds)

    @pytest.mark.parametrize("seeds", shares(6, 40))
    def test_the_bound_holds_for_all_connected_clusters(self, seeds: range) -> None:
        for seed in seeds:
            instance, edges = small_problem(seed)
            model = ConnectedKMeans(instance.n_clusters, random_state=0)
            model.fit(instance.points, connectivity=edges, sample_weight=instance.weights)
            best = least_cost(instance, edges)
            assert model.lower_bound_ <= best * (1.0 + 1e-12)
            assert (model.status_ == Status.OPTIMAL) == (model.gap_ < 1e-4)
            if model.status_ == Status.OPTIMAL:
                assert model.inertia_ <= best * (1.0 + 1.1e-4) + 1e-12


class TestWhatIsProved:
    def test_connected_clusters_that_are_best_without_the_graph_are_optimal(self) -> None:
        points = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]])
        model = ConnectedKMeans(3, random_state=0).fit(points, connectivity=ROAD)
        assert model.labels_.tolist() == [0, 0, 1, 1, 2, 2]
        assert model.status_ == Status.OPTIMAL
        assert model.inertia_ == 1.5
        assert 1.5 * (1 - 1e-4) <= model.lower_bound_ <= 1.5
        assert model.n_iter_ == 0  # no search is needed

    def test_the_bound_is_that_without_the_graph(self) -> None:
        model = ConnectedKMeans(2, random_state=0).fit(ALONG, connectivity=ROAD)
        free = pcsos.solve(ALONG, 2)
        assert free.objective == 1.5  # the outer places together
        assert model.lower_bound_ == pytest.approx(1.5, rel=1e-4)
        assert model.labels_.tolist() == [1, 1, 1, 1, 0, 0]
        assert model.inertia_ == pytest.approx(50.5)
        assert model.gap_ == pytest.approx(1.0 - 1.5 / 50.5, rel=1e-4)
        assert model.status_ == Status.FEASIBLE

    def test_no_time_is_no_bound(self) -> None:
        model = ConnectedKMeans(2, time_limit=0, random_state=0).fit(ALONG, connectivity=ROAD)
        assert (model.lower_bound_, model.gap_, model.status_) == (None, None, Status.FEASIBLE)
        assert model.inertia_ == pytest.approx(50.5)


class TestOnAMap:
    @pytest.mark.slow
    def test_a_map_is_divided_into_connected_regions(self) -> None:
        points, edges = landscape(20, 20, seed=0), grid(20, 20)
        model = ConnectedKMeans(8, time_limit=0, random_state=0).fit(points, connectivity=edges)
        assert len(set(model.labels_)) == 8
        assert is_connected(model.labels_, edges)
        assert not is_connected(pcsos.solve(points, 8, options=pcsos.Options(node_limit=0)).labels, edges)
        centres = [points[model.labels_ == cluster].mean(axis=0) for cluster in range(8)]
        assert np.allclose(model.cluster_centers_, centres)
        assert (np.diff(model.cluster_centers_[:, 0]) > 0).all()

    def test_it_beats_ward_along_the_graph(self) -> None:
        from sklearn.cluster import AgglomerativeClustering

        points, edges = landscape(20, 20, seed=2), grid(20, 20)
        ward = AgglomerativeClustering(8, connectivity=adjacency(edges, 400)).fit_predict(points)
        of_ward = sum(((points[ward == c] - points[ward == c].mean(axis=0)) ** 2).sum() for c in range(8))
        model = ConnectedKMeans(8, n_init=1, time_limit=0, random_state=0).fit(points, connectivity=edges)
        assert model.inertia_ < 0.95 * of_ward

    def test_more_effort_is_never_worse(self) -> None:
        points, edges = landscape(20, 20, seed=3), grid(20, 20)
        model = ConnectedKMeans(8, n_init=1, max_stall=0, time_limit=0, random_state=0)
        short = model.fit(points, connectivity=edges).inertia_
        assert model.n_iter_ == 0
        longer = clone(model).set_params(max_stall=50).fit(points, connectivity=edges)
        assert longer.inertia_ < short
        assert longer.n_iter_ >= 50
        assert clone(longer).set_params(n_init=3).fit(points, connectivity=edges).inertia_ <= longer.inertia_

    def test_the_same_seed_gives_the_same_regions(self) -> None:
        points, edges = landscape(15, 15, seed=4), grid(15, 15)
        one, other = (
            ConnectedKMeans(6, time_limit=0, random_state=5).fit(points, connectivity=given) for given in (edges, edges)
        )
        assert (one.labels_ == other.labels_).all()
        assert one.n_iter_ == other.n_iter_


class TestGraphs:
    @pytest.mark.parametrize(
        "graph",
        [
            ROAD,
            np.array(ROAD)[::-1, ::-1],
            [*ROAD, (3, 2), (4, 4)],
            set(ROAD),
            iter(ROAD),
            adjacency(ROAD, 6),
            adjacency(ROAD, 6).tocsr() + sparse.eye_array(6),
            adjacency(ROAD, 6).toarray(),
            adjacency(ROAD, 6).toarray().T.astype(bool).tolist(),
            pd.DataFrame(adjacency(ROAD, 6).toarray()),
        ],
        ids=["edges", "turned", "twice", "set", "iterator", "sparse", "loops", "dense", "list", "frame"],
    )
    def test_every_form_of_a_graph_is_the_same(self, graph: Any) -> None:
        model = ConnectedKMeans(3, time_limit=0, random_state=0).fit(ALONG, connectivity=graph)
        assert model.labels_.tolist() == [0, 0, 2, 2, 1, 1]

    def test_edges_name_the_rows_of_a_table(self) -> None:
        names = ["Graz", "Linz", "Wels", "Steyr", "Enns", "Krems"]
        table = pd.DataFrame({"rent": ALONG[:, 0]}, index=names)
        edges = [(names[one], names[other]) for one, other in ROAD]
        model = ConnectedKMeans(3, time_limit=0, random_state=0).fit(table, connectivity=edges)
        assert model.labels_.tolist() == [0, 0, 2, 2, 1, 1]
        with pytest.raises(InputError, match=r"connectivity\[5\] names the row 'Wien', which is not in the index"):
            model.fit(table, connectivity=[*edges, ("Wien", "Graz")])
        matrix = pd.DataFrame(adjacency(ROAD, 6).toarray(), index=names, columns=names)
        assert model.fit(table, connectivity=matrix).labels_.tolist() == [0, 0, 2, 2, 1, 1]
        with pytest.raises(InputError, match="connectivity have another index than the points"):
            model.fit(table, connectivity=matrix[::-1])

    def test_without_a_graph_all_are_neighbours(self) -> None:
        model = ConnectedKMeans(2, random_state=0).fit(ALONG)
        assert model.labels_.tolist() == [0, 0, 1, 1, 0, 0]
        assert model.status_ == Status.OPTIMAL

    def test_each_cluster_lies_in_one_component(self) -> None:
        edges = np.array([(0, 1), (1, 2), (3, 4), (4, 5)])
        model = ConnectedKMeans(3, random_state=0).fit(ALONG, connectivity=edges)
        assert model.labels_.tolist() == [0, 0, 2, 1, 1, 1]
        assert model.inertia_ == pytest.approx(0.5 + 0.0 + (169.0 + 64.0 + 25.0) / 9.0)

    def test_each_sample_may_be_a_cluster(self) -> None:
        model = ConnectedKMeans(6, random_state=0).fit(
            ALONG[[0, 2, 3, 1, 4, 5]] + np.arange(6)[:, None], connectivity=()
        )
        assert model.inertia_ == 0.0
        assert model.status_ == Status.OPTIMAL

    def test_clusters_that_cost_nothing_are_as_many_as_asked_for(self) -> None:
        points = np.array([[-2.0], [0.0], [0.0], [-2.0], [0.0]])
        edges = [(0, 1), (0, 2), (0, 3), (1, 3), (1, 4), (2, 3)]
        model = ConnectedKMeans(4, n_init=1, time_limit=0, random_state=0).fit(points, connectivity=edges)
        assert len(set(model.labels_)) == 4
        assert model.inertia_ == 0.0


class TestWeights:
    def test_a_weight_of_three_counts_like_three_copies(self) -> None:
        points = np.array([[0.0], [4.0], [5.0], [9.0]])
        chain = [(0, 1), (1, 2), (2, 3)]
        model = ConnectedKMeans(2, random_state=0).fit(points, connectivity=chain, sample_weight=[1, 3, 1, 1])
        copies = np.array([[0.0], [4.0], [4.0], [4.0], [5.0], [9.0]])
        among = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (1, 4), (2, 4), (3, 4), (4, 5)]
        repeated = ConnectedKMeans(2, random_state=0).fit(copies, connectivity=among)
        assert model.inertia_ == pytest.approx(repeated.inertia_)
        assert np.allclose(model.cluster_centers_, repeated.cluster_centers_)

    def test_a_sample_that_weighs_nothing_connects_others(self) -> None:
        points = np.array([[0.0], [99.0], [1.0], [10.0], [11.0]])
        chain = [(0, 1), (1, 2), (2, 3), (3, 4)]
        model = ConnectedKMeans(2, random_state=0).fit(points, connectivity=chain, sample_weight=[1, 0, 1, 1, 1])
        assert model.labels_.tolist() == [0, 0, 0, 1, 1]
        assert model.cluster_centers_.ravel().tolist() == [0.5, 10.5]
        assert (model.inertia_, model.status_) == (1.0, Status.OPTIMAL)

    def test_a_component_may_weigh_nothing(self) -> None:
        points = np.array([[0.0], [1.0], [7.0], [9.0]])
        model = ConnectedKMeans(2, random_state=0).fit(
            points, connectivity=[(0, 1), (2, 3)], sample_weight=[1, 1, 0, 0]
        )
        assert model.labels_.tolist() == [0, 0, 1, 1]
        assert model.cluster_centers_.ravel().tolist() == [0.5, 8.0]
        assert model.inertia_ == 0.5


class TestMoves:
    def moved(self, labels: list[int], points: list[float], edges: Any, weights: Any = None) -> list[int]:
        graph = Adjacency.of(edges, points)
        found, n = np.array(labels), len(labels)
        column, mass = np.array(points)[:, None], np.ones(n) if weights is None else np.array(weights)
        k = max(labels) + 1
        descend(found, Nodes(column, mass, graph.starts, graph.targets), k, np.arange(n), np.full(k, True))
        return found.tolist()

    def test_a_border_goes_where_it_costs_least(self) -> None:
        chain = [(0, 1), (1, 2), (2, 3)]
        assert self.moved([0, 1, 1, 1], [0.0, 0.0, 9.0, 9.0], chain) == [0, 0, 1, 1]

    def test_what_holds_a_cluster_together_stays(self) -> None:
        star = [(0, 1), (0, 2), (0, 3)]
        assert self.moved([0, 0, 0, 1], [9.0, 0.0, 0.0, 9.0], star) == [0, 0, 0, 1]

    def test_a_way_round_may_be_long(self) -> None:
        ring = [(at, (at + 1) % 300) for at in range(300)]
        points = [9.0, *[0.0] * 299, 9.0]
        labels = self.moved([*[0] * 300, 1], points, [*ring, (0, 300)])
        assert labels == [1, *[0] * 299, 1]

    def test_what_weighs_nothing_does_not_move(self) -> None:
        chain = [(0, 1), (1, 2), (2, 3)]
        assert self.moved([0, 0, 0, 1], [0.0, 1.0, 5.0, 5.0], chain, [1.0, 1.0, 0.0, 0.0]) == [0, 0, 0, 1]


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_the_scale_of_the_samples_does_not_matter(scale: float) -> None:
    points, edges = landscape(8, 8, seed=6), grid(8, 8)
    usual = ConnectedKMeans(4, time_limit=0, random_state=0).fit(points, connectivity=edges)
    scaled = ConnectedKMeans(4, time_limit=0, random_state=0).fit(points * scale, connectivity=edges)
    assert scaled.inertia_ == pytest.approx(usual.inertia_ * scale**2)
    assert (scaled.labels_ == usual.labels_).all()


class TestRefusals:
    @pytest.mark.parametrize(
        ("graph", "message"),
        [
            (np.ones((5, 5)), r"connectivity has shape \(5, 5\) but there are 6 samples; give an adjacency matrix"),
            (sparse.eye_array(6, 2), r"connectivity has shape \(6, 2\) but there are 6 samples"),
            ([0, 1], r"connectivity has shape \(2,\)"),
            ([(0, 1), (1,)], "connectivity has rows of different lengths"),
            ("ROAD", "connectivity is of type str"),
            (3, r"connectivity has shape \(\)"),
            ([(0, 6)], r"connectivity\[0\] is \(0, 6\), but point indices go from 0 to 5"),
            ([(0, 0.5)], "connectivity holds values that are not whole numbers"),
            ([("a", "b")], "connectivity has the label 'a' where a point index"),
            (np.where(np.eye(6), np.nan, 1.0), r"connectivity\[0, 0\] is nan; give 1 for neighbours"),
            (sparse.coo_array(([np.inf], ([1], [2])), shape=(6, 6)), r"connectivity\[1, 2\] is inf"),
            (ROAD[:3], "the graph has 3 components, which 2 connected clusters cannot cover; give at least 3 clusters"),
            ((), "the graph has 6 components"),
        ],
    )
    def test_graphs(self, graph: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            ConnectedKMeans(2).fit(ALONG, connectivity=graph)

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"n_clusters": 7}, r"n_clusters is 7; give a whole number from 1 to .*n_samples=6"),
            ({"n_clusters": 0}, "n_clusters is 0"),
            ({"n_init": 0}, "n_init is 0; give a whole number of at least 1"),
            ({"max_stall": -1}, "max_stall is -1"),
            ({"gap": 2.0}, "gap is 2.0"),
            ({"time_limit": -1.0}, "time_limit is -1.0"),
            ({"random_state": "one"}, "random_state is 'one'"),
        ],
    )
    def test_parameters(self, params: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            ConnectedKMeans(2).set_params(**params).fit(ALONG, connectivity=ROAD)

    def test_weights(self) -> None:
        with pytest.raises(InputError, match=r"sample_weight\[1\] is -1.0"):
            ConnectedKMeans(2).fit(ALONG, connectivity=ROAD, sample_weight=[1, -1, 1, 1, 1, 1])
