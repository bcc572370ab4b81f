"""``python -m benchmarks.checking FILE --workers W``: check a run file in a process of its own, and what that takes."""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.case import Row
from benchmarks.machine import peak_mb

#: What the column ``verified`` says where the checker does not accept.
UNACCEPTED = (REFUSED, NOT_IN_TIME, CRASHED) = ("REFUSED", "NOT_IN_TIME", "CRASHED")
COLUMNS = ("verified", "verified_gap", "verify_seconds", "verify_mb")


def checked(run_file: Path, workers: int, time_limit: float) -> Row:
    """Return what the checker says of a file, and its seconds and memory.

    The column ``verified`` is the status that the checker proves, or one of :data:`UNACCEPTED`.
    """
    command = [sys.executable, "-m", "benchmarks.checking", str(run_file), "--workers", str(workers)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=time_limit)
    except subprocess.TimeoutExpired:
        return {"verified": NOT_IN_TIME}
    except subprocess.CalledProcessError:
        return {"verified": CRASHED}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Check the file that the command line names."""
    from pcsos.base.exceptions import PcsosError
    from pcsos.verify import verify

    command = argparse.ArgumentParser(prog="python -m benchmarks.checking", description=__doc__)
    command.add_argument("run_file", type=Path)
    command.add_argument("--workers", type=int, required=True)
    options = command.parse_args()
    begun = time.perf_counter()
    try:
        verdict = verify(options.run_file, workers=options.workers)
        said = (verdict.status, verdict.gap)
    except PcsosError:
        said = (REFUSED, None)
    row = (*said, time.perf_counter() - begun, peak_mb())
    print(json.dumps(dict(zip(COLUMNS, row, strict=True))))


if __name__ == "__main__":
    main()
