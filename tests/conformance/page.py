"""The page of the set: what is in it, and how to use it."""

from collections import Counter
from collections.abc import Sequence

from tests.conformance.texts import Expected

HEAD = """# A conformance set for checkers of run files

`docs/certificate.md` specifies run files and their proofs. Here are {honest} honest files and {forged} forged ones, of
which {refused} are to be refused and {harmless} are harmless. A checker conforms if it answers all of them as
`answers.csv` says. `python -m tests.conformance` writes the set; nothing in it is changed by hand.

## How to use it

- `tar xf texts.tar.xz` unpacks the texts.
- `honest/NAME.sql` makes a run file: `sqlite3 NAME.run < honest/NAME.sql`, or `executescript` of Python, or
  `sqlite3_exec` of C.
- `forged/NAME.sql` changes one: make that of its first line (`-- base: NAME`), then apply the text to it. The second
  line says what is to be answered, and why, with the section of the page.
- `answers.csv` has the columns `name` with its folder; `base`; `kind`; `answer` (`accepted` or
  `refused`); of what is accepted `status`, `cost` (of the labels, up to 2^-40 of it; empty without labels),
  `lower_bound` (what has to be proved at least; `inf` where there is no partition, empty where nothing is claimed) and
  `gap` (what the options ask for); `section`; `reason`; and `sentence`, with which `pcsos verify` refuses. Other
  checkers have words of their own.
- A checker is given the file alone, without points or constraints to compare with.

What honest files claim leaves room for rounding, and what is to be refused is further off than any rounding. Honest
files whose names begin with `solved-` are written by the program, all others by hand; `tests/conformance` compares what
is claimed by hand with all partitions there are.

| kind | honest | refused | harmless |
|---|---|---|---|
{kinds}
"""


def page(answers: Sequence[Expected]) -> str:
    honest = [own for own in answers if not own.base]
    forged = [own for own in answers if own.base]
    refused = [own for own in forged if own.answer == "refused"]
    return HEAD.format(
        honest=len(honest), forged=len(forged), refused=len(refused), harmless=len(forged) - len(refused),
        kinds="\n".join(_kinds(answers)),
    )  # fmt: skip


def _kinds(answers: Sequence[Expected]) -> list[str]:
    found = Counter((own.kind, own.answer if own.base else "honest") for own in answers)
    names = dict.fromkeys(own.kind for own in answers)
    return [
        f"| {name} | " + " | ".join(str(found[name, of]) for of in ("honest", "refused", "accepted")) + " |"
        for name in names
    ]
