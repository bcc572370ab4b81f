import json
import math
import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from pcsos.base.exceptions import InputError
from pcsos.io.labels import labels_data, labels_text, read_labels
from pcsos.io.outputs import OutputError, check_outputs, json_text, write_text
from pcsos.problem.validation.names import PointNames


def test_labels_have_a_row_a_point() -> None:
    assert labels_text([0, 1, 0], PointNames(3)) == "point,label\n0,0\n1,1\n2,0\n"
    assert labels_text([0, 1], PointNames(2, first=1)) == "point,label\n1,0\n2,1\n"
    assert labels_text([0, 1], PointNames(2, ids=["Eva Ek", "b, c"])) == 'id,label\nEva Ek,0\n"b, c",1\n'
    assert labels_text(None, PointNames(3)) == "point,label\n"


def test_json_is_strict() -> None:
    values = json.loads(json_text({"bound": -math.inf, "gap": math.nan, "objective": 0.1, "labels": [0, 1]}))
    assert values == {"bound": None, "gap": None, "objective": 0.1, "labels": [0, 1]}


def test_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "é.json"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["é.json"]


@pytest.mark.parametrize("ending", ["csv", "CSV", "npy", "parquet", "txt"])
def test_compressed_labels_are_read_back(ending: str, tmp_path: Path) -> None:
    names, labels = PointNames(4), [0, 1, 0, 2]
    paths = [tmp_path / f"{number}.{ending}.gz" for number in range(2)]
    for path in paths:
        data = labels_data(path, labels, names)
        assert (data is None) == (ending in {"csv", "CSV", "txt"})
        write_text(path, labels_text(labels, names) if data is None else data)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].read_bytes().startswith(b"\x1f\x8b")
    assert read_labels(paths[0], 4).tolist() == ["0", "1", "0", "2"]


def test_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "real").read_text() == "new"
    assert (tmp_path / "link").is_symlink()


def test_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")

    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match=r"cannot be written \(No space left on device\)"):
        write_text(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a full disk on Linux")
def test_full_disk_is_said() -> None:
    check_outputs({"--json": "/dev/full"}, {})
    with pytest.raises(OutputError, match=r"/dev/full cannot be written \(No space left on device\)"):
        write_text("/dev/full", "new")


class TestCheckOutputs:
    def test_good_outputs_leave_no_trace(self, tmp_path: Path) -> None:
        check_outputs({"--json": tmp_path / "a", "--labels": tmp_path / "b", "--log": None}, {"POINTS": "c"})
        assert os.listdir(tmp_path) == []

    def test_places_that_cannot_be_written_or_are_read_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "points.csv").write_text("1,2\n")
        (tmp_path / "link").symlink_to("points.csv")
        for outputs, sentence in (
            ({"--json": tmp_path / "none" / "a"}, r"--json .*a lies in the folder .*none, which does not exist"),
            ({"--labels": tmp_path}, r"--labels .* is a directory"),
            ({"--json": tmp_path / "link"}, r"--json and POINTS are both .*link"),
            ({"--json": tmp_path / "a", "--labels": f"{tmp_path}/./a"}, "--labels and --json are both"),
            ({"--json": "-", "--labels": "-"}, "--labels and --json are both -"),
        ):
            with pytest.raises(InputError, match=sentence):
                check_outputs(outputs, {"POINTS": tmp_path / "points.csv"})

    def test_closed_standard_output(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", None)
        with pytest.raises(InputError, match="--json is standard output, which is closed"):
            check_outputs({"--json": "-"}, {})

    def test_read_only_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(**_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
        with pytest.raises(InputError, match=r"cannot be written \(Permission denied\); give another place"):
            check_outputs({"--json": tmp_path / "a"}, {})


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_what_sqlite_keeps_beside_a_run_file_is_no_output(tmp_path: Path, suffix: str) -> None:
    run_file = str(tmp_path / "a.run")
    with pytest.raises(InputError, match="--run-file"):
        check_outputs({"--log": run_file + suffix, "--run-file": run_file}, {})
    with pytest.raises(InputError, match="RUN_FILE"):
        check_outputs({"--json": run_file + suffix}, {"RUN_FILE": run_file})
