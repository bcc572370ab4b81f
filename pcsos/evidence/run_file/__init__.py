"""The run file: journal, checkpoint and certificate of a run (docs/certificate.md)."""

from pcsos.evidence.run_file.journal import RunFile

__all__ = ["RunFile"]
