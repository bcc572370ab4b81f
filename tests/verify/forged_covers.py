"""Forged certifications: covers that do not cover, parts that are none, and trees that belong to other parts."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import pcsos
from pcsos.base.exceptions import PcsosError
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.run_file import RunFile
from pcsos.problem.params import BlockParams, Params, TreeParams
from pcsos.verify import verify
from pcsos.verify.reading.columns import LEAVES
from pcsos.verify.reading.payloads import read_children
from tests import oracle
from tests.blobs import arrays
from tests.exact_oracle import ExactTruth
from tests.hard_instances import draw
from tests.verify.forgeries import Found, School
from tests.verify.lies import LIES, Forgery
from tests.verify.supports import SUPPORTS, children_of, decisions, huge_multipliers, payload_of

Points, Weights = list[int], list[float]
#: Lower costs cannot be stated as doubles to many digits.
LEAST_COST = 1e-300


# Sound files


def of_plain_points(path: Path, rng: np.random.Generator) -> Found:
    """Blocks of an instance like those of the tests."""
    return _certified(path, rng, oracle.random_instance(rng, max_points=9))


def of_hard_points(path: Path, rng: np.random.Generator) -> Found:
    """Blocks of an instance that arithmetic finds hard."""
    hard = draw(int(rng.integers(2**40)))
    try:
        instance = pcsos.Instance(hard.points, hard.n_clusters, hard.must_link, hard.cannot_link, hard.weights)
    except PcsosError:
        return None
    return _certified(path, rng, instance)


def _certified(path: Path, rng: np.random.Generator, instance: pcsos.Instance) -> Found:
    """Certify good labels in blocks as small as they come, which may be merged until one is left."""
    truth = ExactTruth.of(instance)
    if instance.n_points < 5 or not truth.feasible or 0 < truth.optimum < LEAST_COST:
        return None
    rounds = int(rng.choice([1, 60]))
    params = Params(
        blocks=BlockParams(least_size=2, least_members=1, largest_size=int(rng.choice([2, 5, 2400]))),
        tree=TreeParams(root_rounds=rounds, node_rounds=rounds),
    )
    try:
        result = pcsos.certify(
            instance, truth.best_labels, gap=1e-6, workers=1, run_file=path, options=pcsos.Options(params=params)
        )
        turn_to_part(path, instance)
        proved = verify(path).lower_bound
    except PcsosError:  # this is no test of the certification
        return None
    if proved == 0.0 or (result.n_blocks < 2 and rng.random() < 0.5):  # no cover, or one of a single part
        return None
    return instance, truth, proved


def turn_to_part(path: Path, instance: pcsos.Instance) -> None:
    """Write the tree of the whole, if there is one, as that of a part that is the whole."""
    with RunFile.read(path) as file:
        records, claim, given = list(file.records()), file.claim(), file.given()
    if records:
        path.unlink()
        with RunFile.create(path, instance, pcsos.Options(gap=1e-6), given) as file:
            file.add_cover([file.add_part(np.arange(instance.n_points), instance.weights, records)])
            file.set_claim(replace(claim, lower_bound=np.nextafter(claim.lower_bound, 0.0)))


# Lies


def nothing(forgery: Forgery) -> None:
    """Nothing is claimed of bounds: what counts is what the checker itself says that the file proves."""
    if forgery.chance(0.7):  # with labels a bound above their cost is refused whatever proves it
        forgery.claim("UNKNOWN", None, None, None)
    else:
        labels = forgery.truth.worst_labels
        forgery.claim("FEASIBLE", labels, float(forgery.truth.cost(labels)), None)
    forgery.run("UPDATE evidence SET bound = 0.0")
    forgery.target = 5e-324


# Supports


def numbers_of(forgery: Forgery) -> list[int]:
    return [number for (number,) in forgery.run("SELECT problem FROM problems WHERE change = 'part' ORDER BY problem")]


def covered(forgery: Forgery) -> list[int]:
    """Return the parts of the last cover of the whole."""
    query = "SELECT payload FROM evidence WHERE kind = 'cover' AND problem = 0 ORDER BY position DESC LIMIT 1"
    rows = forgery.run(query)
    return read_children(arrays(rows[0][0])).tolist() if rows else []


def read_part(forgery: Forgery, number: int) -> tuple[Points, Weights]:
    ((content,),) = forgery.run("SELECT content FROM problems WHERE problem = ?", number)
    own = arrays(content)
    return own.integers(1).tolist(), own.doubles(1).tolist()


def write_part(forgery: Forgery, number: int, points: Points, weights: Weights) -> None:
    """Write a part of the whole, in place of the one with its number, if any."""
    content = encode_integers(np.array(points, np.int64), differences=True) + encode_floats(np.array(weights, float))
    forgery.run("INSERT OR REPLACE INTO problems VALUES (?, 0, 'part', ?, '')", number, content)


def write_cover(forgery: Forgery, numbers: list[int]) -> None:
    forgery.add(0, "cover", encode_integers(np.array(numbers, np.int64)))


def changed_part(change: Callable[[Forgery, Points, Weights], None]) -> Callable[[Forgery], None]:
    """Return what changes points and weights of some parts."""

    def support(forgery: Forgery) -> None:
        numbers = numbers_of(forgery)
        for number in forgery.rng.permutation(numbers)[: int(forgery.rng.integers(1, 3))].tolist():
            points, weights = read_part(forgery, number)
            if points:
                change(forgery, points, weights)
                write_part(forgery, number, points, weights)

    return support


def missing(forgery: Forgery, points: Points, weights: Weights) -> None:
    at = int(forgery.rng.integers(len(points)))
    del points[at], weights[at]


def one_more(forgery: Forgery, points: Points, weights: Weights) -> None:
    """A point of another part is there as well, with all of its weight or nearly none."""
    others = [point for point in range(forgery.instance.n_points) if point not in points]
    if others:
        point = forgery.any_of(others)
        at = sum(own < point for own in points)
        points.insert(at, point)
        weights.insert(at, float(forgery.instance.weights[point]) * forgery.any_of([1.0, 0.5, 2.0**-41, 1e-300]))


def once_more(forgery: Forgery, points: Points, weights: Weights) -> None:
    at = int(forgery.rng.integers(len(points)))
    points.insert(at, points[at])
    weights.insert(at, weights[at])


def another_point(forgery: Forgery, points: Points, weights: Weights) -> None:
    """Other points are there, with the same weights."""
    chosen = forgery.rng.permutation(forgery.instance.n_points)[: len(points)]
    points[:] = sorted(chosen.tolist()) if forgery.chance(0.8) else chosen.tolist()


def heavier(forgery: Forgery, points: Points, weights: Weights) -> None:
    """Points bring more than they have: a little, or a lot."""
    factor = forgery.any_of([1.0 + 2.0**-52, 1.0 + 2.0**-40, 1.5, 1e6])
    weights[:] = [weight * factor for weight in weights]


def lighter(forgery: Forgery, points: Points, weights: Weights) -> None:
    weights[int(forgery.rng.integers(len(points)))] *= forgery.any_of([1.0 - 2.0**-39, 0.5, 1e-200])


def no_weights(forgery: Forgery, points: Points, weights: Weights) -> None:
    """Weights are no weights, or there are fewer of them."""
    weights[int(forgery.rng.integers(len(weights)))] = forgery.any_of([0.0, -1.0, np.nan, np.inf, -np.inf, 5e-324])
    if forgery.chance(0.2):
        del weights[-1]


def no_points(forgery: Forgery, points: Points, weights: Weights) -> None:
    """Points are none of the instance, or there are none."""
    if forgery.chance(0.3):
        points.clear()
        weights.clear()
    else:
        points[int(forgery.rng.integers(len(points)))] = forgery.any_of(
            [-1, forgery.instance.n_points, 2**40, -(2**62)]
        )


def exchanged_points(forgery: Forgery) -> None:
    """Two parts exchange their points, but keep their trees."""
    numbers = numbers_of(forgery)
    if len(numbers) > 1:
        first, second = forgery.rng.choice(numbers, 2, replace=False).tolist()
        parts = read_part(forgery, first), read_part(forgery, second)
        write_part(forgery, second, *parts[0])
        write_part(forgery, first, *parts[1])


def shares_rounded_up(forgery: Forgery) -> None:
    """A part is shared out among copies of itself whose shares are rounded up."""
    numbers = covered(forgery)
    if not numbers:
        return
    number, copies = forgery.any_of(numbers), forgery.any_of([2, 3, 7])
    points, weights = read_part(forgery, number)
    shares = [float(np.nextafter(weight / copies, np.inf)) for weight in weights]
    first = max(forgery.problems()) + 1
    fresh = [first + copy for copy in range(copies)]
    for own in fresh:
        write_part(forgery, own, points, shares if forgery.chance(0.9) else weights)
    for own in fresh:
        copy_tree(forgery, number, own)
    write_cover(forgery, [*(n for n in numbers if n != number), *fresh])


def copy_tree(forgery: Forgery, source: int, target: int, depth: int = 9) -> None:
    """Copy evidence of a problem to another one, in place of what that has, with the problems that it branches into."""
    forgery.run("DELETE FROM evidence WHERE problem = ? AND kind != 'cover'", target)
    query = "SELECT kind, bound, payload FROM evidence WHERE problem = ? AND kind != 'cover' ORDER BY position"
    for kind, bound, payload in forgery.run(query, source):
        own = payload
        if kind == "branching" and depth:  # a file that is forged already may branch into itself
            children = []
            for child in arrays(payload).integers(1, size=2).tolist():
                ((change, content),) = forgery.run("SELECT change, content FROM problems WHERE problem = ?", child)
                children.append(forgery.add_problem(target, change, content))
                copy_tree(forgery, child, children[-1], depth - 1)
            own = children_of(*children)
        forgery.add(target, kind, own)
        forgery.run("UPDATE evidence SET bound = ? WHERE position = (SELECT max(position) FROM evidence)", bound)


def exchanged_trees(forgery: Forgery) -> None:
    """A part has the evidence of another one, and so may the whole."""
    numbers = numbers_of(forgery)
    if not numbers:
        return
    source, target = forgery.any_of(numbers), forgery.any_of([0, *numbers])
    if source != target:
        copy_tree(forgery, source, target)


def false_cover(forgery: Forgery) -> None:
    """The cover names a part twice, leaves one out, or names one that is none."""
    numbers = covered(forgery)
    if not numbers:
        return
    at = int(forgery.rng.integers(len(numbers)))
    rest = numbers[:at] + numbers[at + 1 :]
    wrong = [[*numbers, numbers[at]], rest, [*rest, forgery.any_of(numbers_of(forgery))], [], [*numbers, 0], [-1]]
    wrong += [[*numbers, 2**62], [0], [numbers[at]] * len(numbers), [*numbers, *numbers_of(forgery)]]
    write_cover(forgery, forgery.any_of(wrong))


def damaged_cover(forgery: Forgery) -> None:
    """The cover, or a part, is no array, or another one is the last."""
    blob = forgery.any_of([b"", forgery.rng.bytes(12), encode_floats(np.ones(2)), "1", 1])
    if forgery.chance(0.4):
        forgery.run("UPDATE evidence SET payload = ? WHERE kind = 'cover'", blob)
    else:
        forgery.run("UPDATE problems SET content = ? WHERE change = 'part'", blob)


def single_points(forgery: Forgery) -> None:
    """Each point is a part, of which nothing or a single partition is said to be left."""
    first = max(forgery.problems()) + 1
    n = forgery.instance.n_points
    for point in range(n):
        write_part(forgery, first + point, [point], [float(forgery.instance.weights[point])])
        close_root(forgery, first + point)
    write_cover(forgery, list(range(first, first + n)))


def close_root(forgery: Forgery, number: int) -> None:
    """Close a part, or the whole, in one way or another, as high as is needed."""
    kind = forgery.any_of([*LEAVES, "branching"])
    forgery.run("DELETE FROM evidence WHERE problem = ? AND kind != 'cover'", number)
    forgery.add(number, kind, payload_of(forgery, kind, int(forgery.rng.integers(1, 7))))


def closed_roots(forgery: Forgery) -> None:
    """The roots of some parts, or of the whole, are closed at once."""
    for number in [0, *numbers_of(forgery)]:
        if forgery.chance(0.4):
            close_root(forgery, number)


def false_deductions(forgery: Forgery) -> None:
    """A part has a deduction that joins points, or sets them apart, as it likes."""
    numbers = numbers_of(forgery)
    if not numbers:
        return
    number = forgery.any_of(numbers)
    size = len(read_part(forgery, number)[0])
    kind = forgery.any_of(["equal", "equal", "far", "fixed"])
    pairs = [forgery.rng.choice(size, 2, replace=size < 2).tolist() for _ in range(int(forgery.rng.integers(1, 4)))]
    payload = decisions([[0 if kind == "equal" else 1, i, j] for i, j in pairs])
    payload += huge_multipliers(forgery, size) if kind == "fixed" else b""
    forgery.add(number, kind, payload, first=forgery.chance(0.5))


def single_by_deductions(forgery: Forgery) -> None:
    """Deductions leave as many super-points as clusters in parts: a single partition, though not the best one."""
    k = forgery.instance.n_clusters
    for number in covered(forgery):
        size = len(read_part(forgery, number)[0])
        if size < k or forgery.chance(0.3):
            continue
        forgery.run("DELETE FROM evidence WHERE problem = ?", number)
        forgery.add(number, "single", b"")
        labels = forgery.rng.permutation(np.arange(size) % k)
        joined = [(int(np.flatnonzero(labels == labels[j])[0]), j) for j in range(size)]
        kind = forgery.any_of(["equal", "fixed", "forced"])
        add_deduction(forgery, number, kind, [(i, j) for i, j in joined if i != j])


def add_deduction(forgery: Forgery, number: int, kind: str, pairs: list[tuple[int, int]]) -> None:
    """Put pairs of a part together before all else."""
    size = len(read_part(forgery, number)[0])
    payload = decisions([[0, i, j] for i, j in pairs])
    witness = forgery.rng.permutation(size)[: max(0, forgery.instance.n_clusters - 1)].tolist()
    if kind == "forced":
        payload += encode_integers(np.array([len(witness), *witness] * len(pairs), np.int64))
    elif kind == "fixed":
        payload += huge_multipliers(forgery, size)
    forgery.add(number, kind, payload, first=True)


def no_constraints(forgery: Forgery) -> None:
    """The instance in the file has other pairs, and parts keep their evidence."""
    column, n = forgery.any_of(["must_link", "cannot_link"]), forgery.instance.n_points
    count = int(forgery.rng.integers(0, 4))
    pairs = np.array([forgery.rng.choice(n, 2, replace=False) for _ in range(count)], np.int64).reshape(-1, 2)
    forgery.run(f"UPDATE instance SET {column} = ?", encode_integers(pairs))
    before = {tuple(pair) for pair in getattr(forgery.instance, column).tolist()}
    forgery.other_instance |= before != {tuple(sorted(pair)) for pair in pairs.tolist()}


COVER_SUPPORTS: dict[str, Callable[[Forgery], None]] = {
    "a point is missing": changed_part(missing),
    "one point more": changed_part(one_more),
    "a point twice": changed_part(once_more),
    "other points": changed_part(another_point),
    "heavier points": changed_part(heavier),
    "a lighter point": changed_part(lighter),
    "weights that are none": changed_part(no_weights),
    "points that are none": changed_part(no_points),
    "exchanged points": exchanged_points,
    "shares rounded up": shares_rounded_up,
    "exchanged trees": exchanged_trees,
    "false cover": false_cover,
    "damaged cover": damaged_cover,
    "single points": single_points,
    "closed roots": closed_roots,
    "false deductions": false_deductions,
    "single by deductions": single_by_deductions,
    "no constraints": no_constraints,
}

#: Files of certifications.
COVERS = School(
    {"plain points": of_plain_points, "hard points": of_hard_points},
    {**LIES, "nothing": (nothing, 20.0)},
    {**COVER_SUPPORTS, **SUPPORTS},
)
