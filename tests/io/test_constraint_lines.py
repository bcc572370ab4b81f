"""Constraints as text: what is written is read again, whatever the points are called."""

from pathlib import Path

import numpy as np
import pytest

from pcsos.io import PointNames, read_constraints
from pcsos.io.constraint_lines import constraints_text
from pcsos.problem.conditions.pairs import Constraints

PAIRS = Constraints(4, [(0, 1)], [(1, 2), (0, 3)])


@pytest.mark.parametrize(
    ("names", "is_json"),
    [
        (PointNames(4), False),
        (PointNames(4, first=1), False),
        (PointNames(4, ids=["a", "b", "ML", "3"]), False),
        (PointNames(4, ids=["a b", "b", "c", "d"]), True),
        (PointNames(4, ids=["a", "b;1", "c,2", "#d"]), True),
        (PointNames(4, ids=['"', "é", "c", "d"]), True),
    ],
)
def test_what_is_written_is_read_again(tmp_path: Path, names: PointNames, is_json: bool) -> None:
    path = tmp_path / "pairs.txt"
    text = constraints_text(PAIRS, names)
    path.write_text(text, encoding="utf-8")
    read = read_constraints(path, np.zeros((4, 1)), names)
    assert read.must_link.tolist() == PAIRS.must_link.tolist()
    assert read.cannot_link.tolist() == PAIRS.cannot_link.tolist()
    assert text.startswith("{") == is_json


@pytest.mark.parametrize("letter", [chr(code) for code in range(0x3001) if chr(code).isspace()], ids=ascii)
def test_white_space_of_all_kinds_is_part_of_a_name(tmp_path: Path, letter: str) -> None:
    """Ids that a reader who splits at it, or strips it, takes for those of other points."""
    names = PointNames(4, ids=["a", f"a{letter}", "b", f"a{letter}b"])
    path = tmp_path / "pairs.txt"
    path.write_bytes(constraints_text(PAIRS, names).encode())
    read = read_constraints(path, np.zeros((4, 1)), names)
    assert read.must_link.tolist() == PAIRS.must_link.tolist()
    assert read.cannot_link.tolist() == PAIRS.cannot_link.tolist()


def test_no_pairs_can_be_read_again(tmp_path: Path) -> None:
    (tmp_path / "pairs.txt").write_text(constraints_text(Constraints(4), PointNames(4)))
    assert read_constraints(tmp_path / "pairs.txt", np.zeros((4, 1))).must_link.size == 0
