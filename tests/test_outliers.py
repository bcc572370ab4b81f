"""Outliers: what is asked, the optimum against all choices of them, and what both checkers say of its proof."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

import pcsos
from pcsos import CertifiedKMeans, InputError, Instance, MemeticKMeans, Outliers, Partition, RunFileError
from pcsos.base.control.stop import Stop
from pcsos.base.typing import Floats
from pcsos.evidence.kinds import Prices
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.run_file import RunFile
from pcsos.heuristics import METHODS
from pcsos.heuristics import run as run_heuristic
from pcsos.presolve.presolve import contracted
from pcsos.search.outliers import ByOutliers
from pcsos.search.role import Context
from pcsos.search.run import CERTIFY, SOLVE
from pcsos.search.task import Task
from pcsos.verify import VerificationError, verify
from pcsos.verify.left_out import greatest_left_out
from tests.leaving_out import least_cost, partitions, random_leaving_out
from tests.second_checker.second import second_answers, why_not
from tests.slow import first_few

#: Of the seeds so many are quick; the second checker, which takes long to build, judges the others.
NUM_QUICK = 16
SEEDS = first_few(NUM_QUICK, range(100))
FEW_NODES = pcsos.Options(node_limit=3, workers=1)


def solved(instance: Instance, path: Path) -> pcsos.Result:
    return pcsos.solve(instance, workers=1, run_file=path)


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_optimum_is_found_and_proved(seed: int, is_far: bool, tmp_path: Path) -> None:
    instance = random_leaving_out(seed, is_far=is_far)
    optimum, result = least_cost(instance, instance.outliers), solved(instance, tmp_path / "some.run")
    assert (str(result.status) == "INFEASIBLE") == (optimum is None) == bool(result.message)
    if optimum is not None:
        assert str(result.status) == "OPTIMAL"
        assert result.objective is not None
        assert result.lower_bound is not None
        assert result.objective == pytest.approx(optimum, rel=1.01e-4, abs=0.0)
        assert result.lower_bound <= optimum * (1.0 + 1e-12)
    assert verify(tmp_path / "some.run").status == str(result.status)
    if seed >= NUM_QUICK and why_not() is None:
        assert next(second_answers([tmp_path / "some.run"])).status == str(result.status)


@pytest.mark.parametrize("num_features", first_few(2, [1, 3, 2, 5]))
@pytest.mark.parametrize("factor", [2e3, 1e5, 1e8])
def test_it_makes_no_difference_how_far_away_outliers_are(factor: float, num_features: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(40, num_features))
    points[3:] += rng.uniform(-5.0, 5.0, (3, num_features))[rng.integers(0, 3, 37)]
    points[:3] *= factor / np.linalg.norm(points[:3], axis=1, keepdims=True)
    result = solved(Instance(points, 3, conditions=[Outliers(3)]), tmp_path / "some.run")
    assert str(result.status) == verify(tmp_path / "some.run").status == "OPTIMAL"
    assert np.flatnonzero(result.labels == -1).tolist() == [0, 1, 2]
    assert result.nodes <= 9


@pytest.mark.parametrize("seed", first_few(3, range(6)))
def test_no_more_is_stated_than_a_checker_can_tell(seed: int, tmp_path: Path) -> None:
    points, factor = np.random.default_rng(seed).normal(size=(9, 1 + seed % 3)), 10.0 ** (9 + seed)
    points[:2] *= factor
    result = pcsos.solve(points, 2, conditions=[Outliers(2)], run_file=tmp_path / "some.run", options=FEW_NODES)
    assert verify(tmp_path / "some.run").status == str(result.status)


@pytest.mark.parametrize(
    ("points", "n_clusters", "number", "gap"),
    first_few(
        1,
        [
            ([0.0, 1.0, 3.0, 2000.1, 5e10], 1, 3, 0.01),
            ([0.0, 1e-7, 5e-7, 1.0, 3e5], 2, 1, 1e-4),
            ([0.0, 1e-7, 5e-7, 6e-7, 1.0, 3e5], 3, 1, 0.6),
            ([0.0, 2e-6, 5e-6, 6e-6, 1.0, 1e6], 3, 1, 1e-4),
        ],
    ),
)
def test_what_far_groups_cost_together_is_rounded(
    points: list[float], n_clusters: int, number: int, gap: float, tmp_path: Path
) -> None:
    path = tmp_path / "some.run"
    few = pcsos.Options(node_limit=12, workers=1)
    result = pcsos.solve(points, n_clusters, conditions=[Outliers(number)], gap=gap, run_file=path, options=few)
    assert verify(path).status == str(result.status)


def test_points_that_are_all_equal_under_pairs_that_contradict() -> None:
    pairs = [(0, 1), (2, 3)]
    assert pcsos.solve(np.zeros(4), 1, cannot_link=pairs, conditions=[Outliers(1)], workers=1).status == "INFEASIBLE"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_twelve_points_end_with_a_proof(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    points, k = rng.normal(size=(12, int(rng.integers(1, 4)))), int(rng.integers(1, 4))
    instance = Instance(points, k, conditions=[Outliers(int(rng.integers(1, 12 - k + 1)))])
    optimum, result = least_cost(instance, instance.outliers), solved(instance, tmp_path / "some.run")
    assert result.objective == pytest.approx(optimum, rel=1e-4, abs=1e-12)
    assert verify(tmp_path / "some.run").status == str(result.status) == "OPTIMAL"


@pytest.mark.parametrize("seed", range(12))
def test_prices_of_any_kind_prove_no_more_than_is_true(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    points, must_link = rng.normal(size=(7, 2)), [(0, 1)] * int(rng.integers(0, 2))
    instance = Instance(points, 2, must_link, conditions=[Outliers(int(rng.integers(1, 4)))])
    optimum = least_cost(instance, instance.outliers)
    assert optimum is not None
    for share in (0.0, 0.3, 1.0, 3.0):
        prices = share * rng.normal(loc=0.5, size=7 - len(must_link))
        with pytest.raises(VerificationError):
            verify(stated(instance, prices, optimum * (1.0 + 1e-9), tmp_path / f"{share}.run"))
    assert verify(stated(instance, np.zeros(7 - len(must_link)), 0.0, tmp_path / "zero.run")).lower_bound == 0.0


def stated(instance: Instance, prices: Floats, bound: float, path: Path) -> Path:
    """A run file in which prices are said to prove a bound."""
    first, _ = next(iter(partitions(instance, instance.outliers)))
    partition = Partition.of(instance, first[0])
    with RunFile.create(path, instance, pcsos.Options()) as file:
        file.add_beside_tree([NodeRecord(0, None, None, (Prices(prices, bound),))])
        known = pcsos.Status.FEASIBLE, pcsos.Reason.NODE_LIMIT, partition
        file.set_claim(pcsos.Result(instance, *known, lower_bound=bound, seconds=0.0, seed=0))
    return path


@pytest.mark.parametrize("seed", first_few(40, range(100)))
def test_what_is_worth_most_is_left_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 1, 2, 3], int(rng.integers(0, 8))).tolist()
    rows = [(size, fmpq(int(worth))) for size, worth in zip(sizes, rng.integers(-5, 20, len(sizes)), strict=True)]
    points, groups, exactly = int(rng.integers(0, 8)), int(rng.integers(0, 5)), bool(rng.integers(0, 2))
    sums = [
        sum((worth for _, worth in own), fmpq(0))
        for number in range(groups if exactly else 0, groups + 1)
        for own in itertools.combinations(rows, number)
        if sum(size for size, _ in own) <= points
    ]
    assert greatest_left_out(rows, points, groups, fmpq(0), exactly=exactly) == max(sums, default=None)


#: Three groups of fifteen points, and five that lie anywhere.
POINTS = np.random.default_rng(0).normal(size=(50, 2))
POINTS[:45] += np.repeat([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]], 15, axis=0)
POINTS[45:] += [[-19.0, 3.0], [14.0, 15.0], [3.0, -12.0], [18.0, -9.0], [-8.0, 19.0]]
FAR = [45, 46, 47, 48, 49]


@pytest.fixture(scope="module")
def result() -> pcsos.Result:
    return pcsos.solve(POINTS, 3, conditions=[Outliers(5)])


def test_whoever_is_far_is_left_out(result: pcsos.Result) -> None:
    assert result.labels is not None
    assert result.centers is not None
    assert np.flatnonzero(result.labels == -1).tolist() == FAR
    assert result.sizes.tolist() == [15, 15, 15]
    np.testing.assert_allclose(result.centers, [POINTS[own : own + 15].mean(axis=0) for own in (0, 15, 30)])
    assert result.predict(POINTS).min() == 0
    assert result.figures()["left out"] == "5 of at most 5 points"
    assert result.to_dict()["limits"] == {"outliers": 5}
    frame = result.to_frame()
    assert frame["distance"].isna().to_numpy().nonzero()[0].tolist() == FAR
    other = result.matched_to([2] * 15 + [0] * 15 + [1] * 20)
    assert other.labels is not None
    assert other.labels.tolist() == [2] * 15 + [0] * 15 + [1] * 15 + [-1] * 5


def test_estimators_label_whoever_is_left_out() -> None:
    for model in (CertifiedKMeans(3, conditions=[Outliers(5)]), MemeticKMeans(3, conditions=[Outliers(5)])):
        model.fit(POINTS)
        assert np.flatnonzero(model.labels_ == -1).tolist() == FAR
        assert np.unique(model.labels_[:45]).tolist() == [0, 1, 2]
        np.testing.assert_array_equal(model.predict(POINTS)[:45], model.labels_[:45])
        assert model.predict(POINTS).min() == 0


def test_the_heuristic_finds_it_too(result: pcsos.Result) -> None:
    instance = Instance(POINTS, 3, conditions=[Outliers(5)])
    partition, record = run_heuristic(instance, "k-means--")
    assert partition is not None
    assert partition.objective == result.objective == pytest.approx(record.objective)
    for method in METHODS.keys() - {"k-means--"}:
        with pytest.raises(InputError, match="which leaves no point out, but outliers is 5; use k-means--"):
            run_heuristic(instance, method)


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    begun = pcsos.solve(
        POINTS, 3, conditions=[Outliers(8)], run_file=tmp_path / "some.run", options=pcsos.Options(node_limit=1)
    )
    assert str(begun.status) == "FEASIBLE"
    assert verify(tmp_path / "some.run").status == "FEASIBLE"
    assert str(pcsos.resume(tmp_path / "some.run").status) == "OPTIMAL"
    assert verify(tmp_path / "some.run").status == "OPTIMAL"


#: Points without clusters, which take nineteen nodes with four of them left out.
CLOSE = np.random.default_rng(5).normal(size=(28, 2))


@pytest.fixture(scope="module")
def close() -> pcsos.Result:
    return pcsos.solve(CLOSE, 3, conditions=[Outliers(4)], workers=1)


def nodes_in(path: Path) -> list[tuple[int, tuple[str, ...], float]]:
    with RunFile.read(path) as file:
        assert not list(file.records_beside_tree())
        return [(own.node, tuple(each.kind for each in own.evidence), own.lower_bound) for own in file.records()]


@pytest.mark.slow
def test_a_run_that_is_resumed_keeps_its_nodes(close: pcsos.Result, tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    begun = pcsos.solve(close.instance, run_file=path, options=pcsos.Options(node_limit=10))
    before = nodes_in(path)
    assert len(before) == begun.nodes == 10
    assert {own for _, own, _ in before} == {("prices", "branching"), ("prices",)}
    assert begun.lower_bound is not None
    assert begun.lower_bound >= begun.instance.proved(before[0][2]) > 0.0
    assert verify(path).status == str(begun.status) == "FEASIBLE"
    ended = pcsos.resume(path)
    after = nodes_in(path)
    assert after[:10] == before
    assert len({number for number, *_ in after}) == len(after) == ended.nodes
    assert str(ended.status) == str(close.status) == verify(path).status == "OPTIMAL"
    assert ended.objective == close.objective
    assert min(ended.nodes, close.nodes) > 15


@pytest.mark.parametrize("number", first_few(2, [60, 1, 30, 100]))
def test_an_interrupted_run_goes_on(number: int, tmp_path: Path) -> None:
    path, asked, points = tmp_path / "some.run", iter(range(10**9)), np.random.default_rng(10).normal(size=(24, 2))
    options = pcsos.Options(should_stop=lambda: next(asked) >= number)
    begun = pcsos.solve(points, 3, conditions=[Outliers(4)], run_file=path, options=options)
    assert verify(path).status == str(begun.status) == "FEASIBLE"
    assert str(pcsos.resume(path).status) == verify(path).status == "OPTIMAL"


@pytest.mark.slow
def test_workers_find_the_same(close: pcsos.Result) -> None:
    two = pcsos.solve(close.instance, workers=2)
    assert str(two.status) == str(close.status) == "OPTIMAL"
    assert two.objective == close.objective


def test_no_other_bounder_is_asked() -> None:
    instance = Instance(POINTS[:, :1], 3, conditions=[Outliers(5)])
    problem, context = contracted(instance), Context.of(instance, pcsos.Options(), Stop())
    assert not any(bounder.suits(Task.root(problem), problem, context) for bounder in (*SOLVE, *CERTIFY))
    assert ByOutliers().suits(Task.root(problem), problem, context)
    whole = contracted(instance.with_(conditions=()))
    assert not ByOutliers().suits(Task.root(whole), whole, context)


@pytest.mark.slow
def test_labels_and_centres_to_begin_with(result: pcsos.Result) -> None:
    for start in (result.labels, result.labels.astype(float), result.centers, np.maximum(result.labels, 0)):
        assert pcsos.solve(POINTS, 3, conditions=[Outliers(5)], start=start).objective == result.objective
    with pytest.raises(InputError, match="5 points are left out, more than outliers = 4"):
        pcsos.solve(POINTS, 3, conditions=[Outliers(4)], start=result.labels)
    with pytest.raises(InputError, match="the labels use 4 clusters instead of 3"):
        pcsos.solve(POINTS, 3, conditions=[Outliers(5)], start=[-2, *result.labels[1:]])


def test_pairs_that_must_be_linked_are_left_out_together() -> None:
    linked = pcsos.solve([0.0, 1.0, 30.0, 31.0, 2.0], 1, must_link=[(2, 3)], conditions=[Outliers(2)])
    assert linked.labels is not None
    assert linked.labels.tolist() == [0, 0, -1, -1, 0]
    with pytest.raises(InputError, match="points 2 and 3 must be linked but are apart"):
        Partition.of(linked.instance, [0, 0, -1, 0, 0])
    apart = pcsos.solve([0.0, 1.0, 30.0], 1, cannot_link=[(0, 1)], conditions=[Outliers(2)])
    assert str(apart.status) == "OPTIMAL"
    assert apart.objective == 0.0


def test_none_may_be_left_out() -> None:
    assert Instance(POINTS, 3, conditions=[Outliers(0)]).asked.to_dict() == {}
    assert Instance(POINTS, 3, conditions=[Outliers()]).is_plain


@pytest.mark.parametrize(
    ("conditions", "sentence"),
    [
        ([Outliers(48)], "outliers is 48, but 3 clusters need a point each of 50; give at most 47"),
        ([Outliers(2), pcsos.Sizes(2)], "outliers is 2 beside limits of clusters; leave one or the other out"),
        ([Outliers(2), pcsos.SoftPairs([(0, 1, 2.0)])], "outliers is 2 beside soft pairs; leave one or the other out"),
        ([Outliers(2), Outliers(3)], "outliers is given twice; leave one of them out"),
    ],
)
def test_what_cannot_be_asked(conditions: list[pcsos.Outliers], sentence: str) -> None:
    with pytest.raises(InputError) as refusal:
        Instance(POINTS, 3, conditions=conditions)
    assert str(refusal.value) == sentence


def test_numbers_and_inner_products_are_refused() -> None:
    with pytest.raises(InputError, match="outliers is -1; give a whole number of at least 0"):
        Outliers(-1)
    with pytest.raises(InputError, match="outliers need coordinates, but there are inner products; give points"):
        Instance(pcsos.Gram(POINTS @ POINTS.T), 3, conditions=[Outliers(2)])


def test_distances_of_clusters_are_refused_as_points_left_out_may_lie_between() -> None:
    with pytest.raises(InputError, match="outliers is 1 beside min_split, which links points whether they"):
        Instance([0.0, 1.5, 3.0], 2, conditions=[Outliers(1), pcsos.Split(2.0)])


def test_whatever_leaves_no_point_out_says_so(result: pcsos.Result) -> None:
    asked = {"conditions": [Outliers(5)]}
    calls = {
        "certify": lambda: pcsos.certify(POINTS, [0, 1, 2] * 16 + [0, 1], **asked),
        "a path": lambda: pcsos.path(POINTS, [2, 3], **asked),
        "a front": lambda: pcsos.front(POINTS, 3, "split", **asked),
        "what pairs say": result.certain_pairs,
    }
    calls["what pairs say "] = result.membership
    calls[" what pairs say"] = lambda: pcsos.ActiveSession(POINTS, 3, **asked)
    for what, call in calls.items():
        with pytest.raises(InputError) as refusal:
            call()
        said = f"outliers is 5, but {what.strip()} leaves no point out; use pcsos.solve, or leave outliers out"
        assert str(refusal.value) == said


def test_the_report_shows_who_is_left_out(result: pcsos.Result, tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "5 points or fewer are left out" in page
    assert "clusters keep to their limits" not in page


def test_another_number_is_another_instance(result: pcsos.Result, tmp_path: Path) -> None:
    solved(Instance(POINTS, 3, conditions=[Outliers(5)]), tmp_path / "some.run")
    with pytest.raises(VerificationError, match="its own are outliers = 5"):
        verify(tmp_path / "some.run", POINTS)
    with pytest.raises(RunFileError):
        pcsos.solve(POINTS, 3, conditions=[Outliers(4)], run_file=tmp_path / "some.run")
