"""Messages: sentences to the user, on standard error, beside the results."""

import contextlib
import sys


def say(sentence: str) -> None:
    """Write a sentence to standard error, as long as there is somebody to read it."""
    write(f"pcsos: {sentence}\n")


def write(text: str) -> None:
    """Write to standard error, as long as there is somebody to read it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


def is_watched() -> bool:
    """Tell whether standard error is a terminal."""
    with contextlib.suppress(OSError, ValueError):
        return sys.stderr is not None and sys.stderr.isatty()
    return False
