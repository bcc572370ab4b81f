"""Processes: the parts of a cover of the whole are checked in several of them."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from pathlib import Path

from flint import arb, ctx, fmpq
from threadpoolctl import threadpool_limits

from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import begin
from pcsos.verify.evidence import Proof, Run, concluded
from pcsos.verify.exact import fraction_of
from pcsos.verify.file import File
from pcsos.verify.parts import Part, read_part
from pcsos.verify.reader import require
from pcsos.verify.state import State


def check_beside(
    path: str | Path, num_workers: int, whole: Proof, parts: Iterator[Part]
) -> Iterator[tuple[arb, int, int]]:
    """Yield what is proved of each part of the whole, and how many problems were come to and were open."""
    known = [(part.number, part.image) for part in parts]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    num_processes = max(1, min(cores if num_workers == -1 else num_workers, len(known), cores))
    own = (path, os.getpid(), whole.data.points, whole.data.weights, whole.state, whole.k)
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")  # no server for a parent
    pool = ProcessPoolExecutor(num_processes, context, _open, own)
    try:
        futures = [pool.submit(_check, part) for part in known]
        for (number, _), future in zip(known, futures, strict=True):
            proved, num_problems, num_open = future.result()
            whole.run.notify(f"part {number}: checked")
            yield arb.pos_inf() if proved is None else arb(fmpq(*proved)), num_problems, num_open
    except BrokenExecutor:
        time.sleep(1)  # the Ctrl-C that has ended one of them is about to come here, too
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_wholes: list[Proof] = []  # the one whose parts this process checks


def _open(path: str | Path, parent: int, points: Doubles, weights: Doubles, state: State, k: int) -> None:
    """Open the file once in a process that checks parts, and goes when its parent is gone."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a word; its parent has one
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    begin(path)
    run = Run(File.open(path), lambda sentence: None)
    _wholes[:] = [Proof(run, Data(points, weights), state, Conditions(weights, k))]


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _check(known: tuple[int, bytes]) -> tuple[tuple[int, int] | None, int, int]:
    """Return what is proved of a part as a fraction, None if no partition is left, and its numbers of problems.

    This process has opened the file anew: the part must be the one whose weights were added up.
    """
    (whole,), (number, image) = _wholes, known
    run = whole.run = Run(whole.file, whole.run.notify)
    with ctx.workprec(128), threadpool_limits(1):
        part = read_part(whole.file, number, 0, whole.n)
        require(part.image == image, "the file was exchanged while it was checked")
        proved = concluded(whole.part(part))
    return None if not proved.is_finite() else fraction_of(proved), run.num_problems, run.num_open
