"""What was tried to make a wrong claim pass, or a run fail."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.case import Row
from benchmarks.checking import UNACCEPTED
from benchmarks.heuristics import SAME
from benchmarks.pages import rounding, soak
from benchmarks.pages.pictures import picture
from benchmarks.pages.rows import NOT_MEASURED, NotMeasuredError, done_rows, is_proved, rows_of, rows_of_all
from benchmarks.record.folder import Record
from benchmarks.record.plan import PLAN
from benchmarks.suites.memory import is_harmless
from benchmarks.tables import geometric_mean, table

PARTS = (
    *("verified", "checkers", "disagreements", "forged", "hostile", "oracle", "dealings", "confused", "announced"),
    *("kill", "interrupt", "memory", "instances", "scaling"),
)
DRAWN_FROM = ("verified",)
ALT = "Seconds to verify against seconds to solve, a dot an instance, both on logarithmic axes"


def tried(record: Record) -> str:
    """Return a line for each kind of trial."""
    lines = []
    for part, (what, outcome) in TRIALS.items():
        try:
            lines.append([part, what, outcome(record)])
        except NotMeasuredError:
            lines.append([part, what, NOT_MEASURED])
    return table(("part", "what was tried", "what came of it"), lines, left=3)


def verified(record: Record) -> str:
    """Return how many run files of a suite that fails where the checker refuses are accepted."""
    rows = rows_of(record, "verified")
    done = [row for row in rows if row["outcome"] == "done"]
    return f"{rounding.of(len(done), len(rows))} accepted; verification takes {share_of(done)} of the solve"


def checked_rows(record: Record) -> list[Row]:
    """Return the rows, of whatever part, whose run file was given to the checker."""
    found = [row for row in rows_of_all(record, (part.name for part in PLAN)) if row.get("verified")]
    if not found:
        raise NotMeasuredError("verified")
    return found


def accepted(record: Record) -> str:
    """Return how many of them it accepts, of how many."""
    rows = checked_rows(record)
    return rounding.of(sum(row["verified"] not in UNACCEPTED for row in rows), len(rows))


def share(record: Record) -> str:
    """Return what their verification takes."""
    return share_of(row for row in checked_rows(record) if row["verified"] not in UNACCEPTED)


def share_of(rows: Iterable[Row]) -> str:
    """Return the seconds of verification in per cent of those of the solve, as a geometric mean over what is proved."""
    return rounding.percent(
        100.0 * geometric_mean(row["verify_seconds"] / row["seconds"] for row in rows if is_proved(row))
    )


def checkers(record: Record) -> str:
    """Return how many files both checkers judge alike, and how much sooner the second is done."""
    rows = done_rows(record, "checkers")
    alike = rounding.of(sum(not row["difference"] for row in rows), len(rows))
    times = geometric_mean(row["first_process_seconds"] / row["second_seconds"] for row in rows)
    return f"{alike} judged alike; the one in C++ is {rounding.ratio(times)} times faster"


def counted(part: str, key: str, wrong: str) -> Callable[[Record], str]:
    """Return a fact of a part that judges seeds: how much was counted, and in how many seeds something was wrong."""

    def outcome(record: Record) -> str:
        rows = done_rows(record, part)
        totals = sum((Counter(json.loads(row["counts"])) for row in rows), Counter())
        return f"{rounding.whole(totals[key])} {key}; {wrong} {of_seeds(rows)}"

    return outcome


def of_seeds(rows: list[Row]) -> str:
    """Return how many seeds went wrong."""
    wrong, total = (sum(row[column] for row in rows) for column in ("num_wrong", "num_seeds"))
    return f"in {'none' if not wrong else rounding.whole(wrong)} of {rounding.whole(total)} seeds"


def announced(record: Record) -> str:
    """Return how many files did harm, and the most that one took."""
    rows = done_rows(record, "announced")
    files, harms = (
        f"{sum(value):,.0f}" for value in ((r["num_files"] for r in rows), (bool(r["harms"]) for r in rows))
    )
    most = f"{max(r['most_mb'] for r in rows):.0f} MB, {rounding.seconds(max(r['most_seconds'] for r in rows))} s"
    return f"{files} files, {harms} rows with harm; at most {most}"


def kill(record: Record) -> str:
    """Return how many kills there were, and how many runs came to the same result."""
    rows = done_rows(record, "kill")
    same = sum(all(row[key] == "True" for key in ("same_objective", "same_bound", "same_status")) for row in rows)
    kills, twice = (sum(row[column] for row in rows) for column in ("kills", "solved_twice"))
    return f"{kills:,.0f} kills: same result in {rounding.of(same, len(rows))} runs, {twice:.0f} nodes solved twice"


def interrupt(record: Record) -> str:
    """Return how soon a run ends, and whether a process stays behind."""
    rows = done_rows(record, "interrupt")
    ended = rounding.seconds(max(row["ended_seconds"] for row in rows))
    left = sum(str(row["left_running"]) == "True" for row in rows)
    return f"{len(rows)} runs: ended within {ended} s; {left} left a process behind"


def memory(record: Record) -> str:
    """Return how many bombs do no harm."""
    rows = rows_of(record, "memory")
    return f"{rounding.of(sum(map(is_harmless, rows)), len(rows))} refused or read at once"


def instances(record: Record) -> str:
    """Return how many instances of the repository come to their recorded optima."""
    rows = rows_of(record, "instances")
    return f"{rounding.of(sum(map(_agrees, rows)), len(rows))} come to it"


def _agrees(row: Row) -> bool:
    if row["optimum"] is None:
        return bool(row["status"] == "INFEASIBLE")
    return is_proved(row) and abs(row["objective"] - row["optimum"]) <= SAME * max(1.0, abs(row["optimum"]))


def scaling(record: Record) -> str:
    """Return how many drawn mixtures are proved."""
    rows = rows_of(record, "scaling")
    slowest = max(done_rows(record, "scaling"), key=lambda row: float(row["seconds"]))
    proved = rounding.of(sum(map(is_proved, rows)), len(rows))
    return f"{proved} proved; the slowest, {slowest['name']}, in {rounding.seconds(slowest['seconds'])} s"


TRIALS: dict[str, tuple[str, Callable[[Record], str]]] = {
    "verified": ("run files of the instances of this repository, verified", verified),
    "checkers": ("both checkers on run files of every kind", checkers),
    "disagreements": (
        "both checkers on forged and damaged files",
        counted("disagreements", "files", "they disagree"),
    ),
    "forged": (
        "run files that claim something false",
        counted("forged", "false claims", "one is accepted"),
    ),
    "hostile": (
        "multipliers made to fool the checker, against the exact optimum",
        counted("hostile", "bounds", "one is above it"),
    ),
    "oracle": (
        "hard instances of up to nine points, against rational arithmetic",
        counted("oracle", "instances", "they differ"),
    ),
    "dealings": (
        "points dealt into blocks in every way, against the exact optimum",
        counted("dealings", "dealings", "a sum of bounds is above it"),
    ),
    "confused": (
        "values of other kinds in run files, in every command",
        counted("confused", "files", "an error is unexpected"),
    ),
    "announced": ("run files that announce more than they hold", announced),
    "kill": ("runs killed at random moments, and resumed", kill),
    "interrupt": ("signals and time limits on a large run", interrupt),
    "memory": ("a few bytes that ask for gigabytes or years", memory),
    "instances": ("the instances of this repository against their recorded optima", instances),
    "scaling": ("drawn mixtures that overlap, with pairs of four kinds", scaling),
}


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of both."""
    rows = [row for row in done_rows(record, "verified") if is_proved(row)]
    with picture(figure) as axes:
        seconds = [[row[column] for row in rows] for column in ("seconds", "verify_seconds")]
        axes.plot(*seconds, "o")
        axes.axline((1.0, 1.0), slope=1.0, linestyle="--", color="0.6", label="as long as the solve")
        axes.set(xscale="log", yscale="log", xlabel="seconds to solve", ylabel="seconds to verify")
        axes.legend(loc="upper left")


FACTS = {
    "tried": tried,
    "accepted": accepted,
    "share": share,
    "soak": soak.said,
    "soak_troubles": soak.troubles,
    "soak_checks": soak.checks,
}
