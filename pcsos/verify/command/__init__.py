"""The command ``pcsos-verify``: the checker alone, for whoever wants to load nothing of the solver.

It prints what ``pcsos verify`` prints. What that reads with the readers of the solver (names, kernels, limits, soft
pairs) is not offered here; the digest tells whether two people speak of the same instance.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from pcsos.verify.checker import verify
from pcsos.verify.command.numbers import read_numbers, read_pairs, read_weights
from pcsos.verify.command.words import NOTHING_GIVEN, Checks, read_by, summary
from pcsos.verify.errors import InputError, RunFileError, is_interrupt
from pcsos.verify.reader import VerificationError
from pcsos.verify.reading.text import is_watched, printable, write

#: What it says to the shell, as ``pcsos verify`` does.
VERIFIED, FAILURE, BAD_INPUT, NOT_VERIFIED, INTERRUPTED = 0, 1, 2, 5, 130

#: What may be the matter where points, pairs or limits are others.
ELSEWHERE = (
    "; names, kernels, standardized features, limits and soft pairs are compared by `pcsos verify`, or by the digest"
)


def program() -> NoReturn:
    """Run the program and end its process."""
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Check run files and return what to say to the shell: of several files, what is said of the worst."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # while modules were loaded, it had another
    try:
        arguments = _parser().parse_args(argv)
        given = _given(arguments)
        return max([_check(path, given, arguments) for path in arguments.run_files])
    except InputError as error:
        return _complain(str(error), BAD_INPUT)
    except MemoryError:
        return _complain("the memory is not enough", FAILURE)
    except (KeyboardInterrupt, Exception) as error:  # whatever it is, it is one sentence
        if isinstance(error, KeyboardInterrupt) or is_interrupt(error):
            return _complain("interrupted before there was a result", INTERRUPTED)
        return _complain(f"unexpected error: {type(error).__name__}: {' '.join(str(error).split())}", FAILURE)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise the message as an :class:`InputError`."""
        raise InputError(f"{message} (see `{self.prog} --help`)")


def _parser() -> _Parser:
    parser = _Parser(
        "pcsos-verify",
        description="Check the claims of finished runs, and load nothing of the solver.",
        allow_abbrev=False,
    )
    parser.add_argument("run_files", metavar="RUN_FILE", nargs="+", help="journal of a finished run")
    parser.add_argument(
        "--points", metavar="FILE", help="check that the runs were about these points: numbers as text, or .npy"
    )
    parser.add_argument("--gram", metavar="FILE", help="or about this matrix of inner products")
    parser.add_argument("--weights", metavar="FILE", help="and these weights, one a line (1)")
    parser.add_argument("--constraints", metavar="FILE", help="and these pairs, lines ML i j or CL i j, from 0 (none)")
    parser.add_argument("-k", type=int, metavar="K", dest="n_clusters", help="check that the runs had k clusters")
    parser.add_argument(
        "--gap", type=float, metavar="G", help="require this relative gap, whatever the runs were asked for"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="processes that check blocks (1)")
    parser.add_argument("--quiet", action="store_true", help="print only errors; see the exit status")
    return parser


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the runs should be about; pairs that are not given with the points are none."""
    found: dict[str, Any] = {"n_clusters": arguments.n_clusters, "gap": arguments.gap, "workers": arguments.workers}
    for name in ("points", "gram"):
        if getattr(arguments, name) is not None:
            found |= {"constraints": ([], [])}
            found[name], off = read_numbers(getattr(arguments, name))
            found["off"] = off if name == "points" else 0.0
    for name, read in (("weights", read_weights), ("constraints", read_pairs)):
        if getattr(arguments, name) is not None:
            if "constraints" not in found:
                raise InputError(f"--{name} says nothing without --points; give the points too")
            found[name] = read(getattr(arguments, name))
    return found


def _check(path: str, given: dict[str, Any], arguments: argparse.Namespace) -> int:
    """Check a run file, print what is found, and return what to say to the shell."""
    checks = Checks(None if arguments.quiet or not is_watched() else write)
    try:
        verdict = verify(path, **given, on_step=checks)
    except RunFileError as error:
        return _complain(str(error), BAD_INPUT)
    except VerificationError as error:
        is_other = str(error).startswith("the run is about other")
        return _complain(f"{path} is not verified: {error}{ELSEWHERE if is_other else ''}", NOT_VERIFIED)
    finally:
        checks.clear()
    names = [name for name in ("points", "gram", "weights", "constraints") if getattr(arguments, name) is not None]
    by = f"{', '.join(names)} by pcsos/verify/command, which shares nothing with the solver" if names else NOTHING_GIVEN
    title = f"{path}\n" if len(arguments.run_files) > 1 else ""
    return VERIFIED if arguments.quiet else _print(title + read_by(by) + checks.text + summary(verdict))


def _print(text: str) -> int:
    try:
        sys.stdout.write(printable(text))
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError) as error:
        with suppress(OSError, ValueError, AttributeError):  # or the end of Python would complain once more
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"standard output cannot be written ({error})", FAILURE)
    return VERIFIED


def _complain(sentence: str, status: int) -> int:
    write(printable(f"pcsos-verify: {sentence}\n"))
    return status
