"""The run file as a journal: what goes in comes out, and nothing else is let in."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.events import CutRound, IncumbentFound
from pcsos.base.exceptions import RunFileError
from pcsos.evidence.kinds import Line, Open
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Reason, Result, Status
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from tests.evidence.conftest import finished, plain, records, rounded
from tests.results import some_result
from tests.verify.certificates import edit


def result(instance: Instance, **changes: object) -> Result:
    values: dict[str, object] = {
        "instance": instance, "reason": Reason.TIME_LIMIT, "partition": Partition.of(instance, [0, 1, 0, 0, 0]),
        "lower_bound": 0.1, "n_super_points": 4, "seconds": 1.5, "seed": 7, "nodes": 3, "root_lower_bound": 0.05,
        "root_seconds": 0.5, "message": "",
    }  # fmt: skip
    return some_result(**(values | changes))


# What goes in comes out


def test_records_come_back_exactly_and_in_order(written: Path) -> None:
    with RunFile.open(written) as file:
        assert [plain(r) for r in file.records()] == [plain(r) for r in records()]


def test_what_stands_beside_the_tree_comes_back_apart_from_it(written: Path) -> None:
    line = NodeRecord(0, None, None, (Line(0.1, 0.2),))
    points, weights = np.array([0, 1, 4]), np.array([1.0, 0.5, 1.0])
    other, all_points = [NodeRecord(0, None, None, (Open(rounded(3, 0.1), 0.7),))], np.arange(5)
    with RunFile.open(written) as file:
        file.add_beside_tree([line])
        file.add_beside_tree(finished())
        assert file.add_part(points, weights, records()) == 7
        assert file.add_part(all_points, np.ones(5), other) == 12
        file.add_cover([7])
        file.add_cover([12, 7])
    with RunFile.open(written) as file:
        assert [plain(r) for r in file.records()] == [plain(r) for r in records()]
        (bounded_first, *below) = [plain(r) for r in file.records_beside_tree()]
        root, *others = finished()
        assert bounded_first == plain(NodeRecord(0, None, None, (*line.evidence, *root.evidence), 0.25))
        assert below == [plain(r) for r in others]
        by_part = [(part, r.node, r.parent, r.decision) for part, r in file.records_of_parts([12, 7])]
        assert by_part == [(7, r.node, r.parent, r.decision) for r in records()] + [(12, 0, None, None)]
        for part in (file.parts(), file.cover()[::-1]):
            one, two = part
            assert (one.number, one.points.tolist(), one.weights.tolist()) == (7, points.tolist(), weights.tolist())
            assert (one.lower_bound, one.is_open, two.lower_bound, two.is_open) == (1.25, False, 0.7, True)
        assert file.stated_bound(counts_tree=False) == np.nextafter(1.95, 0.0)
        assert file.stated_bound() == 1.25  # what the pairs that the tree fixed have set aside costs no more


def test_evidence_is_added_behind_what_left_a_node_open(path: Path, instance: Instance) -> None:
    root, *others = records()
    left = NodeRecord(0, None, None, (root.evidence[0], Open(rounded(4, 0.1), 0.125)), 1.0)
    again = NodeRecord(0, None, None, root.evidence[1:], 0.5)
    RunFile.create(path, instance, Options()).close()
    for record in (left, left, again, *others):
        with RunFile.open(path) as file:
            file.add_node(record)
    with RunFile.open(path) as file:
        both, *rest = [plain(r) for r in file.records()]
    assert both == plain(NodeRecord(0, None, None, (*left.evidence, *left.evidence, *again.evidence), 2.5))
    assert rest == [plain(r) for r in others]


def test_instance_and_options_come_back_exactly(written: Path, instance: Instance) -> None:
    with RunFile.open(written) as file:
        assert file.options == Options(gap=1e-3, seed=7)
        for name in ("points", "weights", "must_link", "cannot_link"):
            assert getattr(file.instance, name).tobytes() == getattr(instance, name).tobytes()
        assert file.instance.n_clusters == 2


def test_the_best_incumbent_comes_back_recomputed(path: Path, instance: Instance) -> None:
    with RunFile.create(path, instance, Options()) as file:
        assert file.incumbent() is None
        good, bad = Partition.of(instance, [0, 1, 0, 0, 0]), Partition.of(instance, [0, 1, 1, 1, 0])
        assert good.objective != bad.objective
        for found in (bad, good, bad):
            file.add_incumbent(found.labels, found.objective, "K", 0.5)
    with RunFile.open(path) as file:
        best = file.incumbent()
        assert best is not None
        assert best.objective == min(good.objective, bad.objective)


def test_the_last_claim_comes_back(path: Path, instance: Instance) -> None:
    with RunFile.create(path, instance, Options(seed=7)) as file:
        assert file.claim() is None
        file.set_claim(result(instance))
        file.set_claim(result(instance, lower_bound=0.2, reason=Reason.NODE_LIMIT))
    with RunFile.open(path) as file:
        claim = file.claim()
    assert claim is not None
    stated = result(instance, lower_bound=0.2, reason=Reason.NODE_LIMIT).to_dict()
    assert claim.to_dict() == stated | {"penalty": 0.0, "violated": []}


def test_the_claim_that_there_is_no_partition(path: Path, instance: Instance) -> None:
    nothing = result(
        instance, status=Status.INFEASIBLE, reason=Reason.INFEASIBLE, partition=None, lower_bound=None,
        n_super_points=None, root_lower_bound=None, message="an odd cycle",
    )  # fmt: skip
    with RunFile.create(path, instance, Options(seed=7)) as file:
        file.set_claim(nothing)
        claim = file.claim()
    assert claim is not None
    assert claim.to_dict() == nothing.to_dict()


def test_events_are_kept_as_json(path: Path, instance: Instance) -> None:
    with RunFile.create(path, instance, Options()) as file:
        file.add_event(IncumbentFound(1.5, "K", 0.25))
        file.add_event(CutRound(0, 5, -np.inf, 0, 0, 0.5))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, data FROM events ORDER BY position").fetchall()
    proved = {"is_proved": True}
    assert [(name, json.loads(data)) for name, data in rows] == [
        ("IncumbentFound", {"objective": 1.5, "source": "K", "seconds": 0.25}),
        (
            "CutRound",
            {"node": 0, "size": 5, "lower_bound": None, "num_cuts": 0, "num_fixed": 0, "seconds": 0.5} | proved,
        ),
    ]


def test_the_digest_is_that_of_the_documentation() -> None:
    small = Instance([0.0, 1.0], 2, [], [(0, 1)])
    assert instance_digest(small) == "fb396706f76f6b1988995e494828b6656665a2fac33d2ca3df054a87b1217bbe"
    others = [
        Instance([0.0, 2.0], 2, [], [(0, 1)]),
        Instance([0.0, 1.0], 1, [], [(0, 1)]),
        Instance([0.0, 1.0], 2, [(0, 1)]),
    ]
    others += [Instance([[0.0, 1.0]] * 2, 2, [], [(0, 1)]), Instance([0.0, 1.0], 2, [], [(0, 1)], [1.0, 2.0])]
    assert len({instance_digest(i) for i in [small, *others]}) == 6


def test_one_file_is_left_behind(written: Path) -> None:
    assert [p.name for p in written.parent.iterdir()] == ["some.run"]


# What is not let in


def test_an_existing_file_is_not_overwritten(written: Path, instance: Instance) -> None:
    before = written.read_bytes()
    with pytest.raises(RunFileError, match="exists already; resume it, delete it"):
        RunFile.create(written, instance, Options())
    assert written.read_bytes() == before


def test_an_empty_file_may_be_taken(path: Path, instance: Instance) -> None:
    path.touch()
    RunFile.create(path, instance, Options()).close()
    with RunFile.open(path) as file:
        np.testing.assert_array_equal(file.instance.points, instance.points)
        assert not file.has_begun


def test_a_run_that_was_killed_as_it_began_can_be_begun_again(path: Path, instance: Instance) -> None:
    program = f"import os; from pcsos.verify.reading import database; database.create({str(path)!r}); os._exit(1)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 1
    assert path.stat().st_size > 0
    RunFile.create(path, instance, Options()).close()
    with RunFile.open(path) as file:
        np.testing.assert_array_equal(file.instance.points, instance.points)


def test_a_database_of_something_else_is_not_taken(path: Path, instance: Instance) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    with pytest.raises(RunFileError, match="exists already"):
        RunFile.create(path, instance, Options())
    assert path.read_bytes() == before


def test_places_that_cannot_be_written_are_named(tmp_path: Path, instance: Instance) -> None:
    with pytest.raises(RunFileError, match=r"missing/some.run cannot be opened .*check that the folder exists"):
        RunFile.create(tmp_path / "missing" / "some.run", instance, Options())
    with pytest.raises(RunFileError, match="exists already"):
        RunFile.create(tmp_path, instance, Options())
    with pytest.raises(RunFileError, match="there is no run file"):
        RunFile.open(tmp_path / "missing.run")
    with pytest.raises(RunFileError, match="there is no run file"):
        RunFile.open(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_named(tmp_path: Path, instance: Instance) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RunFileError, match="cannot be written"):
        RunFile.create(tmp_path / "some.run", instance, Options())
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("content", [b"", b"n d\n" * 2000, b"SQLite format 3\x00" + bytes(5000)])
def test_foreign_files_are_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(RunFileError, match=r"some\.run is .*not a run file.*give another file$"):
        RunFile.open(path)


@pytest.mark.parametrize("version", [1, 9, 11])
def test_files_of_another_version_are_refused(written: Path, version: int) -> None:
    edit(written, (f"PRAGMA user_version = {version}", ()))
    with pytest.raises(
        RunFileError,
        match=f"has format {version}, but this version of pcsos reads format 10; use the version that wrote it",
    ):
        RunFile.open(written)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.8])
def test_truncated_files_are_refused(written: Path, share: float) -> None:
    content = written.read_bytes()
    written.write_bytes(content[: int(share * len(content))])
    with pytest.raises(RunFileError, match="damaged"):
        RunFile.open(written)


TAMPERED = [
    "UPDATE evidence SET bound = bound + 1 WHERE kind = 'single'",
    "UPDATE evidence SET bound = 9 WHERE kind = 'fixed'",
    "UPDATE evidence SET kind = 'open' WHERE position = 5",
    "UPDATE evidence SET kind = 'magic' WHERE position = 5",
    "UPDATE evidence SET problem = 2 WHERE problem = 1",
    "UPDATE evidence SET seconds = 2 WHERE position = 1",
    "UPDATE evidence SET payload = x'' WHERE kind = 'infeasible'",
    "UPDATE evidence SET payload = (SELECT payload FROM evidence WHERE position = 3) WHERE position = 5",
    "UPDATE evidence SET digest = 'x' WHERE position = 6",
    "UPDATE evidence SET position = 99 WHERE position = 3",
    "DELETE FROM evidence WHERE position = 1",
    "DELETE FROM evidence",
    "UPDATE problems SET change = 'CL' WHERE problem = 1",
    "UPDATE problems SET change = 'part' WHERE problem = 1",
    "UPDATE problems SET parent = 1 WHERE problem = 3",
    "UPDATE problems SET content = (SELECT content FROM problems WHERE problem = 1) WHERE problem = 3",
    "UPDATE problems SET digest = 'x' WHERE problem = 2",
    "UPDATE problems SET problem = 99 WHERE problem = 1",
    "DELETE FROM problems WHERE problem = 1",
    "DELETE FROM problems",
    "UPDATE instance SET n_clusters = 3",
    "UPDATE instance SET points = weights",
    "UPDATE instance SET points = 'x'",
    "UPDATE instance SET options = '{\"gap\": 7}'",
    "UPDATE instance SET options = '{\"speed\": 7}'",
    "DELETE FROM instance",
]


@pytest.mark.parametrize("statement", TAMPERED)
def test_tampered_files_are_refused_in_one_sentence(written: Path, statement: str) -> None:
    edit(written, (statement, ()))
    with pytest.raises(RunFileError, match=r"was changed or damaged.*; start the run anew") as caught:
        RunFile.open(written)
    assert "\n" not in str(caught.value)


def test_a_file_without_its_last_evidence_is_an_earlier_one(written: Path) -> None:
    edit(written, ("DELETE FROM evidence WHERE problem = 3", ()))
    with RunFile.open(written) as file:
        assert [plain(r) for r in file.records()] == [plain(r) for r in records()[:-1]]


def test_problems_that_no_evidence_speaks_of_are_left_alone(written: Path) -> None:
    """A run that was killed leaves none behind, but they would harm nothing."""
    with RunFile.open(written) as file:
        number = file.add_part(np.arange(5), np.ones(5))
    with RunFile.open(written) as file:
        assert [plain(r) for r in file.records()] == [plain(r) for r in records()]
        assert [(part.number, part.lower_bound, part.is_open) for part in file.parts()] == [(number, 0.0, False)]


@pytest.mark.parametrize("statement", ["lower_bound = 0.5", "labels = NULL", "details = '{}'", "status = 'OPTIMAL'"])
def test_a_tampered_claim_is_refused(path: Path, instance: Instance, statement: str) -> None:
    with RunFile.create(path, instance, Options()) as file:
        file.set_claim(result(instance))
    edit(path, (f"UPDATE claim SET {statement}", ()))
    with RunFile.open(path) as file, pytest.raises(RunFileError, match=r"claim in .* was changed or damaged"):
        file.claim()


def test_an_incumbent_that_breaks_a_constraint_is_refused(path: Path, instance: Instance) -> None:
    with RunFile.create(path, instance, Options()) as file:
        file.add_incumbent(np.array([0, 0, 0, 0, 1]), 1.0, "K", 0.0)
        with pytest.raises(RunFileError, match="points 0 and 1 cannot be linked"):
            file.incumbent()
