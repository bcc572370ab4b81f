"""The process of one measurement, on whichever pcsos the environment has: of that it uses public names alone.

What to do comes as JSON on standard input; the last line of standard output says what came of it. This file is run by
itself, and imports nothing of its own package, beside which another pcsos lies than the one that is measured.
"""

import importlib.util
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Found = dict[str, Any]
#: Does the work whose time counts; what has to be there before is there.
Work = Callable[[], list[Found]]
#: What is compared of a result; its gap follows from objective and bound.
RESULTS = ("status", "objective", "lower_bound", "nodes")


def solve(folder: Path, instances: list[Found], **options: Any) -> Work:
    """Solve instances with a proof."""
    import pcsos

    problems = [read(instance) for instance in instances]
    return lambda: [results(pcsos.solve(**problem, **options)) for problem in problems]


def certify(folder: Path, instances: list[Found], **options: Any) -> Work:
    """Certify the partitions that a heuristic finds."""
    import pcsos
    from pcsos.heuristics import run

    problems = [read(instance) for instance in instances]
    labels = [run(pcsos.Instance(**problem), "sampled", seed=0).partition.labels for problem in problems]
    pairs = list(zip(problems, labels, strict=True))
    return lambda: [results(pcsos.certify(problem["points"], found, **options)) for problem, found in pairs]


def heuristic(folder: Path, instances: list[Found], **options: Any) -> Work:
    """Find partitions without a proof."""
    import pcsos
    from pcsos.heuristics import run

    problems = [pcsos.Instance(**read(instance)) for instance in instances]
    return lambda: [results(run(problem, seed=0, **options).record) for problem in problems]


def verify(folder: Path, instances: list[Found], times: int, **options: Any) -> Work:
    """Verify run files so many times each: every side its own, which the first call makes."""
    import pcsos
    from pcsos.verify import verify as check

    files = [folder / f"{number}.run" for number in range(len(instances))]
    for file, instance in zip(files, instances, strict=True):
        if not file.exists():
            pcsos.solve(**read(instance), run_file=file, **options)
    return lambda: [results(check(file)) for _ in range(times) for file in files]


def start(folder: Path, arguments: list[str], times: int) -> Work:
    """Start the command line so many times."""
    command = [sys.executable, "-m", "pcsos", *arguments]
    return lambda: [
        {"status": subprocess.run(command, check=True, capture_output=True).returncode} for _ in range(times)
    ]


KINDS: dict[str, Callable[..., Work]] = {each.__name__: each for each in (solve, certify, heuristic, verify, start)}


def read(instance: Found) -> Found:
    """Return the arguments of an instance whose points are in a file, or are drawn from Gaussians of variance 1."""
    given = dict(instance)
    if "drawn" in given:
        n, d, separation, seed = given.pop("drawn")
        rng = np.random.default_rng(seed)
        centres = rng.normal(0.0, separation / np.sqrt(2.0 * d), (given["n_clusters"], d))
        given["points"] = centres[rng.integers(given["n_clusters"], size=n)] + rng.normal(size=(n, d))
        return given
    from pcsos.io import read_constraints, read_points

    given["points"] = read_points(given["points"])
    if "constraints" in given:
        pairs = read_constraints(given.pop("constraints"), given["points"])
        given |= {"must_link": pairs.must_link, "cannot_link": pairs.cannot_link}
    return given


def results(result: Any) -> Found:
    """Return what is compared of a result, as far as it has that."""
    found = {name: getattr(result, name, None) for name in RESULTS}
    return {name: value for name, value in found.items() if value is not None}


def cpu_seconds() -> float:
    """Return the seconds that this process and its children have computed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_mb() -> float:
    """Return the peak of the memory of this process, or of the one of its children that took most."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage begins with the memory of the process that has started this one
        own = int(re.findall(r"VmHWM:\s*(\d+) kB", status.read_text())[0])
    else:
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024.0


def main() -> None:
    """Measure what standard input describes."""
    given = json.loads(sys.stdin.read())
    work = KINDS[given["kind"]](Path(given["folder"]), **given["arguments"])
    wall, cpu = time.perf_counter(), cpu_seconds()
    found = work()
    used = {"seconds": time.perf_counter() - wall, "cpu_seconds": cpu_seconds() - cpu, "peak_mb": peak_mb()}
    measured = importlib.util.find_spec("pcsos")
    print(json.dumps(used | {"found": found, "package": measured and measured.origin}, default=str))


if __name__ == "__main__":
    main()
