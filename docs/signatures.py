"""Whole signatures on the site, which reads the source: keywords of families, as functions show them at run time."""

import inspect
from importlib import import_module
from typing import Any

import griffe


class WholeSignatures(griffe.Extension):
    """Put keywords in place of ``**keywords: Unpack[...]``, and what families say of them into the docstring."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Change a function that has a full signature, or the class that it constructs."""
        *_, last = [None, *func.parameters]
        if last is None or last.kind is not griffe.ParameterKind.var_keyword:
            return
        at_run_time = _at_run_time(func)
        if not hasattr(at_run_time, "__signature__"):
            return
        types = _types(func.modules_collection[last.annotation.slice.canonical_path])
        written = {own.name: own for own in func.parameters}
        shown = inspect.signature(at_run_time).parameters.values()
        func.parameters = griffe.Parameters(*(written.get(own.name) or _keyword(own, types) for own in shown))
        described = func.parent if func.name == "__init__" else func
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
