"""The commands soft and graph, and the options of hybrid differential evolution."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")

from pcsos import cli, heuristics
from pcsos.cli import clusterers
from pcsos.cli.options import GRAPH_METHODS, LANDSCAPES, MATCHINGS, METHODS, SOFT_METHODS
from pcsos.clusterers import MCSSGC, PCKMeans
from pcsos.heuristics.differential_evolution import landscape
from pcsos.problem.instance import Instance
from pcsos.problem.partition import canonical_labels
from tests.slow import first_few

POINTS = [0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 30.0]
X = np.array(POINTS)[:, None]
PAIRS = "ML 0 1\nML 2 3\nCL 0 3\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.csv").write_text("x\n" + "".join(f"{x}\n" for x in POINTS))
    (tmp_path / "pairs.txt").write_text(PAIRS)
    (tmp_path / "known.txt").write_text("4\n-1\n-1\n-1\n-1\n9\n-1\n")
    return tmp_path


def main(words: str) -> int:
    return cli.main(words.split())


def found(capsys: pytest.CaptureFixture[str], words: str) -> dict[str, Any]:
    assert main(f"{words} --json - --quiet") == 0
    out, err = capsys.readouterr()
    assert err == ""
    values: dict[str, Any] = json.loads(out)
    return values


def check(values: dict[str, Any], pairs: str) -> None:
    """Count again what is said of labels."""
    labels = np.array(values["labels"])
    kinds = {"ML": values["violated_must_link"], "CL": values["violated_cannot_link"]}
    given = [(kind, int(i), int(j)) for kind, i, j in (line.split() for line in pairs.splitlines())]
    for kind, broken in kinds.items():
        own = [[i, j] for other, i, j in given if other == kind]
        assert broken == [
            [i, j] for i, j in own if (labels[i] != labels[j]) == (kind == "ML") and (kind == "ML" or labels[i] != -1)
        ]
    is_in = labels != -1
    names, own_labels = np.unique(labels[is_in], return_inverse=True)
    assert values["objective"] == pytest.approx(Instance(X[is_in], names.size).geometry.cost(own_labels))
    assert (values["n_points"], values["n_clusters"], values["n_noise"]) == (7, names.size, int((~is_in).sum()))


def test_the_methods_are_those_of_the_tables() -> None:
    assert set(SOFT_METHODS) == set(clusterers.SOFT)
    assert set(GRAPH_METHODS) == set(clusterers.GRAPH)
    assert set(LANDSCAPES) == set(landscape.CRITERIA)
    assert set(MATCHINGS) == set(landscape.MATCHINGS)
    assert set(METHODS) == set(heuristics.METHODS)


@pytest.mark.usefixtures("files")
class TestSoft:
    @pytest.mark.parametrize("method", SOFT_METHODS)
    def test_pairs_may_be_broken_and_are_counted(self, capsys: pytest.CaptureFixture[str], method: str) -> None:
        values = found(capsys, f"soft points.csv -k 2 --constraints pairs.txt --method {method} --seed 3")
        check(values, PAIRS)
        assert (values["method"], values["seed"], values["n_clusters"]) == (method, 3, 2)
        assert (values["n_must_link"], values["n_cannot_link"], len(values["feature_weights"])) == (2, 1, 1)
        assert values["criterion"] > 0.0
        assert not {"status", "lower_bound", "gap"} & values.keys()

    def test_labels_are_those_of_the_clusterer(self, capsys: pytest.CaptureFixture[str]) -> None:
        values = found(capsys, "soft points.csv -k 3 --constraints pairs.txt --seed 5")
        model = PCKMeans(3, random_state=5).fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 3)])
        assert values["labels"] == canonical_labels(model.labels_).tolist()
        assert values["criterion"] == model.objective_

    def test_the_summary_says_what_is_broken_and_nothing_of_a_proof(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main("soft points.csv -k 2 --constraints pairs.txt") == 0
        out = capsys.readouterr().out
        assert "(sum of squares)" in out
        assert re.search(
            r"^broken ML    [012] of 2\nbroken CL    [01] of 1\nclusters     2 of \d and \d points$", out, re.M
        )
        assert "noise" not in out
        assert "labels       with --labels FILE\n" in out
        assert not any(word in out.lower() for word in ("optimal", "bound", "gap", "feasible", "proved"))
        assert main("soft points.csv -k 2 --constraints pairs.txt --labels labels.npy --quiet") == 0
        assert capsys.readouterr().out == ""
        assert np.load("labels.npy").shape == (7,)

    def test_pairs_that_cannot_all_be_kept_are_a_note_with_the_names_of_the_user(
        self, capsys: pytest.CaptureFixture[str], files: Path
    ) -> None:
        files.joinpath("bad.txt").write_text("ML 1 2\nML 2 3\nCL 1 3\n")
        assert main("soft points.csv -k 2 --constraints bad.txt --one-based") == 0
        err = capsys.readouterr().err
        assert err.count("some pairs are broken whatever the clusters are") == 1
        assert "1 - 2 - 3" in err
        assert main("soft points.csv -k 2 --constraints bad.txt --one-based --quiet") == 0
        assert capsys.readouterr().err == ""

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            ("-k 9", "-k is 9 for 7 points"),
            ("-k 2 --constraints soft.txt", "soft.txt has soft pairs, whose penalties mean nothing to soft; give"),
            ("-k 2 --method ssgc", "invalid choice: 'ssgc'"),
            ("-k 2 --weights w.txt", "unrecognized arguments: --weights w.txt"),
            ("", "the following arguments are required: -k"),
            ("-k 2 --labels points.csv", "points.csv"),
        ],
    )
    def test_what_cannot_be_used_is_refused(
        self, refused: Callable[..., str], files: Path, words: str, sentence: str
    ) -> None:
        files.joinpath("soft.txt").write_text("SML 0 1 2.5\n")
        assert sentence in refused(*f"soft points.csv {words}".split())


@pytest.mark.usefixtures("files")
class TestGraph:
    @pytest.mark.parametrize("ways", ["", " --must-link neighbours --split literal", " --leftovers noise"])
    def test_mcssgc_grows_from_known_labels_and_pairs(self, capsys: pytest.CaptureFixture[str], ways: str) -> None:
        words = f"graph points.csv --known known.txt --constraints pairs.txt --neighbours 2{ways}"
        values = found(capsys, words)
        check(values, PAIRS)
        must_link = "neighbours" if "literal" in ways else "contracted"
        split, leftovers = "literal" if "literal" in ways else "offending", "noise" if "noise" in ways else "nearest"
        model = MCSSGC(2, must_link=must_link, split=split, leftovers=leftovers)  # type: ignore[arg-type]
        model.fit(X, [4, -1, -1, -1, -1, 9, -1], must_link=[(0, 1), (2, 3)], cannot_link=[(0, 3)])
        assert values["labels"] == model.labels_.tolist()
        assert len(values["violated_must_link"]) + len(values["violated_cannot_link"]) == model.n_violations_
        assert set(values["labels"]) <= {4, 9, 10, -1}

    @pytest.mark.slow
    def test_ssgc_and_mcssdbs(self, capsys: pytest.CaptureFixture[str]) -> None:
        ssgc = found(capsys, "graph points.csv --known known.txt --method ssgc --neighbours 2 --leftovers noise")
        assert ssgc["labels"] == [4, 4, 4, 9, 9, 9, -1]
        check(ssgc, "")
        mcssdbs = found(
            capsys, "graph points.csv --known known.txt --method mcssdbs --neighbours 1 --constraints pairs.txt"
        )
        check(mcssdbs, PAIRS)

    def test_noise_is_told_and_left_out_of_the_objective(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = "graph points.csv --known known.txt --method ssgc --neighbours 2 --leftovers noise --labels labels.csv"
        assert main(words) == 0
        out = capsys.readouterr().out
        assert "noise        1 of 7 points, which the objective leaves out\n" in out
        assert "objective    4 (sum of squares)\n" in out
        assert Path("labels.csv").read_text().endswith("6,-1\n")

    def test_contradictions_have_status_3_and_the_names_of_the_user(
        self, capsys: pytest.CaptureFixture[str], files: Path
    ) -> None:
        files.joinpath("bad.txt").write_text("ML 1 4\nML 4 6\n")
        words = "graph points.csv --known known.txt --constraints bad.txt --one-based --json result.json"
        assert main(words) == 3
        assert (
            "points 1 and 6 have the labels 4 and 9, but must-links connect them: 1 - 4 - 6" in capsys.readouterr().err
        )
        assert not Path("result.json").exists()

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            ("--method ssgc --constraints pairs.txt", "--method ssgc knows no pairs; leave them out, or take mcssgc"),
            ("--method mcssdbs", "--method mcssdbs grows clusters from known labels; give some by --known FILE"),
            (
                "--method mcssdbs --must-link neighbours",
                "--must-link is for the method mcssgc, but the method is mcssdbs",
            ),
            ("--method ssgc --split literal", "--split is for the method mcssgc, but the method is ssgc"),
            (
                "--known names.txt",
                "names.txt has 'red' for the label of point 1; give whole numbers, -1 where not known",
            ),
            ("--known huge.txt", "for the label of point 0; give whole numbers"),
            ("--known short.txt", "short.txt holds 1 labels for 7 points"),
            ("--known known.txt --labels known.txt", "known.txt"),
            ("-k 3", "unrecognized arguments: -k 3"),
            ("--neighbours 0", "'0'"),
        ],
    )
    def test_what_cannot_be_used_is_refused(
        self, refused: Callable[..., str], files: Path, words: str, sentence: str
    ) -> None:
        files.joinpath("names.txt").write_text("4\nred\n" + "-1\n" * 5)
        files.joinpath("huge.txt").write_text(f"{10**30}\n" + "-1\n" * 6)
        files.joinpath("short.txt").write_text("4\n")
        assert sentence in refused(*f"graph points.csv {words}".split())

    def test_one_point(self, capsys: pytest.CaptureFixture[str], files: Path) -> None:
        files.joinpath("one.csv").write_text("x\n3\n")
        values = found(capsys, "graph one.csv")
        assert (values["labels"], values["objective"]) == ([0], 0.0)

    def test_a_new_label_is_a_note(self, capsys: pytest.CaptureFixture[str], files: Path) -> None:
        files.joinpath("apart.txt").write_text("CL 0 6\nCL 5 6\n")
        assert main("graph points.csv --known known.txt --constraints apart.txt --neighbours 2 --labels -") == 0
        assert "note: cannot-links keep points out of all clusters" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (
            "ModuleNotFoundError('none', name='sklearn')",
            2,
            'soft and graph need scikit-learn 1.6 or newer; pip install "pcsos[sklearn]"',
        ),
        (
            "ImportError('libgomp.so: no room')",
            1,
            "soft and graph cannot be loaded: scikit-learn is installed but cannot be loaded; is there too little "
            "memory? (ImportError libgomp.so: no room)",
        ),
    ],
    ids=["missing", "not loaded"],
)
def test_without_scikit_learn_one_sentence_says_why(files: Path, error: str, status: int, sentence: str) -> None:
    code = (
        "import builtins, sys\nfrom pcsos import cli\nreal = builtins.__import__\n"
        "def fail(name, *more, **others):\n"
        f"    if name.startswith('sklearn'):\n        raise {error}\n"
        "    return real(name, *more, **others)\n"
        "builtins.__import__ = fail\nsys.exit(cli.main(['soft', 'points.csv', '-k', '2']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=files)
    assert (done.returncode, done.stderr) == (status, f"pcsos: {sentence}\n")


@pytest.mark.usefixtures("files")
class TestHybridDifferentialEvolution:
    @pytest.mark.parametrize(
        ("criterion", "matching"),
        [*zip(LANDSCAPES, MATCHINGS, strict=False), *first_few(0, zip(LANDSCAPES, reversed(MATCHINGS), strict=False))],
    )
    def test_criterion_and_matching(self, capsys: pytest.CaptureFixture[str], criterion: str, matching: str) -> None:
        words = f"heuristic points.csv -k 3 --method hybrid-de --criterion {criterion} --matching {matching}"
        values = found(capsys, words)
        assert (values["criterion"], values["matching"]) == (criterion, matching)
        assert values["objective"] == pytest.approx(4.0)

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            ("--criterion VRC", "--criterion is for the method hybrid-de, but the method is s-mdeclust; leave it out"),
            ("--method blp-km --matching greedy", "--matching is for the method hybrid-de, but the method is blp-km"),
            ("--method ipc-kmeans --variant S-MDE", "--variant is for the method s-mdeclust or hybrid-de, but"),
            ("--method hybrid-de --criterion SSE", "invalid choice: 'SSE'"),
        ],
    )
    def test_what_a_method_does_not_have_is_refused(
        self, refused: Callable[..., str], words: str, sentence: str
    ) -> None:
        assert sentence in refused(*f"heuristic points.csv -k 2 {words}".split())
