"""What cannot be used is refused in one sentence that names the argument, the value and the remedy."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pcsos
from pcsos import heuristics
from pcsos.analysis.active import ActiveSession, LabelOracle
from pcsos.base.exceptions import InputError
from pcsos.clusterers import MCSSDBS, MCSSGC, MPCKMeans, PCKMeans
from pcsos.clusterers.selection import Protocol
from pcsos.estimators import CertifiedKMeans, MemeticKMeans
from pcsos.io import read_constraint_file, read_points
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture, sparse_groups
from pcsos.problem.validation.names import PointNames

POINTS = np.array([[0.0, 1.0], [2.0, 1.0], [9.0, 4.0], [9.5, 5.0]])
TABLE = pd.DataFrame(POINTS, index=["ash", "beech", "cedar", "elm"], columns=["height", "width"])

SEEDED: dict[str, Callable[[Any], Any]] = {
    "solve": lambda seed: pcsos.solve(POINTS, 2, seed=seed),
    "certify": lambda seed: pcsos.certify(POINTS, [0, 0, 1, 1], options=pcsos.Options(seed=seed)),
    "heuristics.run": lambda seed: heuristics.run(pcsos.Instance(POINTS, 2), seed=seed),
    "ActiveSession": lambda seed: ActiveSession(POINTS, 2, seed=seed),
    "LabelOracle": lambda seed: LabelOracle([0, 1], 0.5, seed=seed),
    "Protocol": lambda seed: Protocol(seed=seed),
    "gaussian_mixture": lambda seed: gaussian_mixture(5, 2, 1, seed=seed),
    "sparse_groups": lambda seed: sparse_groups(2, 1, seed=seed),
    "constraints_from_labels": lambda seed: constraints_from_labels([0, 1], seed=seed),
}


BEYOND = [10**400, Fraction(10**400)]
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "options as a dict": (lambda: pcsos.solve(POINTS, 2, options={}), "options is {}; give a pcsos.Options"),
    "options as a class": (lambda: pcsos.certify(POINTS, [0, 0, 1, 1], options=pcsos.Options), "give a pcsos.Options"),
    "options of a path": (lambda: pcsos.path(POINTS, [1, 2], options=0), "options is 0; give a pcsos.Options"),
    "labels as a dict": (lambda: pcsos.certify(POINTS, {0: 0, 1: 0, 2: 1, 3: 1}), "labels are of type dict"),
    "labels as a set": (lambda: pcsos.certify(POINTS, {0, 1, 2, 3}), "labels are of type set"),
    "groups as a dict": (
        lambda: pcsos.solve(POINTS, 2, conditions=[pcsos.Groups({0: "a", 1: "b", 2: "a", 3: "b"}, at_most=1)]),
        "groups are of type dict",
    ),
    "a pair as a set": (lambda: pcsos.SoftPairs([{0, 4, 3.0}]), r"soft_must_link\[0\] is {.*}; give \(i, j\)"),
    "texts among points": (lambda: pcsos.solve(np.array([["1"], [2], [3]], object), 2), "'1' is a text"),
    "texts as weights": (
        lambda: pcsos.solve(POINTS, 2, weights=np.array(["1", 2, 3, 4], object)), "'1' is a text",
    ),
    "a penalty beyond doubles": (
        lambda: pcsos.solve(POINTS, 2, conditions=[pcsos.SoftPairs([(0, 1, Decimal("1e400"))])]),
        r"soft_must_link\[0\] has the penalty Decimal\('1E\+400'\); give a number",
    ),
    **{f"a distance of {type(own)}": (lambda own=own: pcsos.Diameter(own), "give a distance") for own in BEYOND},
    **{f"a split of {type(own)}": (lambda own=own: pcsos.Split(own), "give a distance") for own in BEYOND},
    "a run file without a name": (lambda: pcsos.solve(POINTS, 2, run_file=""), "run_file is ''; give the name"),
    "a run file that is a number": (lambda: pcsos.resume(3.5), "run_file is 3.5; give the name of a file"),
    "conditions as an array": (lambda: pcsos.solve(POINTS, 2, conditions=np.array(2)), "conditions is a ndarray; give"),
    "a weight beyond doubles": (lambda: pcsos.Weights(10**400), "give a finite weight"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_used_is_refused_in_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        call()


@pytest.mark.parametrize("text", ["SML 0 2 1e400\n", '{"sml": [[0, 2, 1e400]]}'])
def test_a_penalty_of_a_file_that_is_beyond_doubles_is_no_hard_pair(text: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs"
    path.write_text(text)
    with pytest.raises(InputError, match="1e400"):
        read_constraint_file(path, np.zeros((3, 1)), PointNames(3))


@pytest.mark.parametrize("seed", [-1, "one", 1.5])
@pytest.mark.parametrize("call", SEEDED.values(), ids=SEEDED)
def test_a_seed_that_is_none_is_refused(call: Callable[[Any], Any], seed: Any) -> None:
    with pytest.raises(InputError, match=f"^seed is {seed!r}; give a whole number of at least 0$"):
        call(seed)


@pytest.mark.parametrize("seed", [-1, "one", 1.5])
@pytest.mark.parametrize("kind", [CertifiedKMeans, MemeticKMeans, PCKMeans, MPCKMeans])
def test_a_random_state_that_is_none_is_refused_by_that_name(kind: Any, seed: Any) -> None:
    with pytest.raises(InputError, match=f"^random_state is {seed!r}; give a whole number of at least 0, a numpy"):
        kind(2, random_state=seed).fit(POINTS)


@pytest.mark.parametrize(
    ("column", "why"),
    [
        (["a", "b", "c", "d"], "'a' is a text"),
        (pd.to_datetime(["2020-01-01"] * 4), "they are datetime64"),
    ],
)
def test_a_column_of_something_else_than_numbers_is_named(column: Any, why: str) -> None:
    table = TABLE.assign(tree=column)
    with pytest.raises(
        InputError, match=rf"the column 'tree' of points does not hold real numbers: {why}.*get_dummies"
    ):
        pcsos.solve(table, 2)


def test_pairs_that_labels_break_are_named_as_the_table_names_them() -> None:
    message = "labels cannot be certified: points beech and elm must be linked but are apart; give labels that satisfy"
    with pytest.raises(InputError, match=message):
        pcsos.certify(TABLE, [0, 0, 1, 1], must_link=[("elm", "beech")])
    with pytest.raises(InputError, match="points ash and beech cannot be linked but are together; give labels"):
        pcsos.solve(TABLE, 2, start=[0, 0, 1, 1], cannot_link=[("ash", "beech")])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [CertifiedKMeans, PCKMeans, MCSSGC, MCSSDBS])
def test_labels_that_a_pipeline_has_lost_are_missed(kind: Any) -> None:
    pipeline = make_pipeline(StandardScaler(), kind())
    pairs = {f"{kind.__name__.lower()}__must_link": [("ash", "elm")]}
    if kind is CertifiedKMeans or kind is PCKMeans:
        pipeline[-1].set_params(n_clusters=2)
    with pytest.raises(InputError, match=r'has the label .ash.*in a pipeline: set_output\(transform="pandas"\)'):
        pipeline.fit(TABLE, [0, -1, -1, 1], **pairs)
    labels = pipeline.set_output(transform="pandas").fit(TABLE, [0, -1, -1, 0], **pairs)[-1].labels_
    assert kind is PCKMeans or labels[0] == labels[3]


def written(folder: Path, text: str) -> Path:
    path = folder / "points.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("tree,height\nash,1\nbeech,2\n", "tree"),
        ("common name,height\nash,1\nbeech,2\n", "'common name'"),
        ("1,ash\n2,beech\n", "2"),
    ],
)
def test_a_column_of_words_may_be_left_out_or_name_the_points(tmp_path: Path, text: str, option: str) -> None:
    remedy = f"write plain numbers, leave the column out with --ignore {option}, or say --id {option} if it"
    with pytest.raises(InputError, match=remedy):
        read_points(written(tmp_path, text))


def test_a_column_of_different_words_in_parquet_may_name_the_points(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    TABLE.rename_axis("tree").reset_index().to_parquet(tmp_path / "points.parquet")
    with pytest.raises(InputError, match="--ignore tree, or say --id tree if it names the points"):
        read_points(tmp_path / "points.parquet")
