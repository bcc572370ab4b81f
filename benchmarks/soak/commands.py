"""The commands of the program: what each is called with, and with which exit status each may end."""

import signal

import numpy as np

from benchmarks.soak.draw import Drawn
from benchmarks.soak.trouble import CLOSED, FILLING, FULL, LIMITS, NODE_LIMIT, OUTPUTS, SIGNALS, TIME_LIMIT, Trouble

#: Exit statuses where a partition exists, and where none does (docs/cli.md).
STATUSES: dict[str, tuple[set[int], set[int]]] = {
    "solve": ({0}, {3}),
    "resume": ({0}, {3}),
    "certify": ({0, 4}, {3}),
    "heuristic": ({0, 4}, {3, 4}),
    "path": ({0}, {0, 3}),
    "front": ({0}, {3}),
    "soft": ({0}, {0}),
    "graph": ({0}, {0, 3}),
    "ask": ({0, 4}, {0, 2, 3, 4}),
    "info": ({0}, {3}),
    "compare": ({0}, {0}),
    "verify": ({0}, {0}),
    "pcsos-verify": ({0}, {0}),
    "report": ({0}, {0}),
    "demo": ({0}, {0}),
    "warmup": ({0}, {0}),
}
#: Commands that go by themselves, without a run file, and what they know of.
ALONE = {
    "heuristic": ("plain", "pairs", "weights", "sizes", "soft", "gram", "infeasible"),
    "path": ("plain", "pairs", "weights", "soft", "infeasible"),
    "front": ("plain", "pairs", "weights", "infeasible"),
    "soft": ("plain", "pairs", "infeasible"),
    "graph": ("plain", "pairs", "infeasible"),
    "ask": ("plain", "pairs"),
    "info": ("plain", "pairs", "weights", "sizes", "soft", "gram", "infeasible"),
    "compare": ("plain", "pairs", "soft", "infeasible"),
    "demo": ("plain", "pairs"),
    "warmup": ("plain",),
}
#: What may happen to any command; what has a time limit of its own, and what one of nodes.
ANYTIME = (*SIGNALS, "memory", *OUTPUTS)
WITH_TIME = ("solve", "resume", "certify", "heuristic", "path", "front")
WITH_NODES = ("solve", "resume")
#: What ends with what it has, after a signal; the others end without a result.
WITH_PART = (*WITH_TIME, "ask", "demo")
#: What writes no files, and what writes nothing to standard output.
WITHOUT_FILES = ("verify", "pcsos-verify", "demo", "warmup")
WITHOUT_STDOUT = ("ask", "report")
#: Heuristics that know of every condition, those that know of pairs, and those that know of neither.
FOR_ALL = ("s-mdeclust",)
FOR_PAIRS = (*FOR_ALL, "ipc-kmeans", "cop-kmeans", "sampled")
FOR_PLAIN = (*FOR_PAIRS, "hybrid-de")


def troubles_of(name: str) -> tuple[str, ...]:
    """Return the troubles that may happen to a command."""
    limits = {TIME_LIMIT: WITH_TIME, NODE_LIMIT: WITH_NODES}
    never = {(*FILLING, FULL): WITHOUT_FILES, (CLOSED,): WITHOUT_STDOUT}
    left_out = {trouble for troubles, commands in never.items() if name in commands for trouble in troubles}
    names = (*ANYTIME, *(limit for limit, commands in limits.items() if name in commands))
    return tuple(trouble for trouble in names if trouble not in left_out)


def fitting(name: str, is_feasible: bool, trouble: Trouble, *, is_limited: bool) -> set[int]:
    """Return the exit statuses that fit a command under trouble."""
    statuses = set(STATUSES[name][0 if is_feasible else 1])
    if is_limited:
        statuses.add(4)
    if trouble.name in SIGNALS:
        sent = SIGNALS[trouble.name][0]
        statuses |= {-sent}
        statuses |= {4} if name in WITH_PART and not trouble.kills else set()
        statuses |= {130} if sent == signal.SIGINT else set()
    elif trouble.name in LIMITS:
        statuses.add(4)
    elif trouble.name == "memory":
        statuses |= {1, 4}
        if trouble.is_tight:
            statuses |= {-signal.SIGABRT, -signal.SIGSEGV}
    elif trouble.name in FILLING:
        statuses |= {1, 2, 4}
    elif trouble.name in OUTPUTS:
        statuses.add(1)
    return statuses


def alone(name: str, about: Drawn, rng: np.random.Generator) -> tuple[list[str], str]:
    """Return the arguments of a command that goes by itself, and its standard input."""
    given, without_k = about.arguments(), about.arguments(with_k=False)
    known = ["--constraints", "pairs.txt"] if "--constraints" in given else []
    files = ["--constraints-out", "out/known.txt", "--log", "out/answers.csv", "--budget", "8"]
    grown = _one_of(rng, "mcssgc", "mcssdbs")
    to = str(min(about.n_clusters + 1, about.n))
    arguments = {
        "heuristic": [*given, "--method", _method(about, rng), *_results("heuristic"), *_limit(about, 6)],
        "path": [*without_k, "--from", "2", "--to", to, *_rows("path"), *_limit(about, 8)],
        "front": [*given, "--criterion", _one_of(rng, "diameter", "split"), *_rows("front"), *_limit(about, 8)],
        "soft": [*given, "--method", _one_of(rng, "pckm", "mpckm"), *_results("soft")],
        "graph": [*without_k, "--known", "known.txt", "--method", grown, *_results("graph")],
        "ask": [*given, "--strategy", _one_of(rng, "random", "kmmffqs"), *files],
        "info": [*given, *_rows("info")],
        "compare": ["points.csv", "classes.txt", *about.writing.options, *known, "--json", "out/compare.json"],
        "demo": ["--seed", str(rng.integers(5))],
        "warmup": [],
    }
    replies = rng.choice(["y", "n", "n", "u", "b"], 12).tolist()
    return arguments[name], "\n".join([*replies, "q\n"]) if name == "ask" else ""


def _method(about: Drawn, rng: np.random.Generator) -> str:
    """Draw a heuristic that knows of what the instance has."""
    able = {"plain": FOR_PLAIN, "pairs": FOR_PAIRS}
    return _one_of(rng, *able.get(about.kind, FOR_ALL))


def _one_of(rng: np.random.Generator, *names: str) -> str:
    return str(rng.choice(names))


def _rows(stem: str) -> list[str]:
    return ["--json", f"out/{stem}.json", "--quiet"]


def _results(stem: str) -> list[str]:
    return ["--json", f"out/{stem}.json", "--labels", f"out/{stem}.csv", "--quiet"]


def _limit(about: Drawn, seconds: int) -> list[str]:
    """Give larger instances a time limit."""
    return [] if about.size == "small" else ["--time-limit", str(seconds)]
