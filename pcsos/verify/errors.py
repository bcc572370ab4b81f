"""Errors of the checker and of the reader of files, which import nothing else of the package."""


class PcsosError(Exception):
    """Base of every error that pcsos raises on purpose."""


class InputError(PcsosError, ValueError):
    """Points, constraints or options that cannot be used; the message says what, where and how to mend it."""


class RunFileError(PcsosError):
    """A run file that is foreign, damaged, of another version, or in use by another process."""


class FormatError(PcsosError):
    """What a run file holds is not as its format says; whoever opened the file says which one."""


def is_interrupt(error: BaseException) -> bool:
    """Tell whether an error is a Ctrl-C in other words, as Python 3.11 has for one in the midst of defining a class."""
    cause = error.__cause__
    return isinstance(cause, KeyboardInterrupt) or (cause is not None and is_interrupt(cause))


def quoted(text: str) -> str:
    """Return a value of the user as it is shown in a message: quoted, and cut where it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
