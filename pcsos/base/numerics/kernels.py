"""Kernels: compiled functions, where what is compiled is kept, and whether it is there yet."""

import atexit
import contextlib
import hashlib
import logging
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

import numba
import numpy as np
from numba.core.runtime.nrt import rtsys
from numpy.typing import NDArray

from pcsos.base.events import Notify

FIRST_RUN = "the first run compiles the kernels that it needs, once, in up to half a minute that no limit counts"
#: What is said beside it where neither the installation nor the home of the user can be written.
ELSEWHERE = "compiled kernels are kept in {folder}, for want of a better place; NUMBA_CACHE_DIR names another one"
NOWHERE = "compiled kernels cannot be kept, for want of a place to write to; NUMBA_CACHE_DIR names one"
UNKNOWN = "no compiled kernels are kept by version {version} of Numba, so each run compiles them; try another version"
#: What is said after it where what is compiled could not be written.
NOT_KEPT = (
    "compiled kernels cannot be kept in {folder} ({reason}), so each run compiles them; free some space there, or name "
    "another place in NUMBA_CACHE_DIR"
)

#: Imports in the source of a module, by the module and the names.
IMPORTS = re.compile(rb"^from (pcsos[\w.]*) import \(?([\w\s,]*)", re.MULTILINE)

Function = TypeVar("Function", bound=Callable[..., Any])

_log = logging.getLogger("pcsos")
_notes: set[str] = set()


def kernel(function: Function) -> Function:
    """Compile a function when it is first called, without Python objects or lock, and keep what is compiled.

    It is kept beside the module or in the home of the user, as Numba does; where neither can be written, in a private
    folder for temporary files, or not at all.
    """
    return _compiled_on_call(function)


def inner_kernel(function: Function) -> Function:
    """Compile a function likewise, which only kernels call: what would unpack the arguments of Python is left out."""
    dispatcher: Any = _compiled_on_call(function, no_cpython_wrapper=True)
    dispatcher._insert, dispatcher._compile_for_args = lambda *_: None, _refuse  # Python never finds what is compiled
    return dispatcher  # type: ignore[no-any-return]


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("an inner kernel is called by kernels alone; make it a kernel to call it from Python")


def reassociating_kernel(function: Function) -> Function:
    """Compile a function likewise, whose sums may be formed in any order."""
    return _compiled_on_call(function, fastmath={"reassoc", "contract", "nsz"})


def inlined_kernel(function: Function) -> Function:
    """Compile a function likewise, into each that calls it: for what is called for every super-point."""
    return _compiled_on_call(function, inline="always")


def _compiled_on_call(function: Function, **flags: Any) -> Function:
    flags |= {"nogil": True, "no_cfunc_wrapper": True}
    try:
        return _stamped(numba.njit(cache=True, **flags)(function))  # type: ignore[no-any-return]
    except AttributeError:  # it has other private names
        _notes.add(UNKNOWN.format(version=numba.__version__))
        return numba.njit(**flags)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # Numba found no place
        folder = _private_folder()
    if folder is None:
        _notes.add(NOWHERE)
        return numba.njit(**flags)(function)  # type: ignore[no-any-return]
    _notes.add(ELSEWHERE.format(folder=folder))
    config: Any = numba.config
    usual, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        return _stamped(numba.njit(cache=True, **flags)(function))  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = usual


def _stamped(dispatcher: Any) -> Any:
    """Have what is compiled count for these very sources of all kernels.

    Numba asks only whether the file of the kernel itself has changed, although what it calls is compiled into it: after
    an upgrade, the kernels of the version before would go on. And it writes an index before the code that this names:
    what an interrupt or another process leaves there may be the code of another version, or for other types. It has no
    public words for all this: another version of it may raise AttributeError.
    """
    if hasattr(dispatcher, "stats"):  # it compiles at all
        index = dispatcher._cache._cache_file
        index._source_stamp = (index._source_stamp, fingerprint())
        index._load_index = partial(_loaded, index._load_index)
        index.load, index.save = partial(_only_own, index.load), partial(_with_names, index.save)
        cache = dispatcher._cache
        cache.load_overload = partial(_ready, cache._guard_against_spurious_io_errors, cache._load_overload)
        cache.save_overload = partial(_kept, cache.save_overload, index)
    return dispatcher


def _ready(guard: Callable[[], Any], load: Callable[[Any, Any], Any], types: Any, target: Any) -> Any:
    """Return what is compiled, made ready to run, or None.

    Numba would first load all that it can compile, which takes longer than all kernels of a run. They need none of it,
    as they have no sets and dictionaries, whose hashes are salted once a process.
    """
    rtsys.initialize(target)
    with guard():
        return load(types, target)


def _loaded(load: Callable[[], dict[Any, Any]]) -> dict[Any, Any]:
    """Return what an index lists, nothing where it cannot be read: it may name classes that have gone since."""
    try:
        return load()
    except Exception:
        return {}


def _with_names(save: Callable[[Any, Any], None], types: Any, code: Any) -> None:
    """Save what is compiled together with what it is of."""
    save(types, (fingerprint(), types, code))


def _only_own(load: Callable[[Any], Any], types: Any) -> Any:
    """Return what is compiled of these sources for these types; None where there is nothing, or something else."""
    try:
        sources, own, code = load(types)
        return code if (sources, own) == (fingerprint(), types) else None
    except Exception:
        return None


def _kept(save: Callable[..., None], index: Any, *compiled: Any) -> None:
    """Keep what is compiled; where that fails, as on a full disk, it serves this run, and nothing counts as kept."""
    try:
        save(*compiled)
    except OSError as error:
        _notes.add(NOT_KEPT.format(folder=Path(index._cache_path).parent, reason=error.strerror))
        with contextlib.suppress(OSError):
            os.unlink(index._index_path)


@cache
def fingerprint() -> bytes:
    """Return the hash of all files of the package that define kernels, and of those that they import.

    What is constant there is compiled into them, as what they call is.
    """
    package = Path(__file__).parents[2]
    files = {".".join(file.relative_to(package.parent).with_suffix("").parts): file for file in package.rglob("*.py")}
    sources = {name.removesuffix(".__init__"): file.read_bytes() for name, file in files.items()}
    needed, found = [name for name, source in sources.items() if b"kernel\ndef " in source], set()
    while needed:
        name = needed.pop()
        if name in sources and name not in found:
            found.add(name)
            needed += _imported(sources[name])
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(sources[name])
    return digest.digest()


def _imported(source: bytes) -> Iterator[str]:
    """Yield the names of modules of the package that a source imports, and others beside them."""
    for module, names in IMPORTS.findall(source):
        yield module.decode()
        yield from (f"{module.decode()}.{name}" for name in names.decode().replace(",", " ").split())


@cache
def _private_folder() -> Path | None:
    """Return a folder that no one else can write to, because what it holds is loaded as code; None without one."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    try:
        folder = Path(tempfile.gettempdir()) / f"pcsos-{user}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if _is_private(folder):
            return folder
        fresh = tempfile.mkdtemp(prefix="pcsos-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    return Path(fresh)


def _is_private(folder: Path) -> bool:
    found = folder.lstat()
    is_own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return stat.S_ISDIR(found.st_mode) and is_own and not found.st_mode & 0o077


def place(kernel: Any) -> str:
    """Return in words where this kernel is kept when it is compiled."""
    folder = getattr(getattr(kernel, "stats", None), "cache_path", None)
    return "but cannot be kept" if folder is None else f"and kept in {Path(folder).parent}"


def is_compiled(dispatcher: Any) -> bool:
    """Return whether a kernel is compiled, or an earlier run of this version has left it behind in compiled form."""
    stats = getattr(dispatcher, "stats", None)  # missing where numba does not compile at all
    if stats is None or dispatcher.signatures:
        return True
    with contextlib.suppress(Exception):  # whatever is wrong with the index, the kernel is compiled again
        return bool(dispatcher._cache._cache_file._load_index())
    return False


class WarmUp(NamedTuple):
    """What compiles some kernels."""

    what: str  #: what they are for
    call: Callable[[], object]  #: calls them all
    last: Any  #: the one that it compiles last, which tells whether the others are there

    @property
    def is_done(self) -> bool:
        """Whether the kernels are compiled already."""
        return is_compiled(self.last)


def prepare(warm_ups: Iterable[WarmUp], *, aside: Callable[..., Iterable[int]], notify: Notify | None = None) -> None:
    """Compile what is not yet compiled, before any clock starts, and say so, in the log without ``notify``.

    Parameters
    ----------
    warm_ups : iterable of WarmUp
        What compiles all that will be needed, what takes longest first.
    aside : callable
        Does them at the same time where Ctrl-C is heard, which a compiler swallows that is interrupted in its
        callbacks; yields the number of each that is done.
    notify : callable, optional
        Called with sentences for the user.
    """
    missing = [warm_up for warm_up in warm_ups if not warm_up.is_done]
    if not missing:
        return
    say, known = notify or _log.warning, sorted(_notes)
    for sentence in (FIRST_RUN, *known):
        say(sentence)
    if all(getattr(getattr(each.last, "stats", None), "cache_path", None) for each in missing):  # found from here, too
        with ThreadPoolExecutor(1) as pool:  # where no interrupt can get into the callbacks of the compiler
            pool.submit(integer, 0).result()  # it is set up once, for all of them
        for count, number in enumerate(aside(*(each.call for each in missing)), start=1):
            if count < len(missing):
                say(f"compiled for {missing[number].what}, {count} of {len(missing)}")
    for warm_up in missing:
        if not warm_up.is_done:
            warm_up.call()
    for sentence in sorted(_notes.difference(known)):
        say(sentence)


@kernel
def copy_to(target: NDArray[Any], values: NDArray[Any]) -> None:
    """Copy an array to one at least as long; to assign a slice takes far longer to compile."""
    for at in range(values.size):
        target[at] = values[at]


@kernel
def integer(value: int) -> int:
    """Return a constant that is not one for Numba: it compiles what a literal is handed to for this very value, too."""
    return np.intp(value)  # type: ignore[return-value]
