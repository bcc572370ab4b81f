"""The bound that multipliers prove, against floats, against brute force and against exact arithmetic."""

import contextlib
import itertools
import tracemalloc
from copy import deepcopy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq

from pcsos.evidence.codec import encode_multipliers
from pcsos.problem.instance import Instance
from pcsos.verify import VerificationError
from pcsos.verify.bound import Bound
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.proposal import Proposal
from pcsos.verify.spectral import Spectrum, spectral_minimum
from pcsos.verify.state import State, largest_clusters, refute
from tests import oracle
from tests.blobs import arrays
from tests.slow import first_few
from tests.verify.certificates import Linked, float_bound, random_multipliers


@pytest.fixture(autouse=True)
def precision() -> object:
    with ctx.workprec(128):
        yield


def state_of(instance: Instance) -> State:
    state = State(instance.n_points)
    for kind, pairs in (("ML", instance.must_link), ("CL", instance.cannot_link)):
        for i, j in pairs.tolist():
            state.add(kind, i, j)
    return state


def data_of(instance: Instance) -> Data:
    return Data(Doubles(instance.points), Doubles(instance.weights))


class Whole:
    """A matrix, all of which is in balls."""

    def __init__(self, matrix: arb_mat) -> None:
        self.matrix, self.size = matrix, matrix.nrows()

    def block(self, rows: slice, columns: slice) -> arb_mat:
        return arb_mat([row[columns] for row in self.matrix.tolist()[rows]])


def least_of(matrix: arb_mat, u: arb_mat, rank: int, tolerable: arb) -> arb:
    """The least <G, R> off u, of what is found for <G, u u' + R>."""
    return spectral_minimum(Whole(matrix), u.entries(), rank, tolerable) - (u.transpose() * matrix * u)[0, 0]


def scale_of(instance: Instance) -> float:
    return float(np.ptp(instance.points, axis=0).max()) ** 2 * float(instance.weights.max()) or 1.0


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_the_bound_is_that_of_the_documentation_and_below_every_partition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = oracle.random_instance(rng)
    linked, state = Linked(instance, [], []), state_of(instance)
    truth = oracle.enumerate_feasible(instance)
    k = instance.n_clusters
    assert state.broken == linked.contradicts
    if not state.broken and linked.size >= k:
        assert (exhaustive_search(state, k, rng) is None) == truth.feasible
    if state.broken or linked.size < k:
        return
    assert list(state.groups()) == linked.groups
    data = data_of(instance)
    scale = scale_of(instance)
    for strength in (0.0, 0.01, 0.3):
        multipliers = random_multipliers(rng, linked.size, k, strength * scale)
        proof = Bound(data, state, arrays(encode_multipliers(multipliers)), k)
        size = max(abs(float(data.frame(state.moved).total)), scale, float(instance.weights.sum()) * scale)
        assert float(proof.value) == pytest.approx(float_bound(instance, linked, multipliers), abs=1e-9 * size)
        assert not truth.feasible or proof.value.lower() <= truth.optimum * (1 + 1e-12)
        for i, j in itertools.combinations(range(instance.n_points), 2):
            if linked.index[i] == linked.index[j]:
                continue
            together = truth.labels[:, i] == truth.labels[:, j]
            for kind, chosen in (("ML", together), ("CL", ~together)):
                raised = proof.with_pair(kind, i, j)
                assert raised.lower() >= proof.value.lower()
                assert (raised.lower() <= truth.costs[chosen] * (1 + 1e-12)).all()


def test_pairs_gain_what_the_documentation_says() -> None:
    # Weights 1, 4, 4, 1 and k = 2: M_i = 10 - 1 = 9, for point 0 and 3 as well.
    instance = Instance([0.0, 1.0, 2.0, 5.0], 2, weights=[1.0, 4.0, 4.0, 1.0])
    data, state, linked = data_of(instance), state_of(instance), Linked(instance, [], [])
    assert list(linked.largest(2)) == [9.0] * 4
    box = np.zeros((4, 4))
    box[0, 1] = box[1, 0] = 3.0
    box[1, 2] = box[2, 1] = -5.0
    multipliers = random_multipliers(np.random.default_rng(0), 4, 2, 0.0)
    cuts = type(multipliers.cuts)(np.array([1, 0]), np.array([0, 1, 2]), np.array([2, 3]))
    own = encode_multipliers(type(multipliers)(box, cuts, np.array([7.0, 2.0])))
    proof = Bound(data, state, arrays(own), 2)

    def gain(kind: str, i: int, j: int) -> float:
        return float(proof.with_pair(kind, i, j) - proof.value)

    assert gain("ML", 0, 1) == pytest.approx(2 * 3.0 * 2.0 / 9.0)
    assert gain("CL", 1, 2) == pytest.approx(2 * 5.0 * 4.0 / 8.0 + 7.0 / 9.0)
    assert gain("CL", 0, 3) == pytest.approx(2.0 / 9.0)
    assert gain("CL", 0, 1) == gain("ML", 1, 2) == gain("ML", 0, 3) == 0.0


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_no_cluster_weighs_more_than_its_limit(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    drawn = (oracle.random_instance(rng, max_points=7) for _ in range(100))
    instance = next(i for i in drawn if oracle.enumerate_feasible(i).feasible)
    truth, linked, state = oracle.enumerate_feasible(instance), Linked(instance, [], []), state_of(instance)
    names = state.names()
    neighbours = [{names.index(e) for e in state.around(name)} for name in names]
    largest = largest_clusters(
        [fmpq(*w.as_integer_ratio()) for w in linked.weights.tolist()], neighbours, instance.n_clusters
    )
    limits = [int(m.p) / int(m.q) for m in largest]
    assert np.allclose(limits, linked.largest(instance.n_clusters), rtol=1e-12)
    heaviest = oracle.cluster_weights(truth.labels, instance.weights).max(axis=0)
    assert all(limits[linked.index[p]] >= heaviest[p] * (1 - 1e-12) for p in range(instance.n_points))


@pytest.mark.parametrize("tolerable", [0.0, 1e300])
@pytest.mark.parametrize("kind", ["random", "repeated eigenvalues", "zero", "large", "small"])
def test_the_spectral_part_loses_next_to_nothing(kind: str, tolerable: float) -> None:
    rng = np.random.default_rng(5)
    s = 12
    a = rng.standard_normal((s, s))
    frame = np.linalg.qr(a)[0]
    matrix = {
        "random": a + a.T,
        "repeated eigenvalues": (frame * np.repeat([-3.0, 1.0, 2.0], 4)) @ frame.T,
        "zero": np.zeros((s, s)),
        "large": (a + a.T) * 1e200,
        "small": (a + a.T) * 1e-200,
    }[kind]
    matrix = (matrix + matrix.T) / 2
    weights = rng.integers(1, 5, s)
    u = arb_mat(s, 1, [arb(int(w)).sqrt() / arb(int(weights.sum())).sqrt() for w in weights])
    basis = np.linalg.svd(np.sqrt(weights / weights.sum())[None, :])[2][1:]
    values = np.linalg.eigvalsh(basis @ matrix @ basis.T)
    size = np.abs(matrix).max() or 1.0
    for rank in (0, 1, 3, 5, s - 1):
        found = least_of(arb_mat(s, s, matrix.ravel().tolist()), u, rank, arb(tolerable))
        assert found.rad() <= 1e-25 * size
        assert float(found) / size == pytest.approx(values[:rank].sum() / size, abs=1e-12)


def test_the_correction_brings_the_loss_far_below_rounding() -> None:
    # With eigenvalues -1, 0, ..., 0 on the complement of u, the least is -1 exactly.
    s = 6
    u = arb_mat(s, 1, [1 / arb(s).sqrt()] * s)
    x = arb_mat(s, 1, [1 / arb(2).sqrt(), -1 / arb(2).sqrt(), 0, 0, 0, 0])
    rough, fine = (float(1 + least_of(-(x * x.transpose()), u, 1, arb(t))) for t in (1, 0))
    assert -1e-12 < rough < -1e-18
    assert -1e-24 < fine < 1e-30


def test_a_factor_of_nothing_proves_no_more_than_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of -x x' is residual then, in two panels: its least eigenvalue is -1."""

    class Poor(Proposal):
        def factorise(self, *arguments: Any) -> None:
            super().factorise(*arguments)
            self.shift, self._parts = 0, [0 * part for part in self._parts]

    monkeypatch.setattr("pcsos.verify.spectral.Proposal", Poor)
    s, half = 80, arb(1) / 2
    x = arb_mat(s, 1, [{0: half, 1: -half, 70: half, 71: -half}.get(i, arb(0)) for i in range(s)])
    u = arb_mat(s, 1, [1 / arb(s).sqrt()] * s)
    for tolerable in (0, 1e300):
        assert least_of(-(x * x.transpose()), u, 1, arb(tolerable)).lower() <= -1
    spectrum = Spectrum(Whole(-(x * x.transpose())), u.entries())
    spectrum.propose(1)
    sides = np.vstack([np.array(own.tolist(), float) for own in spectrum.left.values()])  # w and u
    whole = sides @ sides[:, ::-1].T - np.array((x * x.transpose()).tolist(), float)
    assert float(spectrum.evaluate(1)[1]) == pytest.approx(np.linalg.norm(whole), rel=1e-12)


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_costs_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = oracle.random_instance(rng, max_points=6)
    labels = rng.integers(0, 2, instance.n_points)
    groups = [np.flatnonzero(labels == value).tolist() for value in np.unique(labels)]
    exact = Fraction(0)
    for group in groups:
        w = [Fraction(float(instance.weights[p])) for p in group]
        for column in instance.points[group].T.tolist():
            x = [Fraction(v) for v in column]
            mean = sum(a * b for a, b in zip(w, x, strict=True)) / sum(w)
            exact += sum(a * (b - mean) ** 2 for a, b in zip(w, x, strict=True))
    found = data_of(instance).cost(groups)
    assert Fraction(int(found.p), int(found.q)) == exact


def random_graph(rng: np.random.Generator, n: int) -> State:
    state = State(n)
    for i, j in itertools.combinations(range(n), 2):
        if rng.random() < 0.5:
            state.add("CL", i, j)
    return state


def exhaustive_search(state: State, k: int, rng: np.random.Generator) -> list[int] | None:
    """The super-points in the order in which a search with random choices takes them; None if it finds a colouring."""
    taken: list[int] = []

    def extend(colour: dict[int, int]) -> bool:
        left = sorted(set(state.names()) - set(colour))
        if not left:
            return True
        name = int(rng.choice(left))
        taken.append(name)
        used = len(set(colour.values()))
        free = [c for c in range(min(used + 1, k)) if all(colour.get(e) != c for e in state.around(name))]
        return any(extend({**colour, name: c}) for c in free)

    return None if extend({}) else taken


def refutes(state: State, k: int, search: list[int]) -> bool:
    with contextlib.suppress(VerificationError):
        refute(state, k, search)
        return True
    return False


@pytest.mark.parametrize("seed", first_few(16, range(60)))
def test_an_exhaustive_search_is_accepted_whole_and_nothing_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    state = random_graph(rng, n)
    edges = [(i, j) for i in range(n) for j in state.around(i)]
    for k in range(1, n + 1):
        colourings = itertools.product(range(k), repeat=n)
        truth = any(all(c[i] != c[j] for i, j in edges) for c in colourings)
        search = exhaustive_search(state, k, rng)
        assert (search is None) == truth
        for length in range(1, 3 * n):
            assert not (refutes(state, k, rng.integers(0, n, length).tolist()) and truth)
        if search is not None:
            assert refutes(state, k, search)
            assert not refutes(state, k, search[:-1])
            assert not refutes(state, k, [*search, search[0]])
            assert not refutes(state, k, [*search[:-1], n])
            assert not refutes(state, k, [])


@pytest.mark.parametrize("seed", range(8))
def test_forced_pairs_hold_in_every_partition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 6, int(rng.integers(2, 4))
    graph = random_graph(rng, n)
    pairs = [(i, j) for i in range(n) for j in graph.around(i)]
    together = oracle.enumerate_feasible(Instance(np.arange(n), k, [], pairs)).labels
    for kind, size in (("ML", k - 1), ("CL", k)):
        for i, j in itertools.combinations(range(n), 2):
            for witness in itertools.permutations(range(n), size):
                if forces(graph, kind, i, j, witness, k):
                    assert ((together[:, i] == together[:, j]) == (kind == "ML")).all()


def forces(graph: State, kind: str, i: int, j: int, witness: tuple[int, ...], k: int) -> bool:
    with contextlib.suppress(VerificationError):
        deepcopy(graph).force(kind, i, j, witness, k)
        return True
    return False


def test_a_search_needs_memory_for_its_own_points_alone() -> None:
    """A bit for each of all points would be a square of their number: 60 GB for a million."""
    state = State(20_000)
    for i, j in itertools.combinations(range(0, 20_000, 5_000), 2):
        state.add("CL", i, j)
    tracemalloc.start()
    refute(state, 3, list(range(0, 20_000, 5_000)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000
