"""Signatures: keywords that several functions take, spelled and described once, and shown by each of the functions.

A family of keywords is a TypedDict that :func:`family` reads. A function takes families as
``**keywords: Unpack[...]``, which type checkers understand, and :func:`full_signature` makes it look as if each of them
stood in its own signature and docstring.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast, get_args, get_type_hints

Kind = TypeVar("Kind")
Target = TypeVar("Target", bound=Callable[..., Any])

#: The section of a docstring that describes parameters, and an entry in it: its names, and what is said of them.
PARAMETERS = re.compile(r"(?<=^Parameters\n----------\n).*?(?=\n\n\S|\Z)", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^(?P<names>\S.*?)(?: : .*)?(?:\n(?:[ ].*|(?=\n[ ])))*$", re.MULTILINE)

#: What is said of each keyword of a family: an entry of its docstring, in which several may be described.
_TEXTS: dict[str, str] = {}


@dataclass(frozen=True)
class Default:
    """The default of a keyword, in its annotation; without one it is None."""

    value: Any


@dataclass(frozen=True)
class Option:
    """The option of the command line that a keyword is, in its annotation; without one there is none.

    Parameters
    ----------
    purpose : str
        What the help says.
    read : callable
        Turns the text that was typed into the value; an InputError says what is wrong with it.
    metavar : str or None
        What stands for the value in the help.
    choices : tuple of str or None
        All values, if they are words.
    """

    purpose: str
    read: Callable[[str], object] = str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None


def family(kind: type[Kind]) -> type[Kind]:
    """Take over what the docstring of a TypedDict says of its keywords, each of which is described nowhere else."""
    for names, text in _entries(kind.__doc__ or ""):
        for name in names:
            if _TEXTS.setdefault(name, text) != text:
                raise ValueError(f"{kind.__name__} describes {name}, which another family has described already")
    return kind


def part_of(keywords: Mapping[str, Any], kind: type[Kind]) -> Kind:
    """Return those keywords that a family has."""
    return cast(Kind, {name: value for name, value in keywords.items() if name in kind.__annotations__})


def options_of(kind: type[Any]) -> dict[str, Option]:
    """Return the options of the command line that keywords of a family are, by their names."""
    hints = get_type_hints(kind, include_extras=True)
    found = {name: _noted(hint, Option) for name, hint in hints.items()}
    return {name: option for name, option in found.items() if option is not None}


def full_signature(target: Target) -> Target:
    """Decorate a function, or a class with a constructor, that takes families of keywords.

    Keywords that are not given are passed with their defaults; others than those of the signature are refused as
    Python does. In the docstring, the entry of the keywords (``**keywords``) becomes what the families say of them,
    except for those that the docstring describes itself.
    """
    function: Callable[..., Any] = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]
    signature = inspect.signature(function)
    *others, rest = signature.parameters.values()
    shared = _parameters(get_args(rest.annotation)[0])
    defaults = {parameter.name: parameter.default for parameter in shared}
    positional = [parameter for parameter in others if parameter.kind is not parameter.KEYWORD_ONLY]
    own = [parameter for parameter in others if parameter.kind is parameter.KEYWORD_ONLY]
    known = {parameter.name for parameter in (*others, *shared)}

    @wraps(function)
    def checked(*arguments: Any, **keywords: Any) -> Any:
        if not keywords.keys() <= known:
            raise TypeError(_unexpected(function, keywords, known))
        return function(*arguments, **defaults | keywords)

    vars(checked)["__signature__"] = signature.replace(parameters=[*positional, *shared, *own])
    described = target if isinstance(target, type) else checked
    if target.__doc__ is not None:
        described.__doc__ = _with_entries(inspect.cleandoc(target.__doc__), rest.name, defaults)
    if described is target:
        setattr(target, "__init__", checked)  # noqa: B010 - mypy lets no one replace it otherwise
    return cast(Target, described)


def _parameters(kind: type[Any]) -> list[inspect.Parameter]:
    """Return the keywords of a family as parameters."""
    plain, full = get_type_hints(kind), get_type_hints(kind, include_extras=True)
    defaults = {name: _noted(hint, Default) for name, hint in full.items()}
    return [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default.value if default else None, annotation=plain[name]
        )
        for name, default in defaults.items()
    ]


def _noted(hint: Any, kind: type[Kind]) -> Kind | None:
    """Return what an annotation notes of this kind, None where it notes nothing."""
    return next((note for note in getattr(hint, "__metadata__", ()) if isinstance(note, kind)), None)


def _unexpected(function: Callable[..., Any], keywords: Iterable[str], known: set[str]) -> str:
    """Return what Python says of a keyword that there is not, with the one that may be meant."""
    from difflib import get_close_matches  # nobody waits for it but who has mistyped

    stranger = next(name for name in keywords if name not in known)
    near = get_close_matches(stranger, sorted(known - {"self"}), n=1)
    guess = f". Did you mean {near[0]!r}?" if near else ""
    return f"{function.__qualname__}() got an unexpected keyword argument {stranger!r}{guess}"


def _entries(text: str) -> list[tuple[list[str], str]]:
    """Return the names and the text of each entry among the parameters of a docstring."""
    section = PARAMETERS.search(inspect.cleandoc(text))
    found = ENTRY.finditer(section.group()) if section else ()
    return [(entry["names"].split(", "), entry.group()) for entry in found]


def _with_entries(text: str, rest: str, keywords: Iterable[str]) -> str:
    """Return a docstring with what families say of keywords in place of the entry of all of them."""
    described = {name for names, _ in _entries(text) for name in names}
    said = dict.fromkeys(_TEXTS[name] for name in keywords if name not in described)
    place = next((entry for names, entry in _entries(text) if names == [f"**{rest}"]), None)
    return text if place is None else text.replace(place, "\n".join(said), 1)
