"""Whatever is changed in a run file: what the checker accepts is true. The truth is known by brute force."""

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.evidence.codec import (
    decode_multipliers,
    encode_floats,
    encode_integers,
    encode_multipliers,
)
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.problem.partition import canonical_labels
from pcsos.verify import Verdict, VerificationError, verify
from pcsos.verify.reading.columns import CHANGES, EVIDENCE
from tests import oracle
from tests.blobs import arrays, decode_array, plenty
from tests.verify.certificates import cost, enumeration, hand_made, write

#: Mutants in the test run; the benchmark takes thousands.
NUM_MUTANTS = int(os.environ.get("PCSOS_MUTANTS", "180"))


def falsehood(verdict: Verdict, path: Path) -> str | None:
    """Return something that is not true of what was accepted about the instance in the file, or None."""
    return next(falsehoods(verdict, path), None)


def falsehoods(verdict: Verdict, path: Path) -> Iterator[str]:
    connection = sqlite3.connect(path)
    row = connection.execute("SELECT points, must_link, cannot_link, weights, n_clusters FROM instance").fetchone()
    status, objective, lower_bound, labels = connection.execute(
        "SELECT status, objective, lower_bound, labels FROM claim"
    ).fetchone()
    connection.close()
    points, must_link, cannot_link, weights = (decode_array(blob) for blob in row[:4])
    loops = cannot_link[:, 0] == cannot_link[:, 1]  # a contradiction that an Instance refuses to hold
    instance = Instance(points, row[4], must_link, cannot_link[~loops], weights)
    truth = oracle.enumerate_feasible(instance)
    feasible = truth.feasible and not loops.any()
    if status == "INFEASIBLE" and feasible:
        yield "not infeasible"
    if status in ("OPTIMAL", "FEASIBLE"):
        if canonical_labels(decode_array(labels)).tolist() not in truth.labels.tolist() or not feasible:
            yield "the labels are not feasible"
        found = cost(instance, decode_array(labels))
        if not np.isclose(objective, found, rtol=1e-10, atol=0.0) or verdict.objective < found * (1 - 1e-10):
            yield f"the objective {objective} is not the cost {found}"
    stated = -np.inf if lower_bound is None or status == "INFEASIBLE" else lower_bound
    bound = max(verdict.lower_bound, stated)
    if feasible and bound > truth.optimum * (1 + 1e-11):
        yield f"the lower bound {bound} is above the optimum {truth.optimum}"


WORDS = ["OPTIMAL", "FEASIBLE", "INFEASIBLE", "UNKNOWN", *CHANGES, *EVIDENCE]


# Mutations: each changes one thing in one row


def mutate(path: Path, rng: np.random.Generator) -> str:
    """Change one thing in a run file; return what."""
    connection = sqlite3.connect(path)
    tables = ["instance", "claim", "problems", "problems", "evidence", "evidence", "evidence"]
    while True:
        table = str(rng.choice(tables))
        rows = [r for (r,) in connection.execute(f"SELECT rowid FROM {table}")]
        if rows:
            break
    row = int(rng.choice(rows))
    names = [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
    name = str(rng.choice([n for n in names if n not in ("digest", "seconds", "version")]))
    if table in ("problems", "evidence") and rng.random() < 0.1:
        connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
        done = f"{table} {row} deleted"
    else:
        (value,) = connection.execute(f"SELECT {name} FROM {table} WHERE rowid = ?", (row,)).fetchone()
        others = [v for (v,) in connection.execute(f"SELECT {name} FROM {table}")]
        new = others[int(rng.integers(len(others)))] if rng.random() < 0.15 else changed(value, rng)
        try:
            connection.execute(f"UPDATE {table} SET {name} = ? WHERE rowid = ?", (new, row))
        except sqlite3.IntegrityError:
            new = value
        done = f"{table} {row} {name}: {shown(value)} -> {shown(new)}"
    connection.commit()
    connection.close()
    return done


def shown(value: object) -> str:
    return repr(value)[:60]


def changed(value: Any, rng: np.random.Generator) -> Any:
    """Return another value, most often one that still makes sense."""
    if rng.random() < 0.05 or value is None:
        return [None, "x", 0, 1, 2, 1.0, b"", float("inf"), -1][int(rng.integers(9))]
    if isinstance(value, bytes):
        return changed_blob(value, rng)
    if isinstance(value, float):
        return value * (1.0 + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-10, 0.5)) + rng.choice([0.0, 0.0, 1.0])
    if isinstance(value, int):
        return value + int(rng.choice([-1, 1, 2]))
    return str(rng.choice(WORDS)) if value in WORDS else changed_json(value, rng)


def changed_json(text: str, rng: np.random.Generator) -> str:
    numbers = [(i, c) for i, c in enumerate(text) if c.isdigit()]
    if not numbers or rng.random() < 0.2:
        return text.replace("ML", "cl").replace("CL", "ML").replace("cl", "CL")
    at, _ = numbers[int(rng.integers(len(numbers)))]
    return text[:at] + str(rng.integers(10)) + text[at + 1 :]


def changed_blob(data: bytes, rng: np.random.Generator) -> bytes:
    if data and rng.random() < 0.1:
        at = int(rng.integers(len(data)))
        return data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]
    parts = parts_of(data)
    at = int(rng.integers(len(parts)))
    return b"".join([*parts[:at], changed_part(parts[at], rng), *parts[at + 1 :]])


def parts_of(data: bytes) -> list[bytes]:
    """Return the arrays of which a blob consists, and what follows them, as multipliers do."""
    found, at = list[bytes](), 0
    while is_array(data[at:]):
        size = 7 + 4 * data[at + 2] + int.from_bytes(data[at + 3 : at + 7], "little")
        found.append(data[at : at + size])
        at += size
    return [*found, data[at:]] if data[at:] or not found else found


def is_array(data: bytes) -> bool:
    return data[:1] in (b"i", b"d", b"f") and data[2:3] in (b"\1", b"\2")


def changed_part(data: bytes, rng: np.random.Generator) -> bytes:
    if not data:
        return bytes(rng.integers(0, 256, 3).tolist())
    if not is_array(data):
        return changed_multipliers(data, rng)
    array = decode_array(data).copy()
    if array.size == 0:
        return encode_integers([[0, 1]]) if array.ndim == 2 else data
    place = tuple(int(rng.integers(m)) for m in array.shape)
    if array.dtype == np.float64:
        array[place] *= 1.0 + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-3, 0)
        return encode_floats(array)
    if array.ndim == 2 and rng.random() < 0.3:
        return encode_integers(np.delete(array, place[0], axis=0))
    array[place] += int(rng.choice([-1, 1]))
    return encode_integers(array)


def changed_multipliers(data: bytes, rng: np.random.Generator) -> bytes:
    found = decode_multipliers(arrays(data), 1000, plenty())
    box, weights, cuts = found.box.copy(), found.weights.copy(), found.cuts
    centre, members = cuts.centre.copy(), cuts.members.copy()
    kind = rng.integers(5)
    if kind == 0 or not weights.size:
        i, j = rng.integers(0, len(box), 2)
        box[i, j] = box[j, i] = float(rng.choice([0.0, -box[i, j], 2 * box[i, j], np.abs(box).max()]))
    elif kind == 1:
        weights[rng.integers(weights.size)] *= float(rng.choice([-1.0, 0.0, 2.0, 1024.0]))
    elif kind == 2:
        centre[rng.integers(centre.size)] = rng.integers(-2, len(box) + 1)
    elif kind == 3:
        members[rng.integers(members.size)] = rng.integers(-1, len(box) + 1)
    else:
        weights *= float(rng.choice([2.0, 0.5, 64.0]))
    return encode_multipliers(type(found)(box, type(cuts)(centre, cuts.indptr, members), weights))


# Certificates to change


def by_hand(path: Path, seed: int) -> Path:
    return hand_made(path)


def by_enumeration(path: Path, seed: int) -> Path:
    rng = np.random.default_rng(seed)
    while True:
        instance = oracle.random_instance(rng, max_points=6)
        truth = oracle.enumerate_feasible(instance)
        if instance.n_points >= 4 and truth.feasible:
            break
    records, bound = enumeration(instance, rng)
    return write(path, instance, records, truth.best_labels.tolist(), bound, status=Status.FEASIBLE)


def by_solving(path: Path, seed: int) -> Path:
    instance = oracle.random_instance(np.random.default_rng(seed), max_points=7)
    pcsos.solve(
        instance.points, instance.n_clusters, must_link=instance.must_link, cannot_link=instance.cannot_link,
        weights=instance.weights, workers=1, run_file=path,
    )  # fmt: skip
    return path


MAKERS: dict[str, Callable[[Path, int], Path]] = {
    "by hand": by_hand,
    "by enumeration": by_enumeration,
    "by solving": by_solving,
}


@pytest.mark.parametrize("seed", range(12))
def test_enumerated_certificates_are_accepted_and_true(tmp_path: Path, seed: int) -> None:
    path = by_enumeration(tmp_path / "run", seed)
    assert falsehood(verify(path), path) is None


@pytest.mark.parametrize("seed", range(10))
def test_what_the_solver_writes_is_accepted_and_true(tmp_path: Path, seed: int) -> None:
    path = by_solving(tmp_path / "run", 5000 + seed)
    verdict = verify(path)
    assert verdict.status in ("OPTIMAL", "INFEASIBLE")
    assert falsehood(verdict, path) is None


def test_the_truth_is_known_to_the_test(tmp_path: Path) -> None:
    path = hand_made(tmp_path / "run")
    verdict = verify(path)
    assert falsehood(verdict, path) is None
    assert "above the optimum" in str(falsehood(verdict._replace(lower_bound=4.1), path))
    assert "not the cost" in str(falsehood(verdict._replace(objective=3.9), path))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE claim SET labels = ?", (encode_integers([0, 1, 0, 0, 0]),))
    connection.commit()
    connection.close()
    assert "not feasible" in str(falsehood(verdict, path))


@pytest.mark.parametrize("maker", MAKERS)
def test_no_mutant_that_claims_something_false_is_accepted(tmp_path: Path, maker: str) -> None:
    outcome: Counter[str] = Counter()
    per_file = 20
    for trial in range(NUM_MUTANTS // len(MAKERS) // per_file):
        rng = np.random.default_rng([trial, len(maker)])
        original = MAKERS[maker](tmp_path / f"{trial}.run", trial).read_bytes()
        path = tmp_path / "mutant.run"
        for _ in range(per_file):
            path.write_bytes(original)
            what = mutate(path, rng)
            try:
                verdict = verify(path)
            except VerificationError:
                outcome["refused"] += 1
            else:
                outcome["accepted"] += 1
                assert falsehood(verdict, path) is None, what
    assert outcome["refused"] > 0.3 * outcome.total(), outcome
