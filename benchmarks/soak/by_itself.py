"""Commands that need no run file: each is left alone, and then runs under trouble over the outputs of the first."""

import csv

from benchmarks.soak.claims import CLAIMS, judge_claims
from benchmarks.soak.commands import ALONE, alone, troubles_of
from benchmarks.soak.process import Ran
from benchmarks.soak.scene import Scene
from benchmarks.soak.trouble import NONE, Trouble, draw_trouble
from benchmarks.soak.writing import in_pairs

COMMANDS_A_STORY = 2
#: What a large instance is not too large for.
FOR_LARGE = ("heuristic", "info", "compare")
KINDS = {"yes": "ML", "no": "CL"}
Pairs = set[tuple[str, frozenset[str]]]


def by_itself(scene: Scene) -> None:
    """Run two of these commands, and judge every claim of both."""
    able = [name for name, kinds in ALONE.items() if scene.about.kind in kinds]
    if scene.about.size == "large":
        able = [name for name in able if name in FOR_LARGE]
    for name in scene.rng.choice(able, min(COMMANDS_A_STORY, len(able)), replace=False).tolist():
        arguments, stdin = alone(name, scene.about, scene.rng)
        ran = _done(scene, name, arguments, NONE, stdin)
        if name == "ask":
            arguments = ask_again(arguments)
        _done(scene, name, arguments, draw_trouble(scene.rng, troubles_of(name), ran.seconds), stdin)


def _done(scene: Scene, name: str, arguments: list[str], trouble: Trouble, stdin: str) -> Ran:
    """Run a command and judge what it claims, and that no answer is lost."""
    log = scene.path("answers.csv")
    before = log.read_text() if log.exists() else ""
    ran = scene.do(name, arguments, trouble, stdin=stdin)
    if name in CLAIMS:
        judge_claims(scene, name, ran.sentence)
    if name == "ask":
        judge_answers(scene, before, ran.sentence)
    return ran


def judge_answers(scene: Scene, before: str, source: str) -> None:
    """Judge that the log still holds all answers, and that the pairs are those given and answered, if written."""
    log, known = scene.path("answers.csv"), scene.path("known.txt")
    text = log.read_text() if log.exists() else ""
    if before:
        kept = text.startswith(before[: before.rfind("\n") + 1])
        scene.judge.check("answers kept", kept, f"{text!r} after {before!r}: {source}")
    if scene.is_new("known.txt"):
        right = answered(text) | scene.about.named_pairs()
        found = in_pairs(known.read_text())
        scene.judge.check("answers right", found == right, f"{found ^ right} are in one place only: {source}")


def answered(log: str) -> Pairs:
    r"""Return the pairs that the lines of a log of answers leave.

    Examples
    --------
    >>> answered("# 4 points\ni,j,answer\n0,1,yes\n0,2,no\n0,2,undo\n1,3,unknown\n") == {("ML", frozenset("01"))}
    True
    """
    found: list[tuple[str, frozenset[str]]] = []
    _, _, rows = log.partition("i,j,answer\n")
    for i, j, word in csv.reader(rows.splitlines()):
        if word == "undo":
            del found[max(at for at, (_, pair) in enumerate(found) if pair == {i, j})]
        else:
            found.append((word, frozenset((i, j))))
    return {(KINDS[word], pair) for word, pair in found if word in KINDS}


def ask_again(arguments: list[str]) -> list[str]:
    """Answer further questions in the session of the log."""
    at = arguments.index("--budget") + 1
    return [*arguments[:at], "16", *arguments[at + 1 :]]
