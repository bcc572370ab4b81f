"""The conformance set: the first checker answers as the table says, and what honest files claim is true."""

import re
import sqlite3
import zlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.verify import verify
from tests.conformance import forged, honest, texts
from tests.conformance.certificate import Certificate, literal
from tests.conformance.page import page
from tests.conformance.texts import FOLDER
from tests.exact_oracle import ExactTruth
from tests.gram_instances import exact_cost
from tests.leaving_out import LeavingOutTruth
from tests.oracle import all_partitions
from tests.slow import slow_where

Labels = NDArray[np.intp]

ANSWERS = {own.name: own for own in texts.expected()}
BY_HAND = honest.by_hand()
LEAVING_OUT = [own for own in BY_HAND if own.instance.get("conditions", {}).get("limits", {}).get("outliers")]
OF_POINTS = [own for own in BY_HAND if "gram" not in own.instance and own not in LEAVING_OUT]
OFF = 2.0**-40


def answered(answer: str, quick_ones: int) -> pytest.MarkDecorator:
    """Names of the cases with an answer, of which one in so many is quick."""
    names = [name for name, own in ANSWERS.items() if own.answer == answer]
    return pytest.mark.parametrize("name", slow_where(lambda name: names.index(name) % quick_ones > 0, names))


@answered("accepted", 1)
def test_what_is_honest_or_harmless_is_accepted(name: str, tmp_path: Path) -> None:
    answer = ANSWERS[name]
    verdict = verify(texts.write_file(tmp_path / "some.run", answer))
    assert verdict.status == answer.status
    assert verdict.gap_asked == float(answer.gap)
    if answer.lower_bound:
        assert verdict.lower_bound >= float(answer.lower_bound)
    if answer.status in ("OPTIMAL", "FEASIBLE"):
        assert verdict.objective == pytest.approx(float(answer.cost), rel=OFF, abs=0.0)


@answered("refused", 3)
def test_what_is_forged_is_refused_for_that_reason(name: str, tmp_path: Path) -> None:
    answer = ANSWERS[name]
    assert wording(texts.said(texts.write_file(tmp_path / "some.run", answer))) == wording(answer.sentence) != ""


def wording(sentence: str) -> str:
    """A sentence without its numbers, of which the last digits may differ."""
    return re.sub(r"-?\d[\d.e+-]*", "#", sentence)


@pytest.mark.parametrize(
    "found", slow_where(lambda found: found.name == "line-limits-tight", OF_POINTS), ids=lambda found: found.name
)
def test_what_is_claimed_of_points_is_true(found: Certificate) -> None:
    instance, conditions = found.instance, dict(found.instance.get("conditions", {}))
    limits = {name: value for name, value in conditions.get("limits", {}).items() if value}
    points = np.array(instance["points"], float).reshape(len(instance["points"]), -1)
    truth = ExactTruth(
        points, instance.get("weights", np.ones(len(points))), instance["k"], instance.get("must_link", ()),
        instance.get("cannot_link", ()), conditions | {"limits": limits},
    )  # fmt: skip
    assert truth.feasible == (found.claim.status != "INFEASIBLE")
    if truth.feasible:
        cost = None if found.claim.labels is None else truth.cost(found.claim.labels)
        assert found.claim.labels is None or truth.admits(found.claim.labels)
        compare(found, truth.optimum, cost)


@pytest.mark.parametrize("found", LEAVING_OUT, ids=lambda found: found.name)
def test_what_is_claimed_of_points_that_may_be_left_out_is_true(found: Certificate) -> None:
    given, limits = found.instance, found.instance["conditions"]["limits"]
    pairs = [given.get(kind, ()) for kind in ("must_link", "cannot_link")]
    truth = LeavingOutTruth(given["points"], np.ones(len(given["points"])), given["k"], *pairs, limits["outliers"])
    assert truth.feasible == (found.claim.status != "INFEASIBLE")
    if truth.feasible:
        assert found.claim.labels is not None
        assert truth.admits(found.claim.labels)
        compare(found, truth.optimum, truth.cost(found.claim.labels))


def compare(found: Certificate, optimum: Fraction, cost: Fraction | None) -> None:
    claim = found.claim
    if cost is not None:
        assert claim.objective == pytest.approx(float(cost), rel=OFF)
    for bound in (claim.lower_bound, claim.proved):
        assert bound is None or bound <= optimum
    if claim.status == "OPTIMAL":
        assert cost is not None
        assert cost - optimum <= found.gap * abs(cost)


@pytest.mark.parametrize("found", [own for own in BY_HAND if "gram" in own.instance], ids=lambda found: found.name)
def test_what_is_claimed_of_inner_products_is_true(found: Certificate) -> None:
    instance, labels = found.instance, np.array(found.claim.labels)
    matrix, weights = np.array(instance["gram"]), np.array(instance.get("weights", np.ones(len(labels))), float)
    soft = instance.get("conditions", {}).get("soft", [])

    def cost(own: Labels) -> Fraction:
        paid = sum((Fraction(t if own[i] == own[j] else a) for i, j, a, t in soft), Fraction(0))
        return exact_cost(matrix, weights, own) + paid

    compare(found, min(map(cost, all_partitions(len(labels), instance["k"]))), cost(labels))


def test_the_set_is_what_is_written() -> None:
    held = texts.texts_of_archive()
    for own in (*BY_HAND, *forged.everything()):
        assert opened(held[texts.name_of(own)]) == opened(own.sql)
    assert (FOLDER / "README.md").read_text() == page(list(ANSWERS.values()))
    assert held.keys() == ANSWERS.keys()


def opened(text: str) -> str:
    """The text with what is compressed in its blobs inflated: other versions of zlib compress otherwise."""
    return re.sub(r"X'([0-9a-f]*)'", lambda blob: repr(inflated(bytes.fromhex(blob[1]))), text)


def inflated(blob: bytes) -> list[bytes]:
    """The pieces of a blob from one zlib stream to the next, each followed by what is in the stream."""
    at = blob.find(b"\x78\xda")
    if at < 0:
        return [blob]
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(blob[at:])
    except zlib.error:
        return [blob]
    return [blob[: at - 12], content, *inflated(inflater.unused_data)]


@pytest.mark.parametrize(
    "value", [1e-305, 1.2345678901234567e-305, -9.876543210987654e-301, -3.3e-310, 5e-324, 1e300, 8.1e-300, 0.1, 0.0]
)
def test_doubles_keep_their_last_digit_in_sql(value: float) -> None:
    assert sqlite3.connect(":memory:").execute(f"SELECT {literal(value)}").fetchone() == (value,)
