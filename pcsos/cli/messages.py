"""Messages: sentences to the user, on standard error, beside the results; and what exit statuses say."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from enum import IntEnum

from pcsos.verify.reading.text import printable, write


class ExitStatus(IntEnum):
    """The exit statuses; they are part of the interface and never change."""

    OPTIMAL = 0  #: proved optimal within the gap; for info and verify: all is well
    FAILURE = 1  #: anything unexpected, a process that was killed, or a result that could not be written
    BAD_INPUT = 2
    INFEASIBLE = 3
    STOPPED = 4  #: ended without a proof of optimality, with the best partition found
    NOT_VERIFIED = 5
    INTERRUPTED = 130  #: Ctrl-C before there was anything to return


#: Seconds of silence after which something is said about what takes so long; the next ones are twice as long each.
SILENCE = 2.0


def say(sentence: str) -> None:
    """Write a sentence to standard error, as long as there is somebody to read it."""
    show(f"pcsos: {sentence}\n")


def show(text: str) -> None:
    """Write text, whoever it is from, to standard error: nothing in it can steer a terminal."""
    write(printable(text))


@contextlib.contextmanager
def telling(what: Callable[[], str]) -> Iterator[None]:
    """Say now and then what is being done, and how far it is, if it takes long."""
    done, begun = threading.Event(), time.monotonic()

    def tell() -> None:
        silence = SILENCE
        while not done.wait(silence):
            say(f"{what()}, for {time.monotonic() - begun:.0f} s so far")
            silence *= 2.0

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
