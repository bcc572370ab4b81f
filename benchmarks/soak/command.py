"""``python -m benchmarks soak --out FILE.csv [--hours H]``: random instances through the commands, under troubles."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.case import Row
from benchmarks.machine import num_cores
from benchmarks.repository import commit_of_tree
from benchmarks.rows import append_row, read_rows, start_file
from benchmarks.soak.process import ENDING
from benchmarks.soak.scene import Scene, by_itself, journaled

SEEDS_A_ROW = 10
COLUMNS = (
    *("name", "commit", "first_seed", "num_seeds", "num_processes", "num_checks", "num_wrong"),
    *("troubles", "wrong_kinds", "wrong_seeds", "first_wrong", "seconds"),
)


def add_parser(commands: Any) -> None:
    """Add the command to those of ``python -m benchmarks``."""
    result = commands.add_parser("soak", help="random instances through commands, under trouble", description=__doc__)
    result.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows are appended here")
    result.add_argument("--hours", type=float, default=1.0, metavar="H", help="how long, 1 by default")
    result.add_argument("--workers", type=int, metavar="N", help="scenarios at a time, one per core by default")
    result.set_defaults(main=main)


def main(options: argparse.Namespace) -> None:
    """Play scenarios until the time is over, a batch at a time, append a row for each, and report."""
    subprocess.run([sys.executable, "-m", "pcsos", "warmup"], capture_output=True, check=True)  # no limit counts that
    start_file(options.out, list(COLUMNS))
    seed = int(max((row["first_seed"] + row["num_seeds"] for row in read_rows(options.out)), default=0))
    deadline = time.monotonic() + 3600 * options.hours
    judge = partial(judge_seed, options.out.with_suffix(".failures"))
    with ThreadPoolExecutor(options.workers or num_cores()) as pool:
        try:
            while time.monotonic() < deadline:
                begun, seeds = time.monotonic(), range(seed, seed + SEEDS_A_ROW)
                row = row_of(seeds, list(pool.map(judge, seeds)), time.monotonic() - begun)
                append_row(options.out, list(COLUMNS), row)
                print(f"{row['name']}: {row['num_processes']} processes, {row['num_wrong']} wrong", flush=True)
                seed += SEEDS_A_ROW
        except BaseException:
            ENDING.set()  # and wait for the scenarios, which end at once
            raise
    rows = read_rows(options.out)
    failed = [f"seeds {row['wrong_seeds']}: {row['first_wrong']}" for row in rows if row["num_wrong"]]
    print(sentence(rows), *failed, sep="\n")


def judge_seed(failures: Path, seed: int) -> Scene:
    """Play the scenario of a seed; where a check or the soak itself fails, keep its files in a folder of failures."""
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        scene = Scene(Path(name), seed)
        try:
            (journaled if scene.rng.random() < 0.65 else by_itself)(scene)
        except Exception as error:
            scene.wrong.append(("the soak itself", f"{type(error).__name__}: {error}"))
        if scene.wrong and not ENDING.is_set():
            shutil.copytree(name, failures / f"seed-{seed}", dirs_exist_ok=True)
            told = [*(f"{kind}: {said}" for kind, said in scene.wrong), *(ran.sentence for ran in scene.runs)]
            (failures / f"seed-{seed}" / "story.txt").write_text("\n\n".join(told))
        if scene.has_disk:
            subprocess.run(["umount", "-l", str(scene.out)], check=True, capture_output=True)
    return scene


def row_of(seeds: range, scenes: list[Scene], seconds: float) -> Row:
    """Return the row of a batch of scenarios."""
    wrong = [(seed, *one) for seed, scene in zip(seeds, scenes, strict=True) for one in scene.wrong]
    troubles = Counter(ran.trouble.name for scene in scenes for ran in scene.runs)
    values = (
        *(f"seeds-{seeds[0]}", f"commit {commit_of_tree()}", seeds[0], len(seeds), troubles.total()),
        *(sum(scene.checks.total() for scene in scenes), len(wrong), json.dumps(troubles)),
        json.dumps(Counter(kind for _, kind, _ in wrong)),
        " ".join(dict.fromkeys(str(seed) for seed, *_ in wrong)),
        *(f"{wrong[0][1]}: {wrong[0][2]}" if wrong else "", round(seconds, 1)),
    )
    return dict(zip(COLUMNS, values, strict=True))


def sentence(rows: list[Row]) -> str:
    """Return hours, scenarios, processes and checks, and what failed at which commit."""
    names = ("num_seeds", "num_processes", "num_checks", "num_wrong")
    scenarios, processes, checks, wrong = (int(sum(row[name] for row in rows)) for name in names)
    failed = [f"{row['commit']}: {', '.join(json.loads(row['wrong_kinds']))}" for row in rows if row["num_wrong"]]
    hours = f"{sum(row['seconds'] for row in rows) / 3600.0:.1f} hours, last at {rows[-1]['commit']}"
    done = f"{scenarios:,} scenarios, {processes:,} processes, {checks:,} checks"
    return f"{hours}: {done}, {wrong or 'none'} of which failed" + f" ({'; '.join(failed)})" * bool(failed)
