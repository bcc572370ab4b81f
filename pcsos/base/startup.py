"""Ctrl-C while the program is still being loaded; importing this module is what makes the difference.

It is the first thing that the package imports, and imports hardly anything itself: what comes before it is Python's own
start, whose tracebacks nothing else can keep from being printed.
"""

import _signal as signal  # type: ignore[import-not-found]  # without the enumerations, which take ten times as long
import os
import sys

PROGRAMS = ("pcsos", "pcsos-verify")
INTERRUPTED = 130
SENTENCE = "pcsos: interrupted before there was a result\n"


def heed_interrupts() -> None:
    """While a program (not a script that imports the package) is loaded, let Ctrl-C end it without a traceback."""
    name = next(iter(getattr(sys, "argv", [])), "")  # "-m" while `python -m` looks for the module
    is_program = name == "-m" or os.path.basename(name).partition(".")[0] in PROGRAMS
    if is_program and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def done() -> None:
    """Let Ctrl-C be an exception again, as soon as there is somebody to catch it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(number: int, frame: object) -> None:
    os.write(2, SENTENCE.encode())
    os._exit(INTERRUPTED)


heed_interrupts()
