"""What a run file claims, and what of it is false, by the exact truth about the instance in the file."""

import json
import math
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pcsos.base.exceptions import RunFileError
from pcsos.verify import Verdict
from tests.blobs import decode_array
from tests.exact_oracle import ExactTruth
from tests.judgement import above, shown
from tests.leaving_out import LeavingOutTruth

#: Relative error of an objective from which on it is false.
OBJECTIVE_ERROR = Fraction(1, 10**12)
#: By which a gap may be larger than the one in the options.
GAP_TOLERANCE = Fraction(1, 2**40)


@dataclass(frozen=True)
class Claim:
    """The claim in a file, and the truth about the instance in the file."""

    status: Any
    objective: Any
    lower_bound: Any
    labels: list[int] | None
    gap: Any
    truth: ExactTruth | LeavingOutTruth


def read_claim(path: Path) -> Claim | None:
    """Return the claim of a file, None if it can be read in no sense at all."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        table = connection.execute("SELECT * FROM instance")
        row = dict(zip([column[0] for column in table.description], table.fetchone(), strict=True))
        options = row["options"]
        blobs = [row[name] for name in ("points", "weights", "n_clusters", "must_link", "cannot_link")]
        status, objective, bound, labels = connection.execute(
            "SELECT status, objective, lower_bound, labels FROM claim"
        ).fetchone()
        truth = truth_of(*blobs, row.get("conditions", "{}"))
        return Claim(status, objective, bound, _labels(labels), json.loads(options).get("gap"), truth)
    except (sqlite3.Error, RunFileError, ValueError, TypeError, LookupError, AttributeError):
        return None
    finally:
        connection.close()


@lru_cache(maxsize=16)
def truth_of(
    points: bytes, weights: bytes, k: int, must_link: bytes, cannot_link: bytes, conditions: str
) -> ExactTruth | LeavingOutTruth:
    rows, masses = decode_array(points), decode_array(weights)
    if not (1 <= k <= len(rows) == len(masses) and np.isfinite(rows).all() and (masses > 0).all()):
        raise ValueError("no instance")
    asked, pairs = json.loads(conditions), (decode_array(must_link), decode_array(cannot_link))
    outliers = asked.get("limits", {}).pop("outliers", None)
    if outliers:
        return LeavingOutTruth(rows, masses, k, *(own.tolist() for own in pairs), outliers)
    return ExactTruth(rows, masses, k, *pairs, asked)


def falsehoods(claim: Claim) -> Iterator[str]:
    truth = claim.truth
    if claim.status == "INFEASIBLE":
        if truth.feasible:
            yield "not infeasible"
        return
    if claim.status in ("OPTIMAL", "FEASIBLE"):
        yield from _false_partition(claim)
    if truth.feasible and isinstance(claim.lower_bound, float) and above(claim.lower_bound, truth.optimum):
        yield f"the lower bound {claim.lower_bound!r} is above the optimum {shown(truth.optimum)}"


def _false_partition(claim: Claim) -> Iterator[str]:
    truth = claim.truth
    if claim.labels is None or not truth.admits(claim.labels):
        yield "the labels are not feasible"
        return
    cost = truth.cost(claim.labels)
    stated = claim.objective if isinstance(claim.objective, float) else math.nan
    if not math.isfinite(stated) or abs(Fraction(stated) - cost) > cost * OBJECTIVE_ERROR:
        yield f"the objective {stated!r} is not the cost {shown(cost)}"
    if claim.status == "OPTIMAL":
        gap = claim.gap
        if not (type(gap) in (int, float) and 0 <= gap < 1):
            yield f"optimal within a gap of {gap!r}"
        elif cost * (1 - Fraction(gap) - GAP_TOLERANCE) > truth.optimum:
            yield f"cost {shown(cost)}, optimum {shown(truth.optimum)}, gap {gap!r}"


def false_verdict(claim: Claim, verdict: Verdict) -> Iterator[str]:
    """Say what is false in a claim that was accepted, and in the verdict on it."""
    truth = claim.truth
    yield from falsehoods(claim)
    if verdict.status != claim.status:
        yield f"the verdict is {verdict.status}, the claim {claim.status}"
    if truth.feasible and above(verdict.lower_bound, truth.optimum):
        yield f"the verified lower bound {verdict.lower_bound!r} is above the optimum {shown(truth.optimum)}"
    if verdict.status in ("OPTIMAL", "FEASIBLE") and claim.labels is not None and truth.admits(claim.labels):
        cost = truth.cost(claim.labels)
        if verdict.objective is None or not (verdict.objective == math.inf or Fraction(verdict.objective) >= cost):
            yield f"the verified objective {verdict.objective!r} is below the cost {shown(cost)}"
        least = 1 - truth.optimum / cost if cost else Fraction(0)
        if verdict.gap is None or not (math.isfinite(verdict.gap) and Fraction(verdict.gap) >= least - GAP_TOLERANCE):
            yield f"the verified gap {verdict.gap!r} is below the true one, {shown(least)}"


def _labels(blob: object) -> list[int] | None:
    if not isinstance(blob, bytes):
        return None
    labels: list[int] = decode_array(blob).tolist()
    return labels
