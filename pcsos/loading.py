"""Loading: names of a module that are loaded from other ones when they are first asked for."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def loader(module: str, places: Mapping[str, tuple[str, ...]], inside: tuple[str, ...] = ()) -> Callable[[str], Any]:
    """Return what a module has as its ``__getattr__`` (PEP 562) to load names when they are first asked for.

    Beside it, the module imports the same names where only type checkers look.

    Parameters
    ----------
    module : str
        Whose names they are.
    places : mapping of str to tuple of str
        The modules that they are loaded from, and what from each.
    inside : tuple of str
        Modules inside it that are loaded by their names alone.
    """
    place_of = {name: place for place, names in places.items() for name in names}

    def load(name: str) -> Any:
        if name in inside:
            return importlib.import_module(f"{module}.{name}")
        if name not in place_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(importlib.import_module(place_of[name]), name)

    return load
