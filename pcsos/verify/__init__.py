"""The independent checker: what a run file claims, proved from the instance alone or refused."""

from pcsos.verify.checker import Verdict, verify
from pcsos.verify.reader import VerificationError

__all__ = ["Verdict", "VerificationError", "verify"]
