"""Run files that announce more than they hold: every command answers in little memory and time."""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from tests.announcements import COMMANDS, Allowed, announce, cost, harm

COLUMNS = ("first_seed", "num_files", "num_runs", "statuses", "largest_share", "most_mb", "most_seconds", "harms")
FILES_A_CASE = 20
NUM_CASES = 100
#: Away from the seeds that the test run draws.
FIRST_SEED = 60_000_000_000
#: All commands look at every fourth file, the checker at every one.
ALL_COMMANDS_EVERY = 4


def cases(settings: Settings) -> list[Case]:
    """Return the ranges of seeds."""
    starts = range(FIRST_SEED, FIRST_SEED + FILES_A_CASE * NUM_CASES, FILES_A_CASE)
    return [Case(f"seeds-{at}", {"first_seed": at, "num_files": FILES_A_CASE}, {"start": at}) for at in starts]


def run(start: int, **_: Any) -> Row:
    """Run the commands on the files of one range of seeds, each in a process of its own."""
    statuses: Counter[str] = Counter()
    harms, shares, costs = [], [0.0], []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(start, start + FILES_A_CASE):
            path = Path(folder) / f"{seed}.run"
            kind = announce(path, seed)
            allowed = Allowed.of(path)
            for name in COMMANDS if seed % ALL_COMMANDS_EVERY == 0 else ("verify",):
                found = cost(COMMANDS[name](path))
                costs.append(found)
                statuses[f"{name} {found.status}"] += 1
                if name == "verify":
                    shares.append(found.megabytes / allowed.megabytes)
                problem = harm(name, found, allowed)
                if problem:
                    harms.append(f"seed {seed} ({kind}), {name}: {problem}")
            path.unlink()
    return {
        "num_runs": len(costs),
        "statuses": json.dumps(statuses),
        "largest_share": round(max(shares), 3),
        "most_mb": round(max(found.megabytes for found in costs), 1),
        "most_seconds": round(max(found.seconds for found in costs), 2),
        "harms": "; ".join(harms),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return how many runs did harm, the most that was taken, and how the commands ended."""
    done = [row for row in rows if row["outcome"] == "done"]
    statuses: Counter[str] = Counter()
    for row in done:
        statuses.update(json.loads(row["statuses"]))
    harms = [row["harms"] or row["error"] for row in rows if row["outcome"] != "done" or row["harms"]]
    files, runs = (int(sum(row[name] for row in done)) for name in ("num_files", "num_runs"))
    share, most_mb, seconds = (
        max((row[name] for row in done), default=0.0) for name in ("largest_share", "most_mb", "most_seconds")
    )
    return "\n\n".join(
        [
            f"{files} files, {runs} runs, {len(harms)} rows with harm; of what a file allows verify takes "
            f"{100 * share:.0f} % at most, any command {most_mb:.0f} MB and {seconds:.1f} s of CPU",
            table(("ending", "number"), statuses.most_common()),
            *harms,
        ]
    )
