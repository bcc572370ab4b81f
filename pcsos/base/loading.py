"""Loading: names of a module that are loaded from other ones when they are first asked for."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any


class Views:
    """What shows results to people and answers questions about them: by rooms above theirs, which the package names."""

    load: Callable[[str], Any]

    def __getattr__(self, name: str) -> Any:
        return self.load(name)


#: The views of this process.
VIEWS = Views()


def loader(
    module: str, places: Mapping[str, tuple[str, ...]], inside: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return what a module has as its ``__getattr__`` (PEP 562) to load names when they are first asked for.

    Beside it, the module imports the same names where only type checkers look. The ``places`` are the modules that the
    names are loaded from, with what from each; ``inside`` are modules that are loaded by a name alone.
    """
    place_of = {name: place for place, names in places.items() for name in names}

    def load(name: str) -> Any:
        if inside and name in inside:
            return importlib.import_module(inside[name])
        if name not in place_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(importlib.import_module(place_of[name]), name)

    return load
