"""The independent checker: what a run file claims, proved from the instance alone or refused.

It imports nothing of the rest of the package. Its names are loaded when they are first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pcsos.verify.checker import verify
    from pcsos.verify.reader import VerificationError
    from pcsos.verify.verdict import Verdict
else:

    def __getattr__(name: str) -> Any:
        places = {"verify": "checker", "VerificationError": "reader", "Verdict": "verdict"}
        if name not in places:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{places[name]}"), name)


__all__ = ["Verdict", "VerificationError", "verify"]
