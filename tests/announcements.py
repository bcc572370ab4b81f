"""Run files that announce more than they hold: few bytes, many points, pairs, cuts, decisions, problems or parts.

Each is drawn from a seed.
"""

import contextlib
import json
import math
import os
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.verify.reading.multipliers import LARGEST
from tests.drafts import (
    Draft,
    Rng,
    constant,
    decisions,
    draft,
    evidence,
    infeasible,
    line,
    multipliers,
    prices,
    size,
    some_points,
    write,
    zeros,
)

#: Megabytes that a command may take, and bytes for each byte of the file and each entry of a matrix of its points, as
#: far as any file may have one; what others but ``verify`` may take besides.
MEMORY_MB, SHARE, OF_AN_ENTRY, MORE_MB = 200.0, 40.0, 72.0, 120.0
#: Seconds for any file, and for each of its megabytes.
SECONDS, SECONDS_A_MB = 200.0, 90.0


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


def announce(path: Path, seed: int) -> str:
    rng = np.random.default_rng(seed)
    kind = str(rng.choice(list(KINDS)))
    write(path, KINDS[kind](rng))
    return kind


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
