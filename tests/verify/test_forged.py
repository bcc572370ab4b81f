"""Forged run files: nothing false is accepted. The benchmark ``forged`` takes many more."""

import json
import sqlite3
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pcsos.evidence.codec import encode_integers
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.instance import Instance
from pcsos.verify import Verdict, VerificationError, verify
from tests.exact_oracle import ExactTruth
from tests.judgement import Judgement
from tests.slow import shares
from tests.verify.certificates import HAND_MADE_LABELS, edit, hand_made, no_multipliers, write
from tests.verify.claims import false_verdict, falsehoods, read_claim
from tests.verify.forgeries import BASES, WORDS, Base, Forgery, base_of, chain, forge, judge
from tests.verify.lies import LIES, SUPPORTS, rounded

DATA = Path(__file__).parents[1] / "data" / "forged"


@pytest.fixture(scope="module", params=shares(14, 40))
def judgements(request: pytest.FixtureRequest) -> list[Judgement]:
    return [judge(seed) for seed in request.param]


@pytest.mark.parametrize("lie", LIES)
def test_no_lie_is_accepted(judgements: list[Judgement], lie: str) -> None:
    wrong = [f"{j.about} {j.seed}, {text}" for j in judgements for found, text in j.wrong if found == lie]
    assert not wrong, "\n".join([f"{len(wrong)} accepted", *wrong[:5]])


def test_refusals_are_in_words_of_our_own(judgements: list[Judgement]) -> None:
    assert sum(j.counts.get(WORDS, 0) for j in judgements) == 0


def test_most_files_claim_something_false(judgements: list[Judgement]) -> None:
    counts = sum((Counter(j.counts) for j in judgements), Counter())
    assert {j.about for j in judgements} == set(BASES)
    assert counts["false claims"] > 0.75 * counts["files"]
    assert counts["accepted"] > 0  # the checker does not just refuse everything


def false_optimum(path: Path) -> tuple[Path, dict[str, object]]:
    """Write the file that calls the worst partition of five points optimal, by N = c I where it costs nothing."""
    data = json.loads((DATA / "worst_called_optimal.json").read_text())
    instance = Instance(data["points"], data["n_clusters"])
    units, exponent = data["identity_times"]
    none = no_multipliers(data["n_clusters"])
    identity = Multipliers(units * 2.0**exponent * np.eye(data["n_clusters"]), none.cuts, none.weights)
    records, _ = chain(instance, lambda points, state: (identity, data["worst_cost"]))
    write(path, instance, records, data["worst_labels"], data["worst_cost"], gap=data["gap"])
    return path, data


def test_the_worst_partition_is_not_optimal(tmp_path: Path) -> None:
    path, data = false_optimum(tmp_path / "run")
    claim = read_claim(path)
    assert claim is not None
    assert claim.truth.optimum == Fraction(data["optimum"])
    assert claim.truth.cost(claim.truth.worst_labels) == data["worst_cost"] == claim.objective
    with pytest.raises(VerificationError, match="is claimed, but only"):
        verify(path)


@pytest.mark.parametrize("gap", ["5.0", "1.0", "-0.5", "NaN", "Infinity", "1e308"])
def test_a_gap_that_says_nothing_is_refused(tmp_path: Path, gap: str) -> None:
    path = hand_made(tmp_path / "run")
    edit(
        path, ("UPDATE instance SET options = ?", (f'{{"gap": {gap}}}',)), ("UPDATE claim SET lower_bound = -1e300", ())
    )
    with pytest.raises(VerificationError, match=r"gap|the options: no JSON"):
        verify(path)


def test_a_bound_above_the_cost_of_the_labels_is_a_contradiction(tmp_path: Path) -> None:
    path, _ = false_optimum(tmp_path / "run")
    edit(path, ("UPDATE claim SET status = 'FEASIBLE', lower_bound = 0.0, objective = 0.5", ()))
    edit(path, ("UPDATE evidence SET bound = 0.0 WHERE kind = 'bound'", ()))
    edit(path, ("UPDATE claim SET labels = ?", (encode_integers([0, 0, 1, 2, 3]),)))
    try:
        verdict = verify(path)
    except VerificationError:
        return
    assert verdict.objective is not None
    assert verdict.lower_bound <= verdict.objective


# The judge, and the means of forging


def test_the_hand_made_certificate_is_true(tmp_path: Path) -> None:
    claim = read_claim(hand_made(tmp_path / "run"))
    assert claim is not None
    assert list(falsehoods(claim)) == []
    assert list(false_verdict(claim, verify(tmp_path / "run"))) == []
    assert claim.truth.optimum == 4


TRUE = Verdict("OPTIMAL", 4.0, 4.0, 0.0, 5, 0, 5, 2, 1e-4, "")


@pytest.mark.parametrize(
    ("statement", "value", "problem"),
    [
        ("UPDATE claim SET lower_bound = ?", 4.0 + 1e-14, "above the optimum"),
        ("UPDATE claim SET objective = ?", 4.0 + 1e-11, "is not the cost"),
        ("UPDATE claim SET status = ?", "INFEASIBLE", "not infeasible"),
        ("UPDATE claim SET labels = ?", encode_integers([0, 0, 1, 1, 0]), "not feasible"),
        ("UPDATE claim SET labels = ?", None, "not feasible"),
        ("UPDATE instance SET options = ?", '{"gap": 1.0}', "within a gap"),
    ],
)
def test_false_claims_are_found(tmp_path: Path, statement: str, value: object, problem: str) -> None:
    path = hand_made(tmp_path / "run")
    edit(path, (statement, (value,)))
    claim = read_claim(path)
    assert claim is not None
    assert problem in next(falsehoods(claim))


def test_a_suboptimal_partition_is_found_only_beyond_the_gap(tmp_path: Path) -> None:
    instance = Instance([0.0, 2.0, 10.0, 13.0], 2)
    for gap, number in ((1e-9, 1), (0.99, 0)):
        path = write(tmp_path / f"{gap}.run", instance, [], [0, 1, 1, 1], 0.0, gap=gap)
        claim = read_claim(path)
        assert claim is not None
        assert len(list(falsehoods(claim))) == number


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"lower_bound": 4.0 + 1e-14}, "verified lower bound"),
        ({"objective": 4.0 - 1e-14}, "verified objective"),
        ({"objective": None}, "verified objective"),
        ({"status": "FEASIBLE"}, "the verdict is"),
    ],
)
def test_false_verdicts_are_found(tmp_path: Path, changes: dict[str, object], problem: str) -> None:
    claim = read_claim(hand_made(tmp_path / "run"))
    assert claim is not None
    assert problem in next(false_verdict(claim, TRUE._replace(**changes)))  # type: ignore[arg-type]


def test_what_cannot_be_read_claims_nothing(tmp_path: Path) -> None:
    path = hand_made(tmp_path / "run")
    edit(path, ("UPDATE instance SET points = x'00'", ()))
    assert read_claim(path) is None


@pytest.fixture(scope="module")
def bases() -> list[Base]:
    return [base_of(seed) for seed in range(12)]


@pytest.mark.parametrize("support", SUPPORTS)
def test_every_support_changes_a_file(tmp_path: Path, bases: list[Base], support: str) -> None:
    changed = 0
    for seed, base in enumerate(bases):
        path = tmp_path / f"{seed}.run"
        path.write_bytes(base.content)
        connection = sqlite3.connect(path)
        before = list(connection.iterdump())
        forgery = Forgery(connection, np.random.default_rng(seed), base.instance, base.truth, base.proved, target=1e300)
        try:
            SUPPORTS[support](forgery)
            changed += list(connection.iterdump()) != before
        except (sqlite3.IntegrityError, sqlite3.OperationalError):
            pass
        connection.close()
    assert changed


def test_a_forgery_reproduces_alone(tmp_path: Path) -> None:
    base = base_of(1)
    path = tmp_path / "run"
    forge(path, base, 1, 7)
    first = path.read_bytes()
    forge(path, base, 1, 3)
    forge(path, base, 1, 7)
    assert path.read_bytes() == first


def test_numbers_are_rounded_to_the_side_asked_for() -> None:
    third = Fraction(1, 3)
    assert Fraction(rounded(third, down=True)) < third < Fraction(rounded(third, down=False))
    assert rounded(Fraction(1, 4), down=True) == rounded(Fraction(1, 4), down=False) == 0.25


def test_the_hand_made_labels_are_optimal() -> None:
    truth = ExactTruth([0.0, 2.0, 10.0, 12.0, 11.0], np.ones(5), 2, [(2, 3)], [(0, 2), (1, 4)])
    assert truth.cost(HAND_MADE_LABELS) == truth.optimum == 4
