"""The commands to begin with: ``warmup`` compiles the kernels, ``demo`` draws an instance, solves it and shows it."""

import argparse
import os
import sys
from pathlib import Path

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.numerics.kernels import place
from pcsos.base.typing import Floats, Indices
from pcsos.cli.messages import ExitStatus, say
from pcsos.cli.outputs import show, write_or_rescue
from pcsos.cli.results import exit_status
from pcsos.io.constraints import constraints_text
from pcsos.io.labels import labels_text
from pcsos.io.source import reason
from pcsos.presolve.colouring.conflict_regions import grow_regions
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.report.progress import ProgressTable
from pcsos.search.warm_up import warm_up, warm_up_device
from pcsos.solving import solve


def warmup(arguments: argparse.Namespace) -> int:
    """Compile the kernels unless they are compiled already, and say where they are kept."""
    warm_up(say)
    warm_up_device(say)
    is_written = show(f"the kernels are compiled, {place(grow_regions)}\n")
    return ExitStatus.OPTIMAL if is_written else ExitStatus.FAILURE


#: Sizes of the instance: points, clusters, pairs of each kind.
N, K, M = 90, 3, 10

#: Characters of the picture: columns and rows, and those that stand for the clusters.
PICTURE = (72, 18)
MARKS = "o+x"


def demo(arguments: argparse.Namespace) -> int:
    """Draw an instance, solve it, and show the clusters."""
    folder = _made(arguments.folder)
    rng = np.random.default_rng(arguments.seed)
    points, classes = gaussian_mixture(N, 2, K, separation=5.0, seed=rng)
    must_link, cannot_link = constraints_from_labels(classes, n_must_link=M, n_cannot_link=M, seed=rng)
    instance = Instance(points, K, must_link, cannot_link)
    result = solve(instance, options=Options(on_event=ProgressTable(sys.stderr)))
    text = ""
    if result.labels is not None:
        text = f"{_picture(points, result.labels)}\n{N} points in the plane, one mark for each cluster\n\n"
    written = [show(text + f"{result}\n")]
    if folder is not None:
        written += _keep(folder, instance, result.labels)
        command = f"pcsos solve {folder / 'points.csv'} -k {K} --constraints {folder / 'pairs.txt'}"
        written.append(show(f"\nThe files are in {folder}. Now you:\n  {command}\n"))
    return exit_status(result) if all(written) else ExitStatus.FAILURE


def _made(name: str | None) -> Path | None:
    """Return the folder, made where it is not there; an existing file is never overwritten."""
    if name is None:
        return None
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"FOLDER {name} cannot be made ({reason(error)}); give another place") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"FOLDER {name} may not be written to; give another place")
    taken = [own for own in ("points.csv", "pairs.txt", "labels.csv") if (folder / own).exists()]
    if taken:
        raise InputError(f"FOLDER {name} holds {taken[0]} already; give another place")
    return folder


def _keep(folder: Path, instance: Instance, labels: Indices | None) -> list[bool]:
    """Write the instance and the labels, and tell for each file whether that was possible."""
    points = "".join(f"{x!r},{y!r}\n" for x, y in instance.points.tolist())
    files = {
        "points.csv": f"x,y\n{points}",
        "pairs.txt": constraints_text(instance.constraints, instance.names),
        "labels.csv": labels_text(None if labels is None else labels.tolist(), instance.names),
    }
    return [write_or_rescue(str(folder / name), text) for name, text in files.items()]


def _picture(points: Floats, labels: Indices) -> str:
    """Return the points as marks on a grid of characters."""
    columns, rows = PICTURE
    low, high = points.min(axis=0), points.max(axis=0)
    spots = np.rint((points - low) / (high - low) * (columns - 1, rows - 1)).astype(int)
    grid = [[" "] * columns for _ in range(rows)]
    for (x, y), label in zip(spots.tolist(), labels.tolist(), strict=True):
        grid[rows - 1 - y][x] = MARKS[label]
    return "".join("".join(row).rstrip() + "\n" for row in grid)
