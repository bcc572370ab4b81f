"""Text as it can be shown: of strangers, of numbers of things, and on standard error."""

import contextlib
import json
import sys
import unicodedata

#: Categories of characters that steer a terminal or are none, and characters that turn text around.
HIDDEN = ("Cc", "Cs", "Zl", "Zp")
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
PLAIN = frozenset("\n\t")


def printable(text: str) -> str:
    r"""Return text in which characters that steer a terminal are written out, as \x1b for an escape; lines remain.

    Examples
    --------
    >>> print(printable("\x1b[2Jred\u202e"))
    \x1b[2Jred\u202e
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(ascii(character)[1:-1] if _is_hidden(character) else character for character in text)


def in_json(text: str) -> str:
    """Return JSON text in which the same characters are escaped as JSON does it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(json.dumps(character)[1:-1] if _is_hidden(character) else character for character in text)


def number_of(number: int, noun: str) -> str:
    """Return a number of things in words, in the singular or the plural: ``1 point``, ``2 points``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def write(text: str) -> None:
    """Write text of our own to standard error, as long as there is somebody to read it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()


def is_watched() -> bool:
    """Tell whether standard error is a terminal."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return sys.stderr.isatty()
    return False


def _is_hidden(character: str) -> bool:
    if character in PLAIN:
        return False
    return character in TURNING or unicodedata.category(character) in HIDDEN
