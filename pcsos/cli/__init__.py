"""The command line, described in ``docs/cli.md``.

A thin caller of the other rooms: arguments are parsed here, errors become one sentence and an exit status
here, and nothing else is decided here. What a command needs is imported when it runs, so that the program
starts at once.
"""

import atexit
import gc
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from pcsos.base import startup
from pcsos.base.exceptions import InfeasibleError, InputError, PcsosError, RunFileError, is_interrupt
from pcsos.cli.address_space import refuse_tight_address_space
from pcsos.cli.arguments import COMMANDS, parse
from pcsos.cli.messages import ExitStatus, say
from pcsos.io.outputs import OutputError, silence_stdout

DEBUG_VARIABLE = "PCSOS_DEBUG"
#: So many new containers have Python look for garbage.
GARBAGE = 10_000
INTERRUPTED = "interrupted before there was a result"


def program() -> NoReturn:
    """Run the program and end its process.

    Cycles of garbage are looked for less often, as loading makes many objects that stay, and not at the end.

    ``python -m`` ends by the signal itself, whatever is made of it, where an interrupt came through an ``exec`` of a
    string, as imports are full of.
    """
    gc.set_threshold(GARBAGE)
    status = main()
    gc.freeze()
    if status == ExitStatus.INTERRUPTED:
        atexit._run_exitfuncs()
        os._exit(status)
    sys.exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with arguments, those of the process unless given; return an :class:`ExitStatus`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments or os.environ.get(DEBUG_VARIABLE, "") not in {"", "0"}
    try:
        startup.done()
        return _run(arguments)
    except InfeasibleError as error:
        return _complain(f"the instance is infeasible: {error}", ExitStatus.INFEASIBLE, debug)
    except (PcsosError, OutputError) as error:
        is_input = isinstance(error, InputError | RunFileError)
        return _complain(str(error), ExitStatus.BAD_INPUT if is_input else ExitStatus.FAILURE, debug)
    except KeyboardInterrupt:
        return _complain(INTERRUPTED, ExitStatus.INTERRUPTED, debug)
    except MemoryError:
        return _complain("the memory is not enough; use fewer points or workers", ExitStatus.FAILURE, debug)
    except Exception as error:
        return _complain(*_unexpected(error, debug), debug)
    finally:
        _flush()


def _unexpected(error: Exception, debug: bool) -> tuple[str, ExitStatus]:
    """Return what to say of an error that nobody expected, and the exit status."""
    if is_interrupt(error):
        return INTERRUPTED, ExitStatus.INTERRUPTED
    hint = "" if debug else " (--debug shows where)"
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return f"unexpected error{hint}: {words}", ExitStatus.FAILURE


def _run(arguments: list[str]) -> int:
    parsed = parse(arguments)
    refuse_tight_address_space(parsed.command)
    command = importlib.import_module(f"pcsos.cli.{COMMANDS[parsed.command].module}")
    status: int = getattr(command, parsed.command)(parsed)
    return status


def _complain(message: str, status: ExitStatus, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    say(message)
    return status


def _flush() -> None:
    """Write out what is left now, so that a reader that has gone cannot cause an error at exit."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        silence_stdout()
