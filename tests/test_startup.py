"""Ctrl-C is heeded from the first moment at which the package can."""

import signal
import subprocess
import sys

from pcsos.base import startup


def imported(code: str) -> list[str]:
    """Names of modules in the order in which they are ready, from when Python itself has started."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    names = [line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return names[names.index("site") + 1 :]


def test_nothing_is_loaded_before_it() -> None:
    names = imported("import pcsos")
    assert names[:2] == ["pcsos.base", "pcsos.base.startup"]


def test_it_heeds_the_program_and_leaves_scripts_alone() -> None:
    for name, is_heeded in (
        ("/bin/pcsos", True),
        ("pcsos.exe", True),
        ("/bin/pcsos-verify", True),
        ("-m", True),
        ("script.py", False),
        ("", False),
    ):
        code = (
            f"import sys, signal; sys.argv = [{name!r}]; signal.signal(2, signal.default_int_handler)\n"  # or ignored
            "import pcsos; print(signal.getsignal(2).__name__)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == ("_leave" if is_heeded else "default_int_handler")


def test_it_hands_over_what_it_took_only() -> None:
    before = signal.getsignal(signal.SIGINT)
    startup.done()
    assert signal.getsignal(signal.SIGINT) is before
