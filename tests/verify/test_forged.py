"""Forged and mutated run files: nothing false is accepted. The benchmark ``forged`` takes many more."""

import contextlib
import itertools
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import PcsosError
from pcsos.evidence.codec import encode_integers
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.instance import Instance
from pcsos.verify import Verdict, VerificationError, evidence, parts, prices, verify
from pcsos.verify.reading.payloads import read_prices
from tests.blobs import arrays
from tests.judgement import Judgement
from tests.second_checker.mutants import write_mutant
from tests.slow import first_few, shares
from tests.verify.certificates import edit, hand_made, write
from tests.verify.claims import false_verdict, falsehoods, read_claim
from tests.verify.forged_covers import COVER_SUPPORTS, COVERS
from tests.verify.forged_prices import PRICE_SUPPORTS, PRICES, longer_axes, nothing_but_the_tree
from tests.verify.forgeries import TREES, WORDS, Base, base_of, chain, judge
from tests.verify.lies import Forgery
from tests.verify.supports import SUPPORTS

DATA = Path(__file__).parents[1] / "data" / "forged"
SCHOOLS = {"trees": TREES, "covers": COVERS, "prices": PRICES}
#: Seeds of each school, few and many; and of its files at least those that claim something false, and are accepted.
SEEDS = {"trees": (14, 40), "covers": (2, 16), "prices": (2, 24)}
LEAST = {"trees": (0.75, 0.0), "covers": (0.4, 0.1), "prices": (0.5, 0.0)}  # with covers nothing may be claimed
CHANGES = [
    *itertools.product(["trees"], SUPPORTS), *itertools.product(["covers"], COVER_SUPPORTS),
    *itertools.product(["prices"], PRICE_SUPPORTS),
]  # fmt: skip
Judged = tuple[str, list[Judgement]]


def schools() -> Iterator[object]:
    for name, numbers in SEEDS.items():
        for share in shares(*numbers):
            yield pytest.param((name, share.values[0]), id=f"{name}, {share.id}", marks=share.marks)


@pytest.fixture(scope="module", params=schools())
def judged(request: pytest.FixtureRequest) -> Judged:
    name, seeds = request.param
    return name, [judge(seed, school=SCHOOLS[name]) for seed in seeds]


def test_no_lie_is_accepted(judged: Judged) -> None:
    wrong = [judgement.sentence for judgement in judged[1] if judgement.wrong]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(judged[1])}", *wrong[:5]])


def test_most_files_claim_something_false_and_are_refused_in_words_of_our_own(judged: Judged) -> None:
    name, judgements = judged
    counts = sum((Counter(own.counts) for own in judgements), Counter())
    false, accepted = LEAST[name]
    assert counts[WORDS] == 0
    assert counts["false claims"] > false * counts["files"]
    assert counts["accepted"] > accepted * counts["files"]  # the checker does not just refuse everything
    assert name != "trees" or {own.about for own in judgements} == set(TREES.bases)


@pytest.mark.parametrize("seed", first_few(3, range(30)))
def test_no_mutant_that_claims_something_false_is_accepted(tmp_path: Path, seed: int) -> None:
    """Honest files of the conformance set that were changed blindly; the truth is known where points are few."""
    outcome, path = Counter[str](), tmp_path / "mutant.run"
    for number in range(60):
        write_mutant(path, seed, number)
        try:
            verdict = verify(path)
        except PcsosError:
            outcome["refused"] += 1
            continue
        claim = None if verdict.n_points > 9 else read_claim(path)
        if claim is not None and not has_gram(path):
            outcome["judged"] += 1
            assert list(false_verdict(claim, verdict)) == [], number
    assert min(outcome["refused"], outcome["judged"]) > 5, outcome


def has_gram(path: Path) -> bool:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT gram FROM instance").fetchone()[0] is not None


# The judge, and the means of forging


@cache
def bases(name: str) -> list[Base]:
    return [base_of(seed, SCHOOLS[name]) for seed in range(8 if name != "trees" else 12)]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_forged_is_sound_before(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "sound.run"
    path.write_bytes(bases("trees")[seed].content)
    claim = read_claim(path)
    assert claim is not None
    assert list(false_verdict(claim, verify(path))) == []


@pytest.mark.parametrize(("name", "support"), CHANGES)
def test_every_support_changes_a_file(tmp_path: Path, name: str, support: str) -> None:
    changed = 0
    for seed, base in enumerate(bases(name)):
        path = tmp_path / f"{seed}.run"
        path.write_bytes(base.content)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            before = list(connection.iterdump())
            forgery = Forgery(
                connection, np.random.default_rng(seed), base.instance, base.truth, base.proved,
                target=1e300 if name == "trees" else 1.0,
            )  # fmt: skip
            with contextlib.suppress(sqlite3.IntegrityError, sqlite3.OperationalError):
                SCHOOLS[name].supports[support](forgery)
                changed += list(connection.iterdump()) != before
    assert changed


def test_sound_trees_of_prices_have_knots_and_axes_and_leaves_without(tmp_path: Path) -> None:
    found = Counter[str]()
    for base in bases("prices"):
        (tmp_path / "sound.run").write_bytes(base.content)
        with contextlib.closing(sqlite3.connect(tmp_path / "sound.run")) as connection:
            for (payload,) in connection.execute("SELECT payload FROM evidence WHERE kind = 'prices'"):
                _, knots, axes = read_prices(arrays(payload))
                found.update({"knots": knots.size > 0, "axes": axes is not None, "no axes": axes is None})
    assert min(found["knots"], found["axes"], found["no axes"]) > 4


def false_bounds(path: Path) -> int:
    """How many trees along axes that are too long are accepted with a bound that is false."""
    found = 0
    for seed, base in enumerate(bases("prices")):
        path.write_bytes(base.content)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            forgery = Forgery(connection, np.random.default_rng(seed), base.instance, base.truth, base.proved)
            nothing_but_the_tree(forgery)
            longer_axes(forgery)
        with contextlib.suppress(VerificationError):
            found += verify(path).lower_bound > base.truth.optimum
    return found


def test_forgers_deceive_a_checker_that_believes_in_axes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert false_bounds(tmp_path / "forged.run") == 0
    monkeypatch.setattr(prices, "_row_sums", lambda _: [0])
    assert false_bounds(tmp_path / "forged.run") > 0


@pytest.mark.slow
def test_forgers_deceive_a_checker_that_believes_in_knots(monkeypatch: pytest.MonkeyPatch) -> None:
    def believed(knot: list[int], *_: object) -> list[list[int]]:
        return [[int(i == j) for j in knot] for i in knot]

    monkeypatch.setattr(prices, "choices_of", believed)
    assert any(judge(seed, school=PRICES).wrong for seed in range(8))


def test_forgers_deceive_a_checker_that_believes_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "check_prices", lambda data, state, arrays, *_: arrays.skip())
    assert any(judge(seed).wrong for seed in (1, 5))


@pytest.mark.parametrize(
    ("room", "rule", "seeds"),
    [(parts, "brings more", [*range(2, 12), 0, 1]), (evidence, "not at one place", [16, 13, *range(17, 25)])],
    ids=["points that bring more", "points that are joined"],
)
def test_the_judge_notices_a_checker_that_forgets_a_rule(
    monkeypatch: pytest.MonkeyPatch, room: object, rule: str, seeds: list[int]
) -> None:
    check = parts.require

    def forgetful(holds: object, otherwise: str) -> None:
        check(holds or rule in otherwise, otherwise)

    monkeypatch.setattr(room, "require", forgetful)
    assert any(judge(seed, school=COVERS).wrong for seed in seeds)


def false_optimum(path: Path) -> tuple[Path, dict[str, object]]:
    """Write the file that calls the worst partition of five points optimal, by N = c I where it costs nothing."""
    data = json.loads((DATA / "worst_called_optimal.json").read_text())
    instance = Instance(data["points"], data["n_clusters"])
    units, exponent = data["identity_times"]
    none = Multipliers.none(data["n_clusters"])
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
