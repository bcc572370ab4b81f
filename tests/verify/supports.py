"""Changes of the tree of a run file that are to support a lie in its claim."""

import math
import struct
from collections.abc import Callable

import numpy as np

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.verify.reading.columns import DEDUCTIONS, LEAVES
from tests.verify.lies import Forgery, changed_conditions, no_evidence


def raised_bounds(forgery: Forgery) -> None:
    """Every bound is stated as high as needed."""
    forgery.run("UPDATE evidence SET bound = max(bound, ?)", forgery.target)


def dropped_leaves(forgery: Forgery) -> None:
    """Leaves that are in the way are gone, and their problems may be gone as well."""
    for position in forgery.leaves():
        if forgery.chance(0.8):
            if forgery.chance(0.3):
                own = "(SELECT problem FROM evidence WHERE position = ?)"
                forgery.run(f"DELETE FROM problems WHERE problem = {own}", position)
            forgery.run("DELETE FROM evidence WHERE position = ?", position)


def only_the_whole(forgery: Forgery) -> None:
    """The whole is closed, in one way or another, and nothing else is there."""
    forgery.run("DELETE FROM problems")
    kind = forgery.any_of([*LEAVES, "branching"])
    for position in forgery.positions():
        forgery.replace(position, kind, payload_of(forgery, kind, forgery.instance.n_points))
    forgery.run("UPDATE evidence SET problem = 0")


def leaves_called(kind: str) -> Callable[[Forgery], None]:
    """Return what lets leaves that are in the way be of another kind, with all that it takes."""

    def support(forgery: Forgery) -> None:
        for position in forgery.leaves():
            size = max(1, forgery.instance.n_points - int(forgery.rng.integers(0, 4)))
            forgery.replace(position, kind, payload_of(forgery, kind, size))

    return support


def leaves_called_open(forgery: Forgery) -> None:
    for position in forgery.leaves():
        forgery.run("UPDATE evidence SET kind = 'open' WHERE position = ?", position)


def wrong_changes(forgery: Forgery) -> None:
    """A problem differs from its parent by something else."""
    problems = forgery.problems()[1:]
    if not problems:
        return
    number = forgery.any_of(problems)
    if forgery.chance(0.4):
        change = forgery.any_of(["ML", "CL", "ML", "CL", "part"])
        forgery.run("UPDATE problems SET change = ? WHERE problem = ?", change, number)
    else:
        pair = forgery.rng.choice(forgery.instance.n_points, 2).tolist()
        forgery.run("UPDATE problems SET content = ? WHERE problem = ?", encode_integers(pair), number)


def moved_problems(forgery: Forgery) -> None:
    """A problem is the child of another one, of itself, or of nothing; or evidence names other children."""
    problems, branchings = forgery.problems(), forgery.positions("branching")
    if branchings and forgery.chance(0.5):
        children = [forgery.any_of([*problems, 10**9]) for _ in range(2)]
        forgery.run(
            "UPDATE evidence SET payload = ? WHERE position = ?", children_of(*children), forgery.any_of(branchings)
        )
    elif problems[1:]:
        parent = forgery.any_of([*problems, 10**9])
        forgery.run("UPDATE problems SET parent = ? WHERE problem = ?", parent, forgery.any_of(problems[1:]))


def moved_evidence(forgery: Forgery) -> None:
    """Evidence is that of another problem, or of another problem as well."""
    positions = forgery.positions()
    if not positions:
        return
    position, problem = forgery.any_of(positions), forgery.any_of(forgery.problems())
    if forgery.chance(0.5):
        forgery.run("UPDATE evidence SET problem = ? WHERE position = ?", problem, position)
    else:
        ((kind, payload),) = forgery.run("SELECT kind, payload FROM evidence WHERE position = ?", position)
        forgery.add(problem, kind, payload, first=forgery.chance(0.5))


def false_forced_pairs(forgery: Forgery) -> None:
    """Pairs are forced that are not, so that the best partition is lost."""
    n, k, rng = forgery.instance.n_points, forgery.instance.n_clusters, forgery.rng
    rows, witnesses = [], list[int]()
    for _ in range(int(rng.integers(1, 4))):
        i, j = rng.choice(n, 2, replace=False).tolist() if n > 1 else (0, 0)
        is_apart = _together(forgery, i, j)
        size = max(0, (k if is_apart else k - 1) + forgery.any_of([0, 0, 0, -1, 1]))
        witness = rng.integers(0, n, size).tolist() if forgery.chance(0.5) else [i] * size
        rows.append([int(is_apart), i, j])
        witnesses += [len(witness), *witness]
    payload = decisions(rows) + encode_integers(np.array(witnesses, np.int64))
    forgery.add(forgery.any_of(forgery.problems()), "forced", payload, first=forgery.chance(0.5))


def false_fixed_pairs(forgery: Forgery) -> None:
    """Pairs are fixed so that the best partition is lost."""
    n, rng = forgery.instance.n_points, forgery.rng
    i, j = sorted(rng.choice(n, 2, replace=False).tolist()) if n > 1 else (0, 0)
    kind = forgery.any_of(["fixed", "fixed", "far"])
    payload = decisions([[int(_together(forgery, i, j)), i, j]])
    if kind == "fixed":
        payload += huge_multipliers(forgery, forgery.any_of([n, n - 1, n - 2, 1]))
    forgery.add(forgery.any_of(forgery.problems()), kind, payload, first=forgery.chance(0.5))


def exchanged_kinds(forgery: Forgery) -> None:
    """Evidence is of another kind than it was written as."""
    positions = forgery.positions(*DEDUCTIONS) if forgery.chance(0.5) else forgery.positions()
    if positions:
        kind = forgery.any_of(["far", "fixed", "forced", "equal", "soft", "single", "infeasible", "open"])
        forgery.run("UPDATE evidence SET kind = ? WHERE position = ?", kind, forgery.any_of(positions))


def dropped_deductions(forgery: Forgery) -> None:
    """Deductions are gone, or those of another problem."""
    problem = forgery.any_of(forgery.problems())
    is_gone = forgery.chance(0.5)
    for position in forgery.positions(*DEDUCTIONS):
        if is_gone:
            forgery.run("DELETE FROM evidence WHERE position = ?", position)
        else:
            forgery.run("UPDATE evidence SET problem = ? WHERE position = ?", problem, position)


def hostile_leaves(forgery: Forgery) -> None:
    """Leaves are closed by huge multipliers of the right size."""
    for position in forgery.positions("bound", "open"):
        ((payload,),) = forgery.run("SELECT payload FROM evidence WHERE position = ?", position)
        blob = huge_multipliers(forgery, _size(payload))
        forgery.run("UPDATE evidence SET payload = ? WHERE position = ?", blob, position)


def exchanged_payloads(forgery: Forgery) -> None:
    """Two problems exchange their multipliers, or a payload is that of another kind."""
    positions = forgery.positions("bound", "open")
    payloads = [
        payload
        for at in (positions or forgery.positions())
        for (payload,) in forgery.run("SELECT payload FROM evidence WHERE position = ?", at)
    ]
    payloads += [b for (b,) in forgery.run("SELECT points FROM instance")] if forgery.chance(0.1) else []
    targets = positions if positions and forgery.chance(0.7) else forgery.positions()
    if payloads and targets:
        forgery.run(
            "UPDATE evidence SET payload = ? WHERE position = ?", forgery.any_of(payloads), forgery.any_of(targets)
        )


def damaged_blobs(forgery: Forgery) -> None:
    """A blob is cut off, or one bit of it differs."""
    table, column = forgery.any_of([("evidence", "payload")] * 3 + [("problems", "content"), ("claim", "labels")])
    rows = forgery.run(f"SELECT rowid, {column} FROM {table} WHERE length({column}) > 1")
    if rows:
        row, data = forgery.any_of(rows)
        at = int(forgery.rng.integers(len(data)))
        flipped = data[:at] + bytes([data[at] ^ (1 << int(forgery.rng.integers(8)))]) + data[at + 1 :]
        forgery.run(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", forgery.any_of([data[:at], flipped]), row)


def search_of_nothing(forgery: Forgery) -> None:
    """The record of a search is empty, random, or that of another problem."""
    others = [b for (b,) in forgery.run("SELECT payload FROM evidence WHERE kind = 'infeasible'")]
    blob = forgery.any_of([b"", forgery.rng.bytes(20), encode_integers(np.zeros(5, np.int64)), *others])
    for position in forgery.leaves():
        forgery.replace(position, "infeasible", blob)


def branching_twice(forgery: Forgery) -> None:
    """A problem branches once more: on the same children, on new ones that are closed, or on one of each."""
    branchings = forgery.positions("branching")
    if not branchings:
        return
    ((problem, payload),) = forgery.run(
        "SELECT problem, payload FROM evidence WHERE position = ?", forgery.any_of(branchings)
    )
    if forgery.chance(0.7):
        i, j = forgery.rng.choice(forgery.instance.n_points, 2, replace=False).tolist()
        kinds = forgery.any_of([("ML", "CL"), ("ML", "ML"), ("CL", "CL"), ("ML", "part")])
        children = [forgery.add_problem(problem, kind, encode_integers([i, j])) for kind in kinds]
        if forgery.chance(0.2):
            children[1] = children[0]
        for child in children:
            kind = forgery.any_of(LEAVES)
            forgery.add(child, kind, payload_of(forgery, kind, forgery.instance.n_points - 1))
        payload = children_of(*children)
    forgery.add(problem, "branching", payload, first=forgery.chance(0.5))


def cover_of_anything(forgery: Forgery) -> None:
    """A problem is covered by parts that bring more than it has, or less, and are closed."""
    problem, n = forgery.any_of(forgery.problems()), forgery.instance.n_points
    numbers = []
    for _ in range(int(forgery.rng.integers(1, 4))):
        points = np.flatnonzero(forgery.rng.random(n) < forgery.any_of([0.6, 1.0]))
        weights = forgery.instance.weights[points] * forgery.any_of([1.0, 1.0, 0.5, 1.0 / 3.0])
        content = encode_integers(points, differences=True) + encode_floats(weights)
        numbers.append(forgery.add_problem(forgery.any_of([problem, problem, problem, 0]), "part", content))
        kind = forgery.any_of(LEAVES)
        forgery.add(numbers[-1], kind, payload_of(forgery, kind, max(1, len(points))))
    if forgery.chance(0.2):
        numbers += numbers[:1]
    forgery.add(problem, "cover", encode_integers(np.array(numbers, np.int64)), first=forgery.chance(0.5))


def generated_column(forgery: Forgery) -> None:
    table, column = forgery.any_of([("evidence", "bound"), ("claim", "lower_bound"), ("evidence", "seconds")])
    forgery.run(f"ALTER TABLE {table} RENAME COLUMN {column} TO hidden")
    forgery.run(f"ALTER TABLE {table} ADD COLUMN {column} REAL GENERATED ALWAYS AS ({forgery.target!r}) VIRTUAL")


def virtual_table(forgery: Forgery) -> None:
    """A table that nothing reads is a virtual one."""
    forgery.run("DROP TABLE events")
    module = forgery.any_of(["fts5vocab('evidence', 'row')", "dbstat", "fts5(text)", "rtree(id, low, high)"])
    forgery.run(f"CREATE VIRTUAL TABLE events USING {module}")


SUPPORTS: dict[str, Callable[[Forgery], None]] = {
    "raised bounds": raised_bounds,
    "no evidence": no_evidence,
    "dropped leaves": dropped_leaves,
    "only the whole": only_the_whole,
    "leaves called infeasible": leaves_called("infeasible"),
    "leaves called single": leaves_called("single"),
    "leaves called lines": leaves_called("line"),
    "leaves called priced": leaves_called("prices"),
    "leaves called open": leaves_called_open,
    "wrong changes": wrong_changes,
    "moved problems": moved_problems,
    "moved evidence": moved_evidence,
    "false forced pairs": false_forced_pairs,
    "false fixed pairs": false_fixed_pairs,
    "exchanged kinds": exchanged_kinds,
    "dropped deductions": dropped_deductions,
    "hostile leaves": hostile_leaves,
    "exchanged payloads": exchanged_payloads,
    "damaged blobs": damaged_blobs,
    "search of nothing": search_of_nothing,
    "branching twice": branching_twice,
    "cover of anything": cover_of_anything,
    "changed conditions": changed_conditions,
    "generated column": generated_column,
    "virtual table": virtual_table,
}


def decisions(rows: list[list[int]]) -> bytes:
    """Return kinds (0 for ML) and pairs of points as a run file holds them."""
    return encode_integers(np.array(rows, np.int64).reshape(-1, 3).T, differences=True)


def children_of(first: int, second: int) -> bytes:
    """Return what a branching without a penalty holds."""
    return encode_integers([first, second]) + encode_floats([])


def payload_of(forgery: Forgery, kind: str, size: int) -> bytes:
    """Return what closes a problem of this many super-points in some way, or seems to."""
    if kind in ("bound", "open"):
        return huge_multipliers(forgery, min(size, 40))
    if kind == "prices":
        return false_prices(forgery, size)
    if kind == "line":
        own = forgery.any_of([0.0, forgery.target, float(np.ptp(forgery.instance.points)) ** 2, 1e300, 5e-324])
        penalty = forgery.any_of([own, -own, own * 10.0 ** float(forgery.rng.uniform(-12.0, 3.0))])
        return forgery.any_of([encode_floats([penalty])] * 3 + [b"", encode_integers([3])])
    if kind == "infeasible":
        points = forgery.rng.permutation(forgery.instance.n_points)[: forgery.instance.n_clusters + 1]
        return encode_integers(points, differences=True)
    return children_of(1, 2) if kind == "branching" else b""


def huge_multipliers(forgery: Forgery, size: int) -> bytes:
    """Return N = c I, or something else that is huge, for this many super-points, with or without cuts."""
    rng = forgery.rng
    numbers = np.eye(size) if forgery.chance(0.7) else rng.uniform(-1.0, 1.0, (size, size))
    units = np.rint(np.ldexp(numbers * rng.uniform(0.5, 1.0), 52)).astype(np.int64)[np.triu_indices(size)]
    scale = math.frexp(float(np.ptp(forgery.instance.points)) ** 2 or 1.0)[1]
    exponent, cut_exponent = (int(rng.integers(-60, 91)) + scale - 52 for _ in range(2))
    cuts = b""
    if size > 2 and forgery.chance(0.3):
        mu = int(rng.choice([-(2**40), 1, 2**50, 2**62]))
        table = rng.integers(-1, size, (int(rng.integers(2, size + 1)), 1))
        cuts = encode_integers(table) + encode_integers(np.array([mu]))
    return struct.pack("<iiI", exponent, cut_exponent, int(bool(cuts))) + encode_integers(units) + cuts


def false_prices(forgery: Forgery, size: int) -> bytes:
    """Return prices of this many super-points: of any size, or such that they are worth what is claimed."""
    rng = forgery.rng
    extent = float(np.ptp(forgery.instance.points)) ** 2 or 1.0
    scale = forgery.any_of([extent, extent * 10.0 ** float(rng.uniform(-6.0, 3.0)), 2.0 * forgery.target / size, 3e300])
    prices = scale * rng.uniform(forgery.any_of([0.0, -1.0, 0.9]), 1.0, size)
    if forgery.chance(0.3):
        prices[int(rng.integers(size))] = forgery.any_of([0.0, 1e300, -1e300, 5e-324, np.nan, np.inf, 1e6 * scale])
    return encode_floats(prices) + encode_integers([]) + encode_integers(np.empty((0, 0), np.int64))


def _size(blob: object) -> int:
    """Return s, from the shape of the triangle of N, which follows the exponents and a head of seven bytes."""
    count = struct.unpack_from("<I", blob, 19)[0] if isinstance(blob, bytes) and len(blob) > 23 else 1
    return min(40, (math.isqrt(8 * int(count) + 1) - 1) // 2)


def _together(forgery: Forgery, i: int, j: int) -> bool:
    """Tell whether two points are together in the best partition."""
    if not forgery.truth.feasible:
        return forgery.chance(0.5)
    labels = forgery.truth.best_labels
    return bool(labels[i] == labels[j])
