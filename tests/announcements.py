"""Run files that announce more than they hold: few bytes, many points, pairs, cuts, decisions, problems or parts.

Each is drawn from a seed and written without the package's own writer, so that nothing stops it from being absurd.
"""

import contextlib
import hashlib
import json
import math
import os
import sqlite3
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.run_file.rows import TABLES, row_digest
from pcsos.problem.options import Options
from pcsos.verify.reading.database import APPLICATION_ID, FORMAT
from pcsos.verify.reading.multipliers import LARGEST

Rng = np.random.Generator
Row = dict[str, Any]

#: Megabytes that a command may take, and bytes for each byte of the file and each entry of a matrix of its points, as
#: far as any file may have one; what others but ``verify`` may take besides.
MEMORY_MB, SHARE, OF_AN_ENTRY, MORE_MB = 200.0, 40.0, 72.0, 120.0
#: Seconds for any file, and for each of its megabytes.
SECONDS, SECONDS_A_MB = 200.0, 90.0


class Draft(NamedTuple):
    """The rows of a run file; evidence is numbered by its place."""

    instance: Row
    problems: list[Row]
    evidence: list[Row]
    events: list[Row]
    claim: Row

    def add(self, problem: int, kind: str, *payload: bytes, bound: float = 0.0) -> None:
        self.evidence.append(evidence(kind, *payload, bound=bound) | {"problem": problem})

    def make(self, parent: int, change: str, *content: bytes) -> int:
        number = len(self.problems) + 1
        self.problems.append({"problem": number, "parent": parent, "change": change, "content": b"".join(content)})
        return number

    def branch(self, problem: int, i: int, j: int) -> tuple[int, int]:
        """Branch on two points; return the numbers of the problems that have them together, and apart."""
        pair = encode_integers(np.array([i, j]))
        children = self.make(problem, "ML", pair), self.make(problem, "CL", pair)
        self.add(problem, "branching", encode_integers(np.array(children)), zeros(0, kind=b"f"))
        return children


def zeros(*shape: int, kind: bytes = b"i") -> bytes:
    """Return an array of zeros, which takes as good as no bytes."""
    width = 8 if kind == b"f" else 0
    content = zlib.compress(bytes(math.prod(shape) * width), 9)
    return struct.pack(f"<cBBI{len(shape)}I", kind, width, len(shape), len(content), *shape) + content


def multipliers(s: int, *tables: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]) -> bytes:
    blobs = [encode_integers(table, differences=True) + encode_integers(mu) for table, mu in tables]
    return struct.pack("<iiI", 0, -20, len(tables)) + zeros(s * (s + 1) // 2) + b"".join(blobs)


def evidence(kind: str, *payload: bytes, bound: float = 0.0) -> Row:
    return {"problem": 0, "kind": kind, "bound": bound, "payload": b"".join(payload), "seconds": 0.0}


def draft(n: int, k: int, points: bytes, *proof: Row, **columns: Any) -> Draft:
    """Return a file about n points with this evidence."""
    instance = {
        "n_clusters": k, "points": points, "weights": constant(n, 1.0), "must_link": zeros(0, 2),
        "cannot_link": zeros(0, 2), "digest": "", "options": _OPTIONS, "names": json.dumps(_NAMES), "version": "0",
        "conditions": "{}", "gram": None,
    } | columns  # fmt: skip
    claim = {"status": "UNKNOWN", "objective": None, "lower_bound": 0.0, "labels": None, "details": _DETAILS}
    return Draft(instance, [], list(proof), [], claim)


_NAMES = {"first": 0, "ids": None, "features": None}
_OPTIONS = json.dumps(Options().to_dict())
_DETAILS = json.dumps(
    {"n_super_points": 1, "seconds": 0.0, "nodes": 1, "root_lower_bound": 0.0, "root_seconds": 0.0, "message": ""}
    | {"reason": "INTERRUPTED"}
)


def constant(n: int, value: float) -> bytes:
    return encode_floats(np.full(n, value))


def decisions(kinds: Any, first: Any, second: Any) -> bytes:
    return encode_integers(np.stack(np.broadcast_arrays(kinds, first, second)), differences=True)


def line() -> Row:
    return evidence("line", constant(1, 1.0))


def prices(each: bytes, d: int, knots: bytes = b"", bound: float = 0.0) -> Row:
    return evidence("prices", each, knots or zeros(0), zeros(0, d), bound=bound)


def infeasible(searched: bytes = b"") -> Row:
    return evidence("infeasible", searched or zeros(0))


def size(rng: Rng, least: float, most: float) -> int:
    """Return a whole number between powers of two, all magnitudes alike."""
    return int(2.0 ** rng.uniform(least, most))


def some_points(rng: Rng, n: int, d: int) -> bytes:
    """Return points that take few bytes: equal ones, or small whole numbers in turn."""
    values = np.zeros((n, d))
    if rng.random() < 0.6:
        values += (np.arange(n) % int(rng.choice([2, 256, n])))[:, None]
    return encode_floats(values)


# What can be announced


def points(rng: Rng) -> Draft:
    n, d = size(rng, 8, 22), int(rng.choice([1, 1, 2, 8]))
    found = draft(n, int(rng.choice([1, 2, 50])), some_points(rng, n, d))
    kind = str(rng.choice(["line", "prices", "single", "infeasible", "branching"]))
    if kind == "branching":
        found.branch(0, 0, n - 1)
    else:
        price = constant(n, float(rng.choice([0.0, 1.0])))
        own = {"line": line(), "prices": prices(price, d), "infeasible": infeasible(), "single": evidence("single")}
        found.evidence.append(own[kind])
    if rng.random() < 0.5:
        labels = np.arange(n) % found.instance["n_clusters"]
        found.claim.update(status="FEASIBLE", labels=encode_integers(labels), objective=1.0)
    return found


def pairs(rng: Rng) -> Draft:
    n, m = size(rng, 4, 18), size(rng, 8, 25)
    kind = str(rng.choice(["zeros", "chain", "star", "all"]))
    if kind == "zeros":
        blob = zeros(m, 2)
    elif kind == "all":
        q = min(n, math.isqrt(2 * m))
        blob = encode_integers(np.array(np.triu_indices(q, 1)).T, differences=True)
    else:
        later = np.arange(1, min(m, n))
        rows = np.stack(
            [np.zeros_like(later) if kind == "star" else later[::-1] - 1, later[:: 1 if kind == "star" else -1]], 1
        )
        blob = encode_integers(rows, differences=True)
    proof = infeasible(encode_integers(np.arange(min(n, 500))))
    column = str(rng.choice(["must_link", "cannot_link"]))
    return draft(n, min(n, int(rng.choice([2, 300]))), some_points(rng, n, 1), proof, **{column: blob})


def search(rng: Rng) -> Draft:
    n, steps = size(rng, 4, 12), size(rng, 8, 26)
    order = {"zeros": lambda: zeros(steps), "cycle": lambda: encode_integers(np.arange(steps) % n, differences=True)}
    blob = order[str(rng.choice(list(order)))]()
    q = min(n, 200)
    links = encode_integers(np.array(np.triu_indices(q, 1)).T, differences=True)
    return draft(n, min(n, int(rng.choice([2, 50]))), some_points(rng, n, 1), infeasible(blob), cannot_link=links)


def cuts(rng: Rng) -> Draft:
    s, t = size(rng, 2, 8), size(rng, 8, 24)
    q = int(rng.integers(1, s))
    kind = str(rng.choice(["same", "sets", "all", "runs"]))
    if kind == "all":
        table = np.array(np.triu_indices(s, 1))
        table = np.repeat(table, min(t // table.shape[1] + 1, 50), axis=1)
    else:
        t = max(1, min(t, 2**24 // (q + 1)))
        table = np.repeat(np.array([[-2 if kind == "sets" else s - 1], *([j] for j in range(q))]), t, axis=1)
    tables = [(table, np.ones(table.shape[1], np.int64))]
    if kind == "runs":
        tables = [(table[:, :1], np.ones(1, np.int64))] * min(t, 20_000)
    proof = evidence("open", multipliers(s, *tables))
    values = encode_floats(np.arange(float(s))[:, None])
    conditions = json.dumps({"limits": {"size_min": 1}}) if rng.random() < 0.5 else "{}"
    return draft(s, min(s, 2), values, proof, conditions=conditions)


def matrices(rng: Rng) -> Draft:
    s = size(rng, 4, 14)
    found = draft(s, min(s, 3), encode_floats(np.arange(float(s))[:, None]))
    for _ in range(size(rng, 0, 6) - 1):
        found.add(0, "fixed", zeros(3, 0), multipliers(s))
    found.add(0, "open", multipliers(s))
    return found


def gram(rng: Rng) -> Draft:
    n = size(rng, 2, 13)
    factor = encode_floats(np.zeros((n, int(rng.choice([1, min(n, 500)])))))
    found = draft(n, min(n, 2), factor, gram=zeros(n, n, kind=b"f"))
    found.branch(0, 0, 1)
    return found


def deductions(rng: Rng) -> Draft:
    n, t = size(rng, 4, 20), size(rng, 8, 24)
    kind = str(rng.choice(["fixed", "far", "equal", "soft"]))
    ends = np.arange(t) % (n - 1)
    pairs = decisions(int(kind != "equal"), 0 if rng.random() < 0.5 else ends, ends + 1)
    behind = [multipliers(min(n, 300))] if kind in ("fixed", "soft") else []
    return draft(n, 2, some_points(rng, n, 1), evidence(kind, pairs, *behind), evidence("open", multipliers(3)))


def chain(rng: Rng) -> Draft:
    """Problems that hang on one another, over many points."""
    n, depth = size(rng, 4, 20), size(rng, 2, 12)
    found, problem = draft(n, 2, some_points(rng, n, 1)), 0
    for number in range(depth):
        at = number % (n - 1)
        problem = found.branch(problem, at, at + 1)[int(rng.integers(2))]
    return found


def parts(rng: Rng) -> Draft:
    """Parts of all points, beside one another or each of the one before."""
    n, number, is_nested = size(rng, 4, 20), size(rng, 0, 10), rng.random() < 0.5
    found, problem = draft(n, 2, some_points(rng, n, 1)), 0
    content = encode_integers(np.arange(n), differences=True) + constant(n, 1.0 if is_nested else 2.0**-11)
    if is_nested:
        for _ in range(number):
            part = found.make(problem, "part", content)
            found.add(problem, "cover", encode_integers(np.array([part])))
            problem = part
    else:
        found.add(0, "cover", encode_integers(np.array([found.make(0, "part", content) for _ in range(number)])))
    return found


def structures(rng: Rng) -> Draft:
    many = size(rng, 8, 17)
    nested = {
        "wide": "[" + ",".join(["[]"] * many) + "]",
        "deep": "[" * many + "]" * many,
        "numbers": "[" + ",".join(["1"] * many) + "]",
        "members": "{" + ",".join(f'"{i}":1' for i in range(many)) + "}",
    }[str(rng.choice(["wide", "deep", "numbers", "members"]))]
    n = 50
    column = str(rng.choice(["options", "names", "conditions", "details", "sizes", "soft", "data"]))
    found = draft(n, 2, some_points(rng, n, 1), evidence("open", multipliers(n)))
    if column == "details":
        found.claim[column] = nested
    elif column == "sizes":
        found.instance["conditions"] = json.dumps({"limits": {"sizes": [1] * many}})
    elif column == "soft":
        found.instance["conditions"] = json.dumps({"soft": [[0, 1, 1.0, 0.0]] * (many // 8)})
    elif column == "data":
        found.events.extend({"name": "Notice", "time": 0.0, "data": nested} for _ in range(3))
    else:
        found.instance[column] = nested
    return found


def digits(rng: Rng) -> Draft:
    """Weights that have hundreds of digits in one unit, alone or joined by twos."""
    m, t = size(rng, 3, 14), size(rng, 4, 20)
    light, heavy = (1.0 + 2.0 * np.arange(m)) * 2.0 ** -int(rng.choice([400, 1000])), 1.0 + np.arange(m) / 2**14
    heavy *= 2.0 ** int(rng.choice([400, 900]))
    values = np.repeat([0.0, float(rng.choice([1.0, 1e-100, 1e-300]))], m)[:, None]
    kind = str(rng.choice(["prices", "line", "open", "infeasible"]))
    own = {
        "prices": prices(zeros(m, kind=b"f"), 1), "line": line(), "open": evidence("open", multipliers(m)),
        "infeasible": infeasible(),
    }  # fmt: skip
    conditions = json.dumps({"limits": {"weight_min": 1.0}}) if rng.random() < 0.5 else "{}"
    joined = encode_integers(np.stack([np.arange(m), np.arange(m) + m], 1), differences=True)
    found = draft(
        2 * m, int(rng.choice([2, m])), encode_floats(values), must_link=joined, conditions=conditions,
        weights=encode_floats(np.concatenate([light, heavy])),
    )  # fmt: skip
    if rng.random() < 0.5:
        found.add(0, "far", decisions(1, 0, 1 + np.arange(t) % (m - 1)))
    found.evidence.append(own[kind])
    if rng.random() < 0.5:
        labels = np.arange(2 * m) % found.instance["n_clusters"]
        found.claim.update(status="FEASIBLE", labels=encode_integers(labels), objective=1.0)
    return found


def limits(rng: Rng) -> Draft:
    """Limits of sizes or of many groups, in super-points of many points, some of them apart."""
    n, groups, t, s = size(rng, 4, 17), size(rng, 0, 14), size(rng, 2, 16), size(rng, 1, 8)
    names, half = [str(p % groups) for p in range(n)], max(n // 2, 1)
    known: dict[str, Any] = {
        "size_max": {"size_max": half},
        "sizes": {"sizes": [half, n - half]},
        "groups": {"groups": names, "group_min": [[name, 0] for name in sorted({*names})]},
        "group_max": {"groups": names, "group_max": [[name, 1] for name in sorted({*names})]},
    }[str(rng.choice(["size_max", "sizes", "groups", "group_max"]))]
    later = np.arange(s, n)
    joined = encode_integers(np.stack([later - s, later], 1), differences=True) if rng.random() < 0.7 else zeros(0, 2)
    apart = np.array(np.triu_indices(min(n, s, 200), 1)).T[: int(rng.choice([0, 1, 20_000]))]
    found = draft(
        n, 2, some_points(rng, n, 1), must_link=joined, conditions=json.dumps({"limits": known}),
        cannot_link=encode_integers(apart, differences=True),
    )  # fmt: skip
    if rng.random() < 0.5:
        found.add(0, "forced", decisions(np.ones(t, np.int64), 0, n - 1), zeros(t))
    found.evidence.append(infeasible())
    if rng.random() < 0.5:
        found.claim.update(status="FEASIBLE", labels=encode_integers(np.arange(n) % 2), objective=1.0)
    return found


def penalties(rng: Rng) -> Draft:
    """Soft pairs, many or the same again and again, beside deductions and problems that ask for what they pay."""
    number, t, depth, s = size(rng, 4, 14), size(rng, 4, 20), size(rng, 0, 7), size(rng, 2, 6)
    n, penalty = s + int(rng.choice([1, number])), float(rng.choice([1.0, 1e-300]))
    together = np.stack([np.full(n - s, s - 1), np.arange(s, n)], 1)
    found = draft(
        n, 2, encode_floats(np.minimum(np.arange(float(n)), s)[:, None]),
        must_link=encode_integers(together, differences=True),
        conditions=json.dumps({"soft": [[0, s + p % (n - s), penalty, 0.0] for p in range(number)]}),
    )  # fmt: skip
    found.add(0, str(rng.choice(["soft", "fixed"])), decisions(np.arange(t) % 2, 0, s - 1), multipliers(s))
    problem = 0
    for _ in range(1, depth):
        _, problem = found.branch(problem, 0, 1)
        found.add(problem, "bound", multipliers(s))
    return found


def cliques(rng: Rng) -> Draft:
    """Forced pairs with cliques for witnesses, or with far more of them."""
    k, t = size(rng, 1, 8), size(rng, 0, 10)
    apart = encode_integers(np.array(np.triu_indices(k + 1, 1)).T, differences=True)
    listed = encode_integers(np.tile(np.array([k, *range(1, k + 1)]), t)) if rng.random() < 0.7 else zeros(t << 16)
    forced = evidence("forced", decisions(np.ones(t, np.int64), 0, 1), listed)
    return draft(k + 2, k, some_points(rng, k + 2, 1), forced, evidence("single"), cannot_link=apart)


def knots(rng: Rng) -> Draft:
    """Prices beside knots of sixteen, among which many cannot-links lie."""
    n, size_of = size(rng, 5, 16), int(rng.integers(2, 17))
    starts = np.arange(0, n - size_of + 1, size_of)
    inner = np.array(np.triu_indices(size_of, 1)).T[:: int(rng.choice([1, 3]))]
    apart = (starts[:, None, None] + inner).reshape(-1, 2)
    listed = np.concatenate([np.full((len(starts), 1), size_of), starts[:, None] + np.arange(size_of)], axis=1)
    proof = prices(constant(n, 1.0), 2, encode_integers(listed.reshape(-1), differences=True))
    return draft(
        n, int(rng.choice([2, n])), some_points(rng, n, 2), proof,
        cannot_link=encode_integers(apart, differences=True),
    )  # fmt: skip


def searches_of_prices(rng: Rng) -> Draft:
    """Prices of which a long search has to show what they earn."""
    d = int(rng.integers(1, 5))
    side = np.arange(float(int(size(rng, d, 14) ** (1.0 / d))))
    places = np.stack(np.meshgrid(*[side] * d), -1).reshape(-1, d)
    n, k = len(places), max(len(places) // 20, 1)
    price = float(rng.uniform(0.5, 3.0))
    proof = prices(constant(n, price), d, bound=n * price * rng.uniform(-1.0, 0.9))
    return draft(n, k, encode_floats(places), proof)


def joined(rng: Rng) -> Draft:
    """Points that are put together one after the other, or blocks formed again and again."""
    n, depth = size(rng, 4, 16), size(rng, 0, 5)
    found = draft(n, 2, encode_floats(np.zeros((n, 2))))
    later = np.arange(1, n)
    order = {"star": np.zeros_like(later), "chain": later - 1, "tree": later // 2}[
        str(rng.choice(["star", "chain", "tree"]))
    ]
    kind = str(rng.choice(["equal", "far"]))
    for _ in range(depth):
        found.add(0, kind, decisions(int(kind == "far"), order, later))
    found.branch(0, 0, 1)
    return found


KINDS: dict[str, Callable[[Rng], Draft]] = {
    kind.__name__: kind
    for kind in (
        points, pairs, search, cuts, matrices, gram, deductions, chain, parts, structures, digits, limits, penalties,
        cliques, knots, searches_of_prices, joined,
    )
}  # fmt: skip


# Files of drafts


def announce(path: Path, seed: int) -> str:
    rng = np.random.default_rng(seed)
    kind = str(rng.choice(list(KINDS)))
    write(path, KINDS[kind](rng))
    return kind


def write(path: Path, found: Draft) -> None:
    """Write a file whose digests are right."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; {TABLES}")
        digest = instance_digest(found.instance)
        _insert(connection, "instance", found.instance | {"digest": digest})
        for row in found.problems:
            _insert(connection, "problems", row | {"digest": row_digest(digest, row)})
        last = digest
        for position, row in enumerate(found.evidence):
            last = row_digest(last, row)
            _insert(connection, "evidence", row | {"position": position, "digest": last})
        for row in found.events:
            _insert(connection, "events", row)
        _insert(connection, "claim", found.claim | {"digest": row_digest(digest, found.claim)})
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> None:
    places = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))


def instance_digest(row: Row) -> str:
    """Return the digest of an instance (docs/certificate.md, 1), as far as its arrays can be made out."""
    from tests.blobs import decode_array

    with contextlib.suppress(Exception):
        arrays = {name: decode_array(row[name]) for name in ("points", "weights", "must_link", "cannot_link")}
        digest = hashlib.sha256(b"pcsos instance 1")
        digest.update(struct.pack("<QQQ", *arrays["points"].shape, row["n_clusters"]))
        for name, array in arrays.items():
            kind = "<f8" if name in ("points", "weights") else "<i8"
            digest.update(struct.pack("<Q", array.size) + np.ascontiguousarray(array, kind).tobytes())
        if row["conditions"] != "{}":
            digest.update(json.dumps(json.loads(row["conditions"]), sort_keys=True).encode())
        if row["gram"] is not None:
            digest.update(b"gram" + np.ascontiguousarray(decode_array(row["gram"]), "<f8").tobytes())
        return digest.hexdigest()
    return ""


# What the commands make of them


COMMANDS: dict[str, Callable[[Path], list[str]]] = {
    "verify": lambda path: ["verify", str(path)],
    "info": lambda path: ["info", str(path)],
    "report": lambda path: ["report", str(path), "--no-verify", "-o", str(path.with_suffix(".html"))],
    "resume": lambda path: ["resume", str(path), "--time-limit", "0", "--quiet", "--workers", "1"],
}
STATUSES = (0, 2, 3, 4, 5)


class Cost(NamedTuple):
    """What a command took: its status, seconds of CPU, megabytes at its peak, and what it said."""

    status: int
    seconds: float
    megabytes: float
    said: str


class Allowed(NamedTuple):
    """What a file allows a command to take."""

    megabytes: float
    seconds: float

    @classmethod
    def of(cls, path: Path) -> Self:
        """Return it for a file."""
        size = path.stat().st_size / 1e6
        with contextlib.closing(sqlite3.connect(path)) as connection:
            (points,) = connection.execute("SELECT points FROM instance").fetchone()
        (n,) = struct.unpack_from("<I", points, struct.calcsize("<cBBI"))
        matrix = OF_AN_ENTRY * min(n, LARGEST) ** 2 / 1e6
        return cls(max(MEMORY_MB, matrix) + SHARE * size, SECONDS + SECONDS_A_MB * size)


def cost(arguments: list[str], most_seconds: float = 400.0) -> Cost:
    """Run a command in a process of its own, and return what it took; it is killed where it takes far too much."""
    code = (
        "import re, resource, sys; resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30));"
        f"resource.setrlimit(resource.RLIMIT_CPU, ({int(most_seconds)}, {int(most_seconds) + 5}));"
        "from pcsos.cli import main; status = main(sys.argv[1:]); used = resource.getrusage(resource.RUSAGE_SELF);"
        "peak = re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1];"
        "print(status, used.ru_utime + used.ru_stime, int(peak) / 1024, file=sys.stderr)"
    )
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment, check=False,
        timeout=10 * most_seconds,
    )  # fmt: skip
    *said, last = done.stderr.splitlines() or [""]
    with contextlib.suppress(ValueError):
        status, seconds, megabytes = last.split()
        return Cost(int(status), float(seconds), float(megabytes), " ".join(said))
    return Cost(done.returncode, time.monotonic() - begun, math.inf, done.stderr)


def harm(command: str, found: Cost, allowed: Allowed) -> str:
    """Return what is wrong with what a command took for a file; nothing if all is well."""
    megabytes = allowed.megabytes + (0.0 if command == "verify" else MORE_MB)
    if found.status not in STATUSES or "unexpected error" in found.said:
        return f"status {found.status}: {found.said[-200:]}"
    if found.megabytes > megabytes:
        return f"{found.megabytes:.0f} MB instead of {megabytes:.0f}"
    if found.seconds > allowed.seconds:
        return f"{found.seconds:.0f} s instead of {allowed.seconds:.0f}"
    return ""
