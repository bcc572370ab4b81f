"""Signatures and parameters on the site, which reads the source, as functions show them at run time.

Keywords of families stand in place of ``**keywords: Unpack[...]``; types are those that docstrings write, defaults
those of signatures, and long lists of parameters are divided into groups.
"""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import griffe

from pcsos.problem.keywords import ConditionKeywords, InstanceKeywords, KernelKeywords, MatrixKeywords
from pcsos.problem.options import ProofKeywords

#: What parameters are about, for lists that are too long to be read at once; the first list has all others.
GROUPS = {
    "What is asked of clusters:": {*InstanceKeywords.__annotations__, *ConditionKeywords.__annotations__}
    - {*KernelKeywords.__annotations__, *MatrixKeywords.__annotations__},
    "Kernels and matrices in place of coordinates:": {*KernelKeywords.__annotations__, *MatrixKeywords.__annotations__},
    "How it is run:": {
        *ProofKeywords.__annotations__, "gap", "node_limit", "engine", "ilp", "initial_labels", "initial_centers",
        "block_size", "random_state",
    },
    "What comes out:": {"run_file", "on_event", "verbose", "match_to"},
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
        """Change all functions, then all docstrings."""
        members = list(_members(pkg))
        for item in members:
            if isinstance(item, griffe.Function):
                _complete(item)
        for item in members:
            if item.docstring is not None:
                _mend(item, item.docstring)


def _complete(function: griffe.Function) -> None:
    """Change a function that has a full signature, or the class that it constructs."""
    *_, last = [None, *function.parameters]
    if last is None or last.kind is not griffe.ParameterKind.var_keyword:
        return
    at_run_time = _at_run_time(function)
    if not hasattr(at_run_time, "__signature__"):
        return
    types = _types(function.modules_collection[last.annotation.slice.canonical_path])
    written = {own.name: own for own in function.parameters}
    shown = inspect.signature(at_run_time).parameters.values()
    function.parameters = griffe.Parameters(*(written.get(own.name) or _keyword(own, types) for own in shown))
    described = function.parent if function.name == "__init__" else function
    if described.docstring is not None:
        described.docstring.value = inspect.getdoc(_at_run_time(described)) or ""


def _at_run_time(item: griffe.Object) -> Any:
    """Return what the source has become."""
    found: Any = import_module(item.module.path)
    for name in item.path.removeprefix(f"{item.module.path}.").split("."):
        found = getattr(found, name)
    return found


def _types(family: griffe.Class) -> dict[str, Any]:
    """Return the types of the keywords, as they are written."""
    found: dict[str, Any] = {}
    for base in family.resolved_bases:
        found |= _types(base)
    for name, attribute in family.attributes.items():
        written = attribute.annotation
        is_noted = isinstance(written, griffe.ExprSubscript) and written.canonical_name == "Annotated"
        found[name] = written.slice.elements[0] if is_noted else written
    return found


def _keyword(parameter: inspect.Parameter, types: dict[str, Any]) -> griffe.Parameter:
    kind, default = griffe.ParameterKind.keyword_only, repr(parameter.default)
    return griffe.Parameter(parameter.name, annotation=types[parameter.name], kind=kind, default=default)


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
