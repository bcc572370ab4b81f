"""``python -m tests.base.numerics.called_kernels``: name the kernels that Python calls and no warm-up has compiled.

To be run in a process of its own, where nothing else has called a kernel.
"""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from numba.core.dispatcher import Dispatcher

import pcsos
from benchmarks.growth import load_kernels
from pcsos.base.numerics.kernels import integer

#: Rooms whose kernels no certified run calls: methods of others, which are compiled when they are first used.
OF_OTHERS = ("pcsos.clusterers", "pcsos.heuristics.neighbours", "pcsos.heuristics.differential_evolution", "pcsos.cli")


def called_from_python(module: ModuleType) -> Iterator[tuple[str, Dispatcher]]:
    """Yield the kernels that functions of a module call which are no kernels themselves."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.FunctionDef) and not any("kernel" in ast.unparse(each) for each in node.decorator_list):
            for name in (each.id for each in ast.walk(node) if isinstance(each, ast.Name)):
                if isinstance(found := getattr(module, name, None), Dispatcher):
                    yield f"{module.__name__}: {node.name} calls {name}", found


def main() -> None:
    """Print how many kernels are called, and those that are not compiled."""
    load_kernels()
    modules = [info.name for info in pkgutil.walk_packages(pcsos.__path__, "pcsos.") if "__main__" not in info.name]
    own = [importlib.import_module(name) for name in modules if not name.startswith(OF_OTHERS)]
    called = [each for module in own for each in called_from_python(module)]
    print(len(called))
    print(*(where for where, kernel in called if not kernel.signatures and kernel is not integer), sep="\n", end="")


if __name__ == "__main__":
    main()
