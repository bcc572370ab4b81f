"""The accelerator's engine leads where the processor's does; here its source runs on the processor, beside it."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.events import CutRound
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices
from pcsos.bounds.relaxation import engines, peng_wei
from pcsos.bounds.relaxation.admm import Admm
from pcsos.bounds.relaxation.cuts import keys, select
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engine import WarmStart, start_from
from pcsos.bounds.relaxation.gpu import device, engine, stars
from pcsos.bounds.relaxation.gpu.engine import Accelerated
from pcsos.bounds.relaxation.gpu.stars import PER_CENTRE, Stars
from pcsos.bounds.relaxation.gpu.subspace import Leading
from pcsos.bounds.relaxation.rows import combine, rows_of
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.bounds.relaxation.separation import separate
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.problem.instance import Instance
from pcsos.problem.params import CutParams
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.report.course import is_bound_of_all
from pcsos.search.warm_up import warm_up_device
from tests.bounds.relaxation.gpu.on_processor import COMPILER, OnProcessor
from tests.bounds.relaxation.samples import cut_list, plane_after, random_cuts, random_symmetric

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler")


def overlapping(n: int = 300, k: int = 5, **given: object) -> tuple[Instance, Indices]:
    """Points around centres that are hardly further apart than the points of each, and a good partition of them."""
    rng = np.random.default_rng(0)
    centres, own = np.sqrt(2.0) * rng.standard_normal((k, 10)), np.arange(n) % k
    points = centres[own] + rng.standard_normal((n, 10))
    for _ in range(20):
        means = np.array([points[own == cluster].mean(axis=0) for cluster in range(k)])
        own = ((points[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    return Instance(points, k, **given), own  # type: ignore[arg-type]


def accelerated(relaxation: peng_wei.PengWei, warm: WarmStart) -> Accelerated:
    return Accelerated(relaxation, warm, device=OnProcessor())


def warm_of(instance: Instance, labels: Indices) -> tuple[Reduced, WarmStart]:
    reduced = reduce_instance(instance)
    return reduced, start_from(reduced, labels[reduced.representative], 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("given", [{}, {"cannot_link": [(0, 1), (2, 5), (7, 30)]}, {"size_min": 55}])
def test_it_leads_where_the_processor_does_and_never_beyond_what_is_proved(given: dict[str, object]) -> None:
    instance, labels = overlapping(**given)
    reduced, warm = warm_of(instance, labels)
    relaxation = peng_wei.build(reduced)
    here = plane_after(8, relaxation, Admm, warm, params=CutParams(sets=0))
    there = plane_after(8, relaxation, accelerated, warm)
    assert there.bound == pytest.approx(here.bound, rel=3e-5)
    proved = prove(relaxation, there.best_multipliers())
    assert there.bound == pytest.approx(proved, rel=1e-6)
    assert proved >= there.bound * (1.0 - 1e-7)
    assert len(there.cuts) > reduced.size


def test_the_first_bound_is_that_of_the_same_multipliers() -> None:
    instance, labels = overlapping()
    reduced, warm = warm_of(instance, labels)
    relaxation = peng_wei.build(reduced)
    there = CuttingPlane(relaxation, accelerated, warm)
    assert there.bound == pytest.approx(CuttingPlane(relaxation, Admm, warm).bound, rel=1e-6)


def test_the_same_stars_are_found_where_no_limit_binds() -> None:
    """Pairs and triangles are all those of the processor that come first for a pair of centre and member."""
    instance, labels = overlapping(120, 4)
    reduced, warm = warm_of(instance, labels)
    relaxation = peng_wei.build(reduced)
    own = accelerated(relaxation, warm.scaled_by(1.0 / relaxation.scale))
    own.advance(NEVER)
    point = own.x
    violation, _ = own.separate(1e-2, 10**6, CutParams(), np.random.default_rng(0))
    cuts, _ = separate(relaxation, point, Cuts.none(), 1e-2, 10**6)
    assert (violation > 0.0).all()
    assert (np.diff(violation) <= 0.0).all()
    small = np.diff(own.cuts.indptr) <= 2
    share = np.isin(keys(select(own.cuts, small)), keys(cuts)).mean()
    assert share > 0.999  # but for ties in single precision
    rows = rows_of(own.cuts, relaxation)
    held = np.add.reduceat(rows.coefficients * point.ravel()[rows.entries], rows.indptr[:-1])
    np.testing.assert_allclose(np.sort(-held), np.sort(violation), rtol=1e-3, atol=1e-7)
    assert np.bincount(own.cuts.centre).max() <= PER_CENTRE


@pytest.mark.parametrize("at_a_time", [2500, 7])
def test_a_sweep_adds_what_it_says_and_satisfies_a_cut(at_a_time: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stars, "AT_A_TIME", at_a_time)
    rng = np.random.default_rng(0)
    instance, labels = overlapping(40, 3)
    relaxation = peng_wei.build(warm_of(instance, labels)[0])
    drawn = random_cuts(rng, 40, 3, 30)
    cuts = select(drawn, (drawn.centre >= 0) & (np.diff(drawn.indptr) <= 8))
    own, inverse_roots = OnProcessor(), relaxation.inverse_roots.astype(np.float32)
    weights = rng.random(len(cuts))
    v = np.zeros((40, 40), np.float32)
    clusters = np.zeros(40, np.intp)
    Stars(own, inverse_roots, cuts, weights, clusters).add_to(v)
    upper = np.triu(v) + np.triu(v, 1).T
    np.testing.assert_allclose(upper, combine(rows_of(cuts, relaxation), weights, 40), atol=1e-6)
    one = cut_list([(23, [1, 2, 3])])
    few = Stars(own, inverse_roots, one, np.zeros(1), clusters)
    target = np.abs(random_symmetric(rng, 40)).astype(np.float32) + 5.0
    target[1:4, 23] += 9.0
    rows = rows_of(one, relaxation)
    free = np.full((40, 40), 1e6, np.float32)
    few.project(target, np.full(40, -1e6, np.float32), free, 1)
    assert few.weights[0] > 0.0
    assert abs(rows.coefficients @ target.ravel()[rows.entries]) < 1e-4


def test_pairs_are_those_of_a_decomposition() -> None:
    rng = np.random.default_rng(1)
    u = np.full(200, 200.0**-0.5)
    values = np.concatenate([[5.0, 4.0, 3.5, 3.2], np.linspace(1.0, -1.0, 195)])
    basis = np.linalg.qr(np.column_stack([u, rng.standard_normal((200, 199))]))[0][:, 1:]
    m = ((basis * values) @ basis.T).astype(np.float32)
    leading = Leading(OnProcessor(), u, rng.standard_normal((200, 3)))
    found, vectors, weights = leading.weighted(m, 4.0, 1e-4)
    np.testing.assert_allclose(found[:4], values[:4], atol=1e-5)
    np.testing.assert_allclose(vectors[:, :4] @ vectors[:, :4].T, basis[:, :4] @ basis[:, :4].T, atol=1e-4)
    assert weights.sum() == pytest.approx(4.0)
    assert np.abs(u @ vectors).max() < 1e-10


def test_columns_that_depend_on_others_are_left_out() -> None:
    leading = Leading(OnProcessor(), np.full(50, 50.0**-0.5), np.ones((50, 3)))
    gram = leading.columns.T @ leading.columns
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-10)


def test_cuts_that_are_no_small_stars_leave_their_part_in_the_box() -> None:
    instance, labels = overlapping(60, 3)
    reduced, warm = warm_of(instance, labels)
    relaxation = peng_wei.build(reduced)
    cuts = cut_list([(0, [1, 2]), (-1, [3, 4, 5, 6]), (7, list(range(8, 20)))])
    given = replace(warm, multipliers=Multipliers(warm.multipliers.box, cuts, np.array([1.0, 2.0, 3.0])))
    start = given.scaled_by(1.0 / relaxation.scale)
    found = accelerated(relaxation, start).multipliers()
    whole = start.multipliers
    assert len(found.cuts) == 1
    for own in (found, whole):
        assert own.weights[0] > 0.0
    total = [own.box + combine(rows_of(own.cuts, relaxation), own.weights, 60) for own in (found, whole)]
    np.testing.assert_allclose(total[0], total[1], rtol=1e-4, atol=1e-7)


def test_it_stops_when_asked() -> None:
    instance, labels = overlapping(120, 4)
    reduced, warm = warm_of(instance, labels)
    own = accelerated(peng_wei.build(reduced), warm)
    own.advance(Stop(lambda: True))
    assert own.iterations == 1


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that is this processor."""
    monkeypatch.setattr(device, "_asked", lambda: ("a stand-in", 1e11, ""))
    monkeypatch.setattr(engine, "Device", OnProcessor)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("is_certified", [True, False])
def test_what_is_claimed_is_proved_and_accepted_by_the_checker(tmp_path, is_certified: bool) -> None:  # type: ignore[no-untyped-def]
    instance, labels = overlapping(150, 4)
    told: list[object] = []
    options = pcsos.Options(engine="gpu", gap=1e-4, workers=1, on_event=told.append)
    if is_certified:
        result = pcsos.certify(instance, labels, options=options, run_file=tmp_path / "run")
        assert result.n_blocks == 1
    else:
        result = pcsos.solve(instance, start=labels, options=options, run_file=tmp_path / "run")
    assert str(result.status) == "OPTIMAL"
    assert any("150 super-points, is bounded on a stand-in" in getattr(event, "message", "") for event in told)
    rounds = [event for event in told if isinstance(event, CutRound)]
    assert rounds or is_certified
    assert not any(event.is_proved or is_bound_of_all(event) for event in rounds)
    report = pcsos.verify.verify(tmp_path / "run")
    assert report.lower_bound >= result.lower_bound * (1.0 - 1e-12)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("error", [MemoryError("out of memory"), RuntimeError("cudaErrorUnknown")])
def test_the_processor_goes_on_where_a_device_gives_up(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Accelerated) -> None:
        raise error

    monkeypatch.setattr(Accelerated, "_step", fail)
    instance, labels = overlapping(150, 4)
    told: list[object] = []
    options = pcsos.Options(engine="gpu", gap=1e-4, workers=1, on_event=told.append)
    assert str(pcsos.solve(instance, start=labels, options=options).status) == "OPTIMAL"
    assert any(f"the device gave up ({error})" in getattr(event, "message", "") for event in told)


def test_a_run_on_a_device_goes_on_where_there_is_none(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    instance, labels = overlapping(150, 4)
    with monkeypatch.context() as patch:
        patch.setattr(device, "_asked", lambda: ("a stand-in", 1e11, ""))
        patch.setattr(engine, "Device", OnProcessor)
        options = pcsos.Options(engine="gpu", gap=1e-4, workers=1, node_limit=0)
        pcsos.solve(instance, start=labels, options=options, run_file=tmp_path / "run")
    monkeypatch.setattr(device, "_asked", lambda: ("", 0.0, "needs CuPy"))
    assert str(pcsos.resume(tmp_path / "run", workers=1).status) == "OPTIMAL"


@pytest.mark.usefixtures("stand_in")
def test_the_root_alone_is_for_the_device_and_soft_pairs_are_not() -> None:
    instance, _ = overlapping(120, 4)
    reduced = reduce_instance(instance)
    soft = reduce_instance(instance.with_(conditions=[pcsos.SoftPairs(must_link=[(0, 1, 1.0)])]))
    assert engines.of_root("gpu", reduced) == "gpu"
    assert engines.of_root("auto", reduced) == engines.of_root("gpu", soft) == engines.below_root("gpu") == "admm"
    assert engines.of_root("scs", reduced) == engines.below_root("scs") == "scs"


def test_what_is_lacking_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    instance, labels = overlapping(120, 4)
    reduced = reduce_instance(instance)
    for answer, sentence in (
        (("", 0.0, "needs CuPy"), "engine is 'gpu', which needs CuPy; use 'admm'"),
        (("X", 1e3, ""), "engine is 'gpu', which needs about 0 GB for 120 super-points, and X has 0 GB free; use"),
    ):
        monkeypatch.setattr(device, "_asked", lambda answer=answer: answer)
        with pytest.raises(InputError) as error:
            engines.of_root("gpu", reduced)
        assert str(error.value).startswith(sentence)
        assert engines.of_root("auto", reduced) == "admm"
    monkeypatch.setattr(device, "_asked", lambda: ("", 0.0, 'needs CuPy; pip install "pcsos[gpu]"'))
    options = pcsos.Options(engine="gpu")
    for call in (partial(pcsos.solve, instance), partial(pcsos.certify, instance, labels)):
        with pytest.raises(InputError, match=r"engine is 'gpu', which needs CuPy; pip install \"pcsos\[gpu\]\""):
            call(options=options)


def test_a_device_that_does_not_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "find_spec", lambda name: name)
    monkeypatch.setattr(device, "ASK", "import time; time.sleep(60)")
    monkeypatch.setattr(device, "PATIENCE", 0.1)
    assert device._asked.__wrapped__()[2].endswith("CuPy has not answered within 0.1 seconds")


def test_a_device_is_warmed_up_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(device, "_asked", lambda: ("", 0.0, "needs CuPy"))
    warm_up_device(said.append)
    assert said == []
    monkeypatch.setattr(device, "_asked", lambda: ("X", 1e12, ""))
    monkeypatch.setattr(device, "LEAST", 25)
    called = set()

    class Noted(OnProcessor):
        def run(self, kernel: str, *arguments: object, **how: int) -> None:
            called.add(kernel)
            super().run(kernel, *arguments, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "Device", Noted)
    warm_up_device(said.append)
    kernels = set(re.findall(r"^KERNEL (\w+)", Path(device.__file__).with_name("kernels.cu").read_text(), re.MULTILINE))
    assert (said, called) == (["compiling for X"], kernels)

    def broken() -> None:
        raise RuntimeError("no compiler")

    monkeypatch.setattr(engine, "Device", broken)
    warm_up_device(said.append)
    assert said[1:] == ["compiling for X", "the device gave up (no compiler)"]


@pytest.mark.gpu
def test_a_device_leads_where_the_processor_does() -> None:
    instance, labels = overlapping()
    reduced, warm = warm_of(instance, labels)
    relaxation = peng_wei.build(reduced)
    here, there = (plane_after(8, relaxation, make, warm) for make in (accelerated, Accelerated))
    assert there.bound == pytest.approx(here.bound, rel=3e-5)
    assert prove(relaxation, there.best_multipliers()) == pytest.approx(there.bound, rel=1e-6)
