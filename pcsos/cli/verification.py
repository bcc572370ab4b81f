"""The command ``verify``: check the claim of a run from its file alone."""

import argparse
import contextlib
import math
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.inspection import plain
from pcsos.cli.messages import is_watched, say, write
from pcsos.cli.rescue import write_or_rescue
from pcsos.exceptions import InputError
from pcsos.io import read_constraints, read_points
from pcsos.io.outputs import STDOUT
from pcsos.run_file import APPLICATION_ID

#: Seconds before progress is shown, and between two times it is.
SHOW_AFTER = 2.0
SHOW_EVERY = 0.5


def verify(arguments: argparse.Namespace) -> int:
    """Check the claim of a finished run, and with files given that it is a claim about them."""
    _refuse_no_run_file(arguments.run_file)
    if arguments.points is None and (arguments.constraints is not None or arguments.ignore):
        raise InputError("--constraints and --ignore say nothing without --points; give the points too")
    points = constraints = None
    if arguments.points is not None:
        points = read_points(arguments.points, ignore=arguments.ignore)
        constraints = ((), ()) if arguments.constraints is None else _pairs(arguments.constraints, points)
    from pcsos.verify import VerificationError
    from pcsos.verify import verify as verify_run

    checks = Checks(is_shown=is_watched() and not arguments.quiet)
    try:
        verdict = verify_run(arguments.run_file, points, constraints, on_step=checks)
    except VerificationError as error:
        checks.clear()
        if "database is locked" in str(error):
            raise InputError(f"{arguments.run_file} is in use by another process; wait until it ends") from error
        is_unforeseen = error.__cause__ is not None and not isinstance(error.__cause__, VerificationError)
        say(f"{arguments.run_file} is not verified: {_in_words(error.__cause__) if is_unforeseen else error}")
        return ExitStatus.NOT_VERIFIED
    finally:
        checks.clear()
    text = (
        f"{'status':21}{verdict.status}\n"
        f"{'objective':21}{plain(verdict.objective)}\n"
        f"{'verified lower bound':21}{plain(verdict.lower_bound)}\n"
        f"{'verified gap':21}{'-' if verdict.gap is None else f'{100.0 * verdict.gap:.6f} %'}\n"
        f"{'nodes':21}{verdict.num_nodes} ({verdict.num_open} left open)\n"
    )
    if arguments.quiet or write_or_rescue(STDOUT, checks.text + text):
        return ExitStatus.OPTIMAL
    return ExitStatus.FAILURE


class Checks:
    """What was checked: a text for the end, and a count that is shown while it takes long.

    Parameters
    ----------
    is_shown : bool
        Whether to show the count on standard error.
    clock : callable
        Seconds since some moment.
    """

    def __init__(self, is_shown: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.text = ""
        self._is_shown = is_shown
        self._clock = clock
        self._num_nodes = 0
        self._begun = clock()
        self._shown_at = -math.inf

    def __call__(self, sentence: str) -> None:
        """Take note of a check; those of single nodes are only counted."""
        if sentence.startswith("node "):
            self._num_nodes += 1
        else:
            self.text += f"checked: {sentence}\n"
        now = self._clock()
        if self._is_shown and now - self._begun >= SHOW_AFTER and now - self._shown_at >= SHOW_EVERY:
            self._shown_at = now
            write(f"\rpcsos: {self._num_nodes} closed nodes checked, {now - self._begun:.0f} s")

    def clear(self) -> None:
        """Make room where the count stood."""
        if self._shown_at > -math.inf:
            write("\r\x1b[K")
            self._shown_at = -math.inf


def _refuse_no_run_file(path: str) -> None:
    """Refuse what is no run file at all as ``resume`` does; one that is damaged is a matter for the checker."""
    if not Path(path).is_file():
        raise InputError(f"there is no run file {path}; check the name")
    try:
        uri = f"{Path(path).absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=0.0)) as connection:
            found = connection.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.OperationalError:
        return  # in use, or not to be read: the checker says so
    except sqlite3.DatabaseError as error:
        raise InputError(f"{path} is not a run file, or it is damaged ({error}); give another file") from error
    if found != APPLICATION_ID:
        raise InputError(f"{path} is a database, but not a run file of pcsos; give another file")


def _in_words(cause: BaseException | None) -> str:
    """Return a sentence for what the checker did not foresee."""
    if isinstance(cause, MemoryError):
        return "the memory is not enough to check it"
    return "the file is damaged" + (f" ({cause})" if isinstance(cause, sqlite3.Error) else "")


def _pairs(path: str, points: NDArray[np.float64]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    constraints = read_constraints(path, points)
    must_link, cannot_link = (
        [(int(i), int(j)) for i, j in pairs] for pairs in (constraints.must_link, constraints.cannot_link)
    )
    return must_link, cannot_link
