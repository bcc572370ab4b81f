"""The independent checker: what a run file claims, proved from the instance alone or refused."""

from pcsos.verify.checker import verify
from pcsos.verify.reader import VerificationError
from pcsos.verify.verdict import Verdict

__all__ = ["Verdict", "VerificationError", "verify"]
