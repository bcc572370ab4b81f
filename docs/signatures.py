"""Parameters on the site: types are those that docstrings write, and long lists are divided into groups."""

import re
from collections.abc import Iterator
from typing import Any

import griffe

#: What parameters are about, for lists that are too long to be read at once; the first list has all others.
GROUPS = {
    "What is asked of clusters:": {
        "must_link", "cannot_link", "weights", "size_min", "size_max", "conditions", "kernel", "gamma",
    },
    "How it is run:": {
        "gap", "time_limit", "node_limit", "workers", "seed", "random_state", "start", "options",
    },
    "What comes out:": {"run_file", "verbose"},
}  # fmt: skip
#: Parameters from which on a list is divided.
MANY = 12
#: An entry of a docstring: its names, and what they are.
ENTRY = re.compile(r"^([\w*, ]+?) : (.+)$", re.MULTILINE)
#: What a function returns, if that has no name.
RETURNED = re.compile(r"^Returns\n-------\n(\S.*)$", re.MULTILINE)
NAMED = (griffe.DocstringSectionKind.parameters, griffe.DocstringSectionKind.attributes)


class WholeSignatures(griffe.Extension):
    """Complete what the parser has made of a package."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Change all docstrings."""
        for item in _members(pkg):
            if item.docstring is not None:
                _mend(item, item.docstring)


def _members(item: griffe.Object) -> Iterator[griffe.Object]:
    """Return an object and all that is defined in it."""
    yield item
    for member in item.members.values():
        if not member.is_alias:
            yield from _members(member)  # type: ignore[arg-type]


def _mend(item: griffe.Object, docstring: griffe.Docstring) -> None:
    types = {
        name: kind.removesuffix(", optional")
        for names, kind in ENTRY.findall(docstring.value)
        for name in names.replace("*", "").split(", ")
    }
    defaults = _defaults(item)
    sections: list[griffe.DocstringSection] = []
    has_parameters = not item.is_class or "__init__" in item.members  # those of a dataclass are known later
    for section in docstring.parse(**{**docstring.parser_options, "warn_unknown_params": has_parameters}):
        if section.kind in NAMED:
            for entry in section.value:
                entry.annotation = types.get(entry.name.lstrip("*"), entry.annotation)
                if section.kind is griffe.DocstringSectionKind.parameters:
                    entry.value = defaults.get(entry.name)
        elif section.kind is griffe.DocstringSectionKind.returns and (written := RETURNED.search(docstring.value)):
            section.value[0].annotation = written[1]
        sections += _grouped(section) if section.kind is griffe.DocstringSectionKind.parameters else [section]
    docstring.parsed = sections


def _defaults(item: griffe.Object) -> dict[str, Any]:
    """Return the defaults of a function, or of a class that is called."""
    function = item.members.get("__init__", item) if item.is_class else item
    return {own.name: own.default for own in getattr(function, "parameters", ())}


def _grouped(section: griffe.DocstringSection) -> list[griffe.DocstringSection]:
    """Return a section of parameters, divided where it is long."""
    if len(section.value) < MANY:
        return [section]
    titles: dict[str, list[griffe.DocstringParameter]] = {"Parameters:": [], **{title: [] for title in GROUPS}}
    for entry in section.value:
        found = (title for title, names in reversed(GROUPS.items()) if entry.name in names)
        titles[next(found, "Parameters:")].append(entry)
    return [griffe.DocstringSectionParameters(entries, title) for title, entries in titles.items() if entries]
