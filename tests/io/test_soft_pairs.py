"""Soft pairs in files: lines and JSON, what stands behind the points, and what is refused."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import InputError
from pcsos.io import PointNames, read_constraint_file
from pcsos.io.constraints import ConstraintFile

POINTS = np.arange(12.0).reshape(6, 2)


def read(folder: Path, text: str, names: PointNames | None = None) -> ConstraintFile:
    (folder / "pairs").write_text(text)
    return read_constraint_file(folder / "pairs", POINTS, names)


@pytest.mark.parametrize(
    "text",
    [
        "ML 0 1\nSML 2 3 1.5\nSCL 4 5\nSCL 0 2 inf\n",
        "ml;0;1\nsoft-must-link;2;3;1.5\nsoft_cannot_link;4;5\nscl;0;2;INF\n",
        "kind,a,b,penalty\nML,0,1\nSML,2,3,1.5\nSCL,4,5\nSCL,0,2,inf\n",
        '{"ml": [[0, 1]], "sml": [[2, 3, 1.5]], "scl": [[4, 5], [0, 2, Infinity]]}',
    ],
)
def test_soft_pairs_have_their_penalties_or_none(tmp_path: Path, text: str) -> None:
    file = read(tmp_path, text)
    assert file.constraints.must_link.tolist() == [[0, 1]]
    assert file.soft_must_link == [(2, 3, 1.5)]
    assert file.soft_cannot_link == [(4, 5), (0, 2, math.inf)]
    assert file.checked_penalty(2.0) == 2.0


def test_ids_and_numbers_from_one_name_the_points(tmp_path: Path) -> None:
    assert read(tmp_path, "SML 1 6 2\n", PointNames(6, first=1)).soft_must_link == [(0, 5, 2.0)]
    ids = PointNames(6, ids=["a b", "b", "c", "d", "SML", "2"])
    assert read(tmp_path, "SML,a b,2,7\n", ids).soft_must_link == [(0, 5, 7.0)]
    assert read(tmp_path, '{"scl": [["SML", 2, 7]]}', ids).soft_cannot_link == [(4, 5, 7.0)]


def test_the_published_files_have_probabilities_apart(tmp_path: Path) -> None:
    content = {"ml": [], "cl": [[0, 1]], "sml": [[2, 3], [1, 4]], "scl": [], "sml_proba": [0.9, 1], "scl_proba": []}
    with gzip.open(tmp_path / "pairs", "wt") as stream:
        json.dump(content, stream)
    file = read_constraint_file(tmp_path / "pairs", POINTS)
    assert file.soft_must_link == [(2, 3, 0.9), (1, 4, 1.0)]
    assert file.checked_penalty(None) == file.checked_penalty("confidence") == "confidence"
    with pytest.raises(InputError, match=r"penalty is 2.0, but .*pairs has probabilities of soft pairs; leave it out"):
        file.checked_penalty(2.0)


def test_a_certain_soft_pair_has_its_place(tmp_path: Path) -> None:
    assert read(tmp_path, "# first\nSML 3 0 inf\n").place("ML", 0, 3) == "line 2"
    assert read(tmp_path, '{"scl": [[1, 2], [4, 5, Infinity]]}').place("CL", 5, 4) == "scl[1]"


@pytest.mark.parametrize(
    ("text", "penalty", "sentence"),
    [
        ("SML 0 1\n", None, "line 1 has no penalty; give it behind the two points, or one for all as penalty"),
        ("# x\nSML 0 1 -1\n", 1.0, "line 2 has '-1' after the points of SML; give a penalty of 0 or more, or inf"),
        ("SCL 0 1 x\n", 1.0, "line 1 has 'x' after the points of SCL"),
        ("SCL 0 1 nan\n", 1.0, "line 1 has 'nan' after the points of SCL"),
        ("SML 0\n", 1.0, "line 1 has 1 value after SML; give two point indices, and a penalty"),
        ("SML 0 1 2 3\n", 1.0, "line 1 has 4 values after SML"),
        ("SML 0 6\n", 1.0, "line 1 names point 6, but point indices go from 0 to 5"),
        ("SML 2 2 1\n", 1.0, "line 1 says that point 2 is a soft pair with itself; remove that pair"),
        ("SML 0 1 0.3\n", "confidence", "line 1 has the confidence 0.3: it is less likely right than wrong"),
        ("SML 0 1 2\n", "confidence", "line 1 has the confidence 2.0; give a number from 0.5 to 1"),
        ('{"sml": [[0, 1]]}', "confidence", r"sml\[0\] has no confidence"),
        ('{"sml": [[0, 1, -1]]}', None, r"sml\[0\] has '-1' after the points of SML; give a penalty of 0 or more"),
        ('{"sml": [[0, 1, "2"]]}', None, r"sml\[0\] counts .*; give a number of at least 0"),
        ('{"sml": [[0, 1, true]]}', None, r"sml\[0\] counts '\[true\]'; give a number"),
        ('{"ml": [[0, 1, 2]]}', None, r"ml\[0\] has 3 values after ML; give two point indices, or SML"),
        ('{"scl": [[0]]}', None, r"scl\[0\] has 1 value after SCL; give two point indices, and a penalty"),
        ('{"scl": [[3, 3]]}', None, r"scl\[0\] says that point 3 is a soft pair with itself"),
        (
            '{"sml": [[0, 1]], "sml_proba": [0.9, 0.8]}',
            None,
            "has other numbers than 1 pairs under 'sml_proba'; give one a pair",
        ),
        ('{"sml": [[0, 1]], "sml_proba": 0.9}', None, "has other numbers than 1 pairs under 'sml_proba'"),
        ('{"sml": [[0, 1, 3]], "sml_proba": [0.9]}', None, r"sml\[0\] has 4 values after SML"),
        ('{"sml": [[0, 1]], "sml_proba": ["x"]}', None, r"sml\[0\] counts .*; give a number"),
        ('{"sml": [[0, 1]], "sml_proba": [0.1]}', None, r"sml\[0\] has the confidence 0.1: it is less likely"),
        ('{"sml_proba": [0.9]}', None, "has none of the keys 'ml' and 'cl', 'sml' and 'scl'"),
    ],
)
def test_what_is_no_soft_pair_is_refused_with_its_place(
    tmp_path: Path, text: str, penalty: object, sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        read(tmp_path, text).checked_penalty(penalty)
    assert str(caught.value).startswith(str(tmp_path / "pairs"))


def test_a_column_of_confidences_is_not_taken_for_penalties(tmp_path: Path) -> None:
    file = read(tmp_path, "kind,a,b,Confidence\nSML,2,3,0.9\n")
    for penalty in (None, 2.0, "distance"):
        with pytest.raises(
            InputError, match=r"pairs has a column 'Confidence', but .* as penalties; give --penalty conf"
        ):
            file.checked_penalty(penalty)
    assert file.checked_penalty("confidence") == "confidence"
    assert read(tmp_path, "kind,a,b,confidence\nML,2,3\n").checked_penalty(None) is None
