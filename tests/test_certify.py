"""Certify: what is said about anybody's labels, limits, files, and bad input."""

import contextlib
import json
import math
import sqlite3
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.events import BlockBounded
from pcsos.base.exceptions import InputError
from pcsos.cli import main
from pcsos.evidence.run_file import RunFile
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.verify import verify
from tests.clouds import clouds

NAMES = np.array(["ash", "beech", "cedar"])
NO_PRICES = Params(prices=PriceParams(features_up_to=0))


def blobs(n: int) -> tuple[np.ndarray, np.ndarray]:
    return clouds(1, n, 3, 5, 20.0)


@pytest.mark.slow
def test_good_labels_are_certified_by_blocks() -> None:
    points, labels = blobs(900)
    result = pcsos.certify(points, NAMES[labels], gap=1e-2, workers=1, options=pcsos.Options(params=NO_PRICES))
    assert (result.status, result.reason) == (pcsos.Status.OPTIMAL, pcsos.Reason.GAP_REACHED)
    assert result.n_blocks > 1
    assert 0.99 * result.objective <= result.lower_bound <= result.objective
    assert result.labels.tolist() == labels.tolist()
    assert result.better is None


@pytest.mark.slow
@pytest.mark.parametrize("params", [Params(), NO_PRICES])
def test_the_number_of_workers_changes_nothing(params: Params) -> None:
    points, labels = blobs(600)
    first, second = (
        pcsos.certify(points, labels, gap=1e-2, workers=workers, options=pcsos.Options(params=params))
        for workers in (1, 2)
    )
    assert (first.lower_bound, first.n_blocks) == (second.lower_bound, second.n_blocks)


def test_poor_labels_are_shown_a_better_partition() -> None:
    points, labels = blobs(120)
    wrong = labels.copy()
    wrong[:30] = (wrong[:30] + 1) % 3
    result = pcsos.certify(points, wrong, workers=1)
    assert result.status is pcsos.Status.FEASIBLE
    assert result.better is not None
    assert result.better.objective < result.objective
    assert result.lower_bound <= result.better.objective
    assert "% less than the labels given" in result.message


def test_constraints_and_weights_are_kept() -> None:
    points, labels = blobs(200)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 200)
    must, cannot = [(0, 3), (3, 6)], [(0, 1), (4, 5)]
    result = pcsos.certify(points, labels, must_link=must, cannot_link=cannot, weights=weights, gap=1e-2, workers=1)
    exact = pcsos.solve(points, 3, must_link=must, cannot_link=cannot, weights=weights, gap=1e-4, workers=1)
    assert result.lower_bound <= exact.objective * (1 + 1e-12)
    assert result.objective >= exact.lower_bound
    with pytest.raises(InputError, match="points 0 and 1 must be linked but are apart"):
        pcsos.certify(points, labels, must_link=[(0, 1)])


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([0, 1], "there are 2 labels for 4 points"),
        ([], "labels have shape"),
        ([[0, 1], [1, 0]], "labels have shape"),
        ([0.0, 1.0, math.nan, 1.0], r"labels\[2\] is nan"),
        (["a", None, "b", "a"], r"labels\[1\] is None"),
        (np.ma.masked_array([0, 1, 0, 1], [0, 0, 1, 0]), "masked"),
        ([0j, 1j, 0j, 1j], "is 0j"),
        ([math.nan, "a", "a", math.nan], "labels"),
        (["a", math.nan, "b", "b"], "labels"),
        ([[0], [0, 1], [1], [1]], "labels"),
        ([0, 0, 1, math.inf], "labels"),
        (range(6), "there are 6 labels for 4 points"),
    ],
)
def test_bad_labels_are_refused(labels: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        pcsos.certify([0.0, 1.0, 5.0, 6.0], labels)  # type: ignore[arg-type]


@pytest.mark.parametrize("block_size", [0, 1, 2.5, True])
def test_bad_block_sizes_are_refused(block_size: object) -> None:
    with pytest.raises(InputError, match="block_size is"):
        pcsos.certify([0.0, 1.0, 5.0, 6.0], [0, 0, 1, 1], options=pcsos.Options(block_size=block_size))  # type: ignore[arg-type]


@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [0, 1, 2, 3]], ids=["one cluster", "a cluster a point"])
def test_degenerate_partitions_are_certified(labels: list[int]) -> None:
    for points in ([0.0, 1.0, 5.0, 6.0], [[0.0, 0.0], [1.0, 1.0], [5.0, 0.0], [6.0, 1.0]]):
        assert pcsos.certify(points, labels, workers=1).status is pcsos.Status.OPTIMAL


def test_equal_points_cost_nothing() -> None:
    result = pcsos.certify(np.zeros((50, 2)), np.arange(50) % 2, workers=1)
    assert (result.status, result.objective, result.lower_bound) == (pcsos.Status.OPTIMAL, 0.0, 0.0)


@pytest.mark.slow
def test_a_run_without_time_still_proves_something(tmp_path: Path) -> None:
    points, labels = blobs(600)
    path = tmp_path / "blocks.run"
    result = pcsos.certify(
        points, labels, gap=1e-2, time_limit=0.0, workers=1, run_file=path, options=pcsos.Options(params=NO_PRICES)
    )
    assert (result.status, result.reason) == (pcsos.Status.FEASIBLE, pcsos.Reason.TIME_LIMIT)
    assert 0.0 < result.lower_bound < result.objective
    verdict = verify(path, points, ([], []), n_clusters=3)
    assert verdict.lower_bound >= result.lower_bound
    resumed = pcsos.resume(path, workers=1)
    assert isinstance(resumed, pcsos.Certification)
    assert resumed.status is pcsos.Status.OPTIMAL
    assert verify(path, points, ([], []), gap=1e-2).gap <= 1e-2
    again = pcsos.resume(path)
    assert (again.lower_bound, again.seconds) == (resumed.lower_bound, resumed.seconds)


@pytest.mark.parametrize("params", [NO_PRICES, Params()], ids=["blocks", "prices"])
def test_what_is_in_the_run_file_is_claimed_though_nothing_more_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, params: Params
) -> None:
    points, labels = blobs(240)
    path = tmp_path / "blocks.run"
    first = pcsos.certify(
        points, labels, gap=1e-7, time_limit=0.0, workers=1, run_file=path, options=pcsos.Options(params=params)
    )
    assert (first.reason, first.lower_bound > 0.0) == (pcsos.Reason.TIME_LIMIT, True)

    def refuse(*_: object) -> None:
        raise pcsos.RunFileError("the disk is full")

    for name in ("add_part", "add_cover", "add_beside_tree", "set_claim"):
        monkeypatch.setattr(RunFile, name, refuse)
    resumed = pcsos.resume(path, workers=1)
    assert resumed.reason is pcsos.Reason.RUN_FILE_FAILED
    assert resumed.lower_bound == first.lower_bound
    assert resumed.to_dict()["n_blocks"] == first.n_blocks


def test_neither_is_it_lost_where_a_better_partition_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points, labels = blobs(600)
    labels = np.where(np.arange(600) % 97 == 0, (labels + 1) % 3, labels)
    path = tmp_path / "blocks.run"
    first = pcsos.certify(points, labels, gap=1e-7, time_limit=0.0, workers=1, run_file=path)
    assert first.lower_bound > 0.0
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        assert file.execute("DELETE FROM incumbents WHERE source != 'G'").rowcount > 0
    written: list[object] = []

    def refuse(*given: object) -> None:
        written.append(given)
        raise pcsos.RunFileError("the disk is full")

    monkeypatch.setattr(RunFile, "add_incumbent", refuse)
    resumed = pcsos.resume(path, workers=1)
    assert written
    assert resumed.reason is pcsos.Reason.RUN_FILE_FAILED
    assert resumed.lower_bound == first.lower_bound


@pytest.mark.slow
def test_no_block_is_bounded_twice(tmp_path: Path) -> None:
    points, labels = blobs(900)
    path = tmp_path / "blocks.run"
    params = Params(blocks=BlockParams(least_size=50, largest_size=2), prices=NO_PRICES.prices)
    done: list[BlockBounded] = []

    def stop_at_five(event: object) -> None:
        if isinstance(event, BlockBounded):
            done.append(event)
            if len(done) == 5:
                raise InterruptedError

    with pytest.raises(InterruptedError):
        pcsos.certify(
            points,
            labels,
            gap=1e-2,
            workers=1,
            run_file=path,
            options=pcsos.Options(params=params, on_event=stop_at_five),
        )
    bounded: list[object] = []
    result = pcsos.resume(path, workers=1, options=pcsos.Options(on_event=bounded.append))
    assert sum(isinstance(event, BlockBounded) for event in bounded) == done[0].num_blocks - 5
    whole = pcsos.certify(points, labels, gap=1e-2, workers=1, options=pcsos.Options(params=params))
    assert result.lower_bound == whole.lower_bound


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[Path, Path]:
        points, labels = blobs(240)
        np.savetxt(tmp_path / "points.csv", points, delimiter=",")
        (tmp_path / "labels.csv").write_text(
            "point,label\n" + "".join(f"{i},{NAMES[c]}\n" for i, c in enumerate(labels))
        )
        return tmp_path / "points.csv", tmp_path / "labels.csv"

    @pytest.mark.slow
    def test_labels_of_a_file_are_certified(self, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
        points, labels = files
        out, run = points.parent / "out.json", points.parent / "out.run"
        command = ["certify", str(points), "--labels", str(labels), "--gap", "1e-2", "--json", str(out)]
        assert main([*command, "--run-file", str(run)]) == 0
        record = json.loads(out.read_text())
        assert (record["status"], record["better_labels"]) == ("OPTIMAL", None)
        shown = capsys.readouterr()
        assert "blocks" in shown.out
        assert "bounded: gap" in shown.err
        assert main(["verify", str(run), "--points", str(points), "--workers", "2", "--quiet"]) == 0

    @pytest.mark.parametrize("pairs", ["CL 0 1\nCL 1 2\nCL 2 0\n", "ML 0 1\nML 1 2\nCL 2 0\n"])
    def test_that_there_is_no_partition_is_written_with_its_proof(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], pairs: str
    ) -> None:
        (tmp_path / "points.csv").write_text("0\n1\n2\n9\n")
        (tmp_path / "pairs.txt").write_text(pairs)
        out, run = tmp_path / "out.json", tmp_path / "out.run"
        given = [str(tmp_path / "points.csv"), "--constraints", str(tmp_path / "pairs.txt"), "-k", "2"]
        assert main(["certify", *given, "--json", str(out), "--run-file", str(run)]) == 3
        assert json.loads(out.read_text())["status"] == "INFEASIBLE"
        assert main(["verify", str(run), "--quiet"]) == 0
        assert verify(run).status == "INFEASIBLE"
        assert main(["resume", str(run)]) == 3
        assert "one of these has to go" in capsys.readouterr().err

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("more", "reason"),
        [
            ([], "either the labels"),
            (["-k", "3", "--labels", "x"], "either the labels"),
            (["--labels", "missing.csv"], "does not exist"),
            (["-k", "999"], "999"),
        ],
    )
    def test_bad_usage(
        self, files: tuple[Path, Path], more: list[str], reason: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["certify", str(files[0]), *more]) == 2
        assert reason in capsys.readouterr().err


class TestBetterPartition:
    @pytest.fixture(autouse=True)
    def points(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("points.csv").write_text("name,x\na,0.5\nb,1.5\nc,5.5\nd,6.5\n")

    def certify(self, labels: str, *options: str) -> int:
        Path("labels.txt").write_text("\n".join(labels))
        return main(["certify", "points.csv", "--id", "name", "--labels", "labels.txt", "--quiet", *options])

    def test_it_is_written(self) -> None:
        assert self.certify("0001", "--better-out", "better.csv", "--labels-out", "same.csv") == 4
        assert Path("better.csv").read_text() == "id,label\na,0\nb,0\nc,1\nd,1\n"
        assert Path("same.csv").read_text() == "id,label\na,0\nb,0\nc,0\nd,1\n"

    def test_without_one_nothing_is_written_and_that_is_said(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.certify("0011", "--better-out", "better.csv") == 0
        assert "no better partition was met, so better.csv is not written" in capsys.readouterr().err
        assert not Path("better.csv").exists()


class TestFoundByAReferee:
    @pytest.mark.parametrize("probes", [1, 2, 3])
    def test_what_is_left_in_the_middle_is_accepted_and_not_lost(self, tmp_path: Path, probes: int) -> None:
        points = np.random.default_rng(5).normal(size=(60, 2))
        labels = np.arange(60) % 3
        params = Params(blocks=BlockParams(least_size=8, least_members=1, largest_size=60, probes=probes))
        for number, limit in enumerate((0.0, 0.02, 0.05, 0.1)):
            path = tmp_path / f"{number}.run"
            result = pcsos.certify(
                points, labels, time_limit=limit, workers=1, run_file=path, options=pcsos.Options(params=params)
            )
            assert verify(path, points, ([], [])).lower_bound >= result.lower_bound
            again = pcsos.resume(path, time_limit=0.0, workers=1)
            assert again.lower_bound >= result.lower_bound
            assert verify(path, points, ([], [])).lower_bound >= again.lower_bound

    def test_weights_of_many_decades_are_dealt(self) -> None:
        params = Params(blocks=BlockParams(least_size=2, least_members=1, largest_size=2))
        points = np.column_stack([np.arange(8.0), np.arange(8.0) % 3])
        result = pcsos.certify(
            points, [0] * 8, weights=[1e17] + [1.0] * 7, workers=1, options=pcsos.Options(params=params)
        )
        assert result.lower_bound <= result.objective

    def test_parts_that_are_no_instances_count_nothing(self) -> None:
        params = Params(blocks=BlockParams(least_size=2, least_members=1, largest_size=2))
        points = np.column_stack([np.r_[np.arange(8) * 1e-145, 1.0], np.arange(9) % 3 * 1e-145])
        result = pcsos.certify(points, [0] * 9, workers=1, options=pcsos.Options(params=params))
        assert 0.0 <= result.lower_bound <= result.objective

    def test_a_run_that_ends_at_once_is_still_a_certification(self, tmp_path: Path) -> None:
        path = tmp_path / "blocks.run"
        points, labels = blobs(60)

        def stop(event: object) -> None:
            raise InterruptedError

        with pytest.raises(InterruptedError):
            pcsos.certify(points, labels, workers=1, run_file=path, options=pcsos.Options(on_event=stop))
        assert isinstance(pcsos.resume(path, workers=1), pcsos.Certification)

    def test_labels_that_differ_stay_apart(self) -> None:
        result = pcsos.certify([0.0, 1.0, 5.0, 6.0], [2**63, 2**63, 2**63 + 1, 2**63 + 1], workers=1)
        assert result.n_clusters == 2
        assert pcsos.certify([0.0, 1.0, 5.0, 6.0], [1, 1.0, "1", "1"], workers=1).n_clusters == 2  # type: ignore[list-item]

    def test_a_run_file_changes_nothing_about_what_is_found(self, tmp_path: Path) -> None:
        points, labels = blobs(120)
        labels[:30] = (labels[:30] + 1) % 3
        first = pcsos.certify(points, labels, workers=1)
        second = pcsos.certify(points, labels, workers=1, run_file=tmp_path / "blocks.run")
        assert first.better is not None
        assert second.better is not None
        assert (first.lower_bound, first.better.objective) == (second.lower_bound, second.better.objective)

    @pytest.mark.parametrize("points", [5.0, np.array(5.0)])
    def test_points_without_a_length_are_refused(self, points: object) -> None:
        with pytest.raises(InputError, match="points"):
            pcsos.certify(points, [0])  # type: ignore[arg-type]
