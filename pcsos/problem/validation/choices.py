"""Choices: a word that has to be one of a few."""

from collections.abc import Iterable

from pcsos.base.exceptions import InputError


def one_of(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuse the value of an argument that is none of its choices, and name those that are written almost like it.

    Raises
    ------
    InputError
        With one sentence on the argument, its value and the choices.

    Examples
    --------
    >>> from pcsos.problem.validation.choices import one_of
    >>> one_of("order", "indexes", ("index", "random"))
    Traceback (most recent call last):
    pcsos.base.exceptions.InputError: order is 'indexes'; give 'index' or 'random'; perhaps 'index' is meant
    """
    known = list(choices)
    if isinstance(value, str) and value in known:
        return
    words = [repr(choice) for choice in known]
    remedy = " or ".join(words) if len(words) <= 2 else f"one of {', '.join(words)}"
    raise InputError(f"{name} is {value!r}; give {remedy}{_guess(value, known)}")


def _guess(value: object, choices: list[str]) -> str:
    """Return what may have been meant, as the end of a sentence; nothing where no choice is near."""
    from difflib import get_close_matches  # nobody waits for it but who has mistyped

    folded = {choice.lower(): choice for choice in choices}
    near = [folded[match] for match in get_close_matches(str(value).lower(), folded, n=2)]
    return f"; perhaps {' or '.join(map(repr, near))} is meant" if near else ""
