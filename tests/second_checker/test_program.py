"""The second checker on the conformance set, on forged and on mutated files; it is compiled for half a minute."""

import math
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from pcsos.evidence.kinds import Bound
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from tests.conformance.texts import Expected, expected, write_file
from tests.second_checker.agreement import judge_forged, judge_mutated
from tests.second_checker.second import Answer, first_answers, second_answers, why_not
from tests.verify.certificates import Linked, float_bound, hand_made, random_multipliers, write

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def _is_built() -> None:
    if why_not() is not None:
        pytest.skip(f"the second checker cannot be built: {why_not()}")


@pytest.fixture(scope="module")
def conformance(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Expected, Answer]]:
    folder, rows = tmp_path_factory.mktemp("conformance"), expected()
    paths = [write_file(folder / f"{number}.run", row) for number, row in enumerate(rows)]
    return list(zip(rows, second_answers(paths), strict=True))


def test_it_answers_the_conformance_set_as_the_table_says(conformance: list[tuple[Expected, Answer]]) -> None:
    wrong = [
        f"{row.name}: {row.answer}, {answer.status or answer.reason}"
        for row, answer in conformance
        if (row.answer == "accepted") != (answer.status is not None)
    ]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(conformance)}", *wrong])


def test_what_it_proves_is_what_the_table_asks_for(conformance: list[tuple[Expected, Answer]]) -> None:
    for row, answer in conformance:
        if answer.status is None:
            continue
        assert answer.status == row.status, row.name
        if row.lower_bound:
            assert answer.lower_bound is not None, row.name
            assert answer.lower_bound >= float(row.lower_bound), row.name
        if row.cost:
            assert math.isclose(answer.objective or 0.0, float(row.cost), rel_tol=2.0**-40), row.name


def test_the_digest_is_that_of_the_first_checker(tmp_path: Path) -> None:
    rows = [row for row in expected() if row.answer == "accepted"]
    paths = [write_file(tmp_path / f"{number}.run", row) for number, row in enumerate(rows)]
    for row, first, second in zip(rows, first_answers(paths), second_answers(paths), strict=True):
        assert first.digest == second.digest, row.name


def test_a_gap_can_be_asked_for(tmp_path: Path) -> None:
    path = hand_made(tmp_path / "a.run", lower_bound=3.9, gap=0.1)
    (answer,) = second_answers([path], "--gap", "0")
    assert answer.status == "OPTIMAL"  # 4 is proved
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE evidence SET bound = 3.5 WHERE kind = 'single'")
        connection.execute("UPDATE claim SET lower_bound = 3.5")
    (answer,) = second_answers([path], "--gap", "0")
    assert answer.status == "OPTIMAL"  # whatever is stated


def test_many_super_points_are_bounded_as_closely_whatever_the_threads(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    instance = Instance(rng.normal(size=(450, 8)) + 9.0 * rng.integers(3, size=(450, 1)), 4)
    multipliers = random_multipliers(rng, 450, 4, 1e-3)
    proved = float_bound(instance, Linked(instance, [], []), multipliers)
    assert proved > 1000.0
    for share in (1.0 - 1e-9, 1.0 + 1e-9):
        path, bound = tmp_path / f"{share}.run", share * proved
        record = NodeRecord(0, None, None, (Bound(multipliers, bound),))
        write(path, instance, [record], rng.integers(4, size=450).tolist(), bound, status=Status.FEASIBLE)
        (one,), (three,) = (second_answers([path], "--threads", threads) for threads in "13")
        assert one == three
        assert (one.status is not None) == (share < 1.0)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 84])
def test_what_is_no_run_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(content)
    (answer,) = second_answers([path])
    assert answer.reason


# Among the last ones are files about which the two once disagreed.
@pytest.mark.parametrize("seed", [*range(3), 40_000_000_167])
def test_both_agree_about_forged_files(seed: int) -> None:
    judgement = judge_forged(seed)
    assert not judgement.wrong, judgement.sentence
    assert judgement.counts["files"] > judgement.counts["beyond what one of them grants"]


@pytest.mark.parametrize("seed", [*range(3), 12, 21, 51])
def test_both_agree_about_mutated_files(seed: int) -> None:
    judgement = judge_mutated(seed)
    assert not judgement.wrong, judgement.sentence
    assert min(judgement.counts["refused by both"], judgement.counts["accepted by both"]) > 5
