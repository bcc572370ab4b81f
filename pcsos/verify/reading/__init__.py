"""Reading: run files from anywhere, as typed values in bounded memory.

Whoever opens a run file does it here: the search that goes on with one, the commands that describe it, and the checker.
Nothing here knows what a value means; a file that is not as ``docs/certificate.md`` says (sections 1 and 2) is refused
with a :class:`pcsos.verify.errors.FormatError`.
"""
