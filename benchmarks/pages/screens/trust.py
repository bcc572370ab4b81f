"""What was tried to make a wrong claim pass, or a run fail."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.case import Row
from benchmarks.checking import CRASHED, NOT_IN_TIME, REFUSED, UNACCEPTED
from benchmarks.heuristics import SAME
from benchmarks.pages import provenance, rounding, soak
from benchmarks.pages.pictures import picture
from benchmarks.pages.rows import NOT_MEASURED, NotMeasuredError, done_rows, failed, is_proved, rows_of, rows_of_all
from benchmarks.record.folder import Record
from benchmarks.record.plan import PLAN
from benchmarks.runner import read_rows
from benchmarks.suites.memory import is_harmless
from benchmarks.tables import geometric_mean, table

PARTS = (
    *("verified", "checkers", "disagreements", "forged", "hostile", "oracle", "dealings", "confused", "announced"),
    *("kill", "interrupt", "memory", "instances", "scaling"),
)
DRAWN_FROM = ("verified",)
#: Why the checker does not accept a file.
WHY = {REFUSED: "refused", NOT_IN_TIME: "not done in its time", CRASHED: "the checker failed"}
#: Seconds from which on a solve is compared with its verification: below, that is the start of the checker.
LEAST_SECONDS = 1.0
#: Kinds of what seeds find wrong, for readers who do not know the suites.
IN_WORDS = {"verify refuses": "the checker refuses the run file that a solve has written"}
ALT = "Seconds to verify against seconds to solve, a dot an instance, both on logarithmic axes"


class Came(NamedTuple):
    """What the trials of a part came to, in words, and whether that is harm."""

    said: str
    is_harm: bool = False


#: From those rows of a part that ended by themselves.
Outcome = Callable[[list[Row]], Came]


def tried(record: Record) -> str:
    """Return a line for each kind of trial."""
    lines = [[TRIALS[part][0], part, came.said + anew(record, part)] for part, came in outcomes(record)]
    return table(("what was tried", "part", "what came of it"), lines, left=3)


def anew(record: Record, part: str) -> str:
    """Return where a part was measured anew, and what harm was found on the commit of the record, as a clause."""
    when = provenance.anew(record, part)
    if not when:
        return ""
    before = came_of(read_rows(record.own_file(part)), TRIALS[part][1])
    return f"; {when}" + f", before: {before.said}" * before.is_harm


def outcomes(record: Record) -> Iterator[tuple[str, Came]]:
    """Yield each part of trials with what came of it."""
    for part, (_, outcome) in TRIALS.items():
        try:
            yield part, came_of(rows_of(record, part), outcome)
        except NotMeasuredError:
            yield part, Came(NOT_MEASURED)


def came_of(rows: list[Row], outcome: Outcome) -> Came:
    """Return what came of the trials of a part, and how many of its rows say nothing because they failed."""
    done = [row for row in rows if row["outcome"] == "done"]
    came, lost = outcome(done) if done else Came(""), failed(rows)
    return Came("; of the others, ".join(filter(None, [lost, came.said])), came.is_harm or bool(lost))


def checked_rows(record: Record) -> list[Row]:
    """Return the rows, of whatever part, whose run file was given to the checker."""
    found = [row for row in rows_of_all(record, (part.name for part in PLAN)) if row.get("verified")]
    if not found:
        raise NotMeasuredError("verified")
    return found


def is_accepted(row: Row) -> bool:
    """Return whether the checker accepts the run file of such a row."""
    return row["verified"] not in UNACCEPTED


def accepted(record: Record) -> str:
    """Return how many of them it accepts, of how many."""
    rows = checked_rows(record)
    return rounding.of(sum(map(is_accepted, rows)), len(rows))


def unaccepted(record: Record) -> str:
    """Return which of them it does not accept, and why."""
    said = [f"{row['name']} ({WHY[row['verified']]})" for row in checked_rows(record) if not is_accepted(row)]
    return ", ".join(said) or "none"


def timed_rows(record: Record) -> list[Row]:
    """Return those that are proved and accepted, over which the seconds of the checker are compared."""
    return [row for row in checked_rows(record) if is_accepted(row) and is_proved(row)]


def no_trifles(record: Record) -> list[Row]:
    """Return those of them that took a second and more."""
    return [row for row in timed_rows(record) if row["seconds"] >= LEAST_SECONDS]


def slower(record: Record) -> str:
    """Return for how many of those the verification takes longer than the solve, and the most."""
    rows = no_trifles(record)
    return f"{sum(share(row) > 100.0 for row in rows):,} of {len(rows):,}, at most {largest_share(rows)}"


def share(row: Row) -> float:
    """Return the seconds of verification in per cent of those of the solve."""
    return float(100.0 * row["verify_seconds"] / row["seconds"])


def mean_share(rows: list[Row]) -> str:
    """Return the geometric mean of the shares."""
    return rounding.percent(geometric_mean(map(share, rows)))


def largest_share(rows: list[Row]) -> str:
    """Return the largest share, and of what."""
    row = max(rows, key=share, default=None)
    return rounding.NONE if row is None else f"{rounding.percent(share(row))} ({row['name']})"


def verified(rows: list[Row]) -> Came:
    """Return how many run files are accepted, by a suite that fails where the checker refuses."""
    proved = [row for row in rows if is_proved(row)]
    return Came(
        f"all {len(rows):,} accepted; for the {len(proved):,} that are proved, verification takes {mean_share(proved)} "
        f"of the solve (geometric mean), {largest_share(proved)} at most"
    )


def checkers(rows: list[Row]) -> Came:
    """Return how many files both checkers judge alike, and how much sooner the second is done."""
    alike = sum(not row["difference"] for row in rows)
    process, without = (
        rounding.ratio(geometric_mean(row[column] / row["second_seconds"] for row in rows))
        for column in ("first_process_seconds", "first_seconds")
    )
    return Came(
        f"{rounding.of(alike, len(rows))} judged alike; the one in Python takes {process} times as long as the one in "
        f"C++, {without} times without its start (geometric means)",
        alike < len(rows),
    )


def counted(key: str, sound: str) -> Outcome:
    """Return the outcome of a part that judges seeds: how much was counted, or in how many seeds what was wrong."""

    def outcome(rows: list[Row]) -> Came:
        counts, kinds = (
            sum((Counter(json.loads(row[column])) for row in rows), Counter()) for column in ("counts", "kinds_wrong")
        )
        wrong, seeds = (int(sum(row[column] for row in rows)) for column in ("num_wrong", "num_seeds"))
        if wrong:
            said = ", ".join(IN_WORDS.get(kind, kind) for kind in kinds)
            return Came(f"WRONG in {wrong:,} of {rounding.counted(seeds, 'seed')}: {said}", is_harm=True)
        return Came(f"{sound.format(f'{counts[key]:,}')} ({rounding.counted(seeds, 'seed')})")

    return outcome


def wrong(record: Record) -> str:
    """Return in which trials something went wrong or did not end, and what."""
    found = [f"`{part}`: {came.said}" for part, came in outcomes(record) if came.is_harm]
    return "; ".join(found) or "nothing"


def forged(record: Record) -> str:
    """Return how many claims that are false were accepted."""
    return came_of(rows_of(record, "forged"), TRIALS["forged"][1]).said


def announced(rows: list[Row]) -> Came:
    """Return whether a file did harm, and the most that a command took."""
    files, harms = int(sum(row["num_files"] for row in rows)), [row["name"] for row in rows if row["harms"]]
    what = f"HARM in {len(harms)} of {rounding.counted(len(rows), 'group')}" if harms else "none did harm"
    mb, seconds = (max(row[column] for row in rows) for column in ("most_mb", "most_seconds"))
    most = f"no command took more than {mb:.0f} MB or {rounding.seconds(seconds)} CPU s"
    return Came(f"{files:,} files: {what}; {most}", bool(harms))


def kill(rows: list[Row]) -> Came:
    """Return how many kills there were, and how many runs came to the same result."""
    kills, in_tree, twice = (
        int(sum(row[column] for row in rows)) for column in ("kills", "kills_in_tree", "solved_twice")
    )
    same = ", ".join(
        f"the same {what} in {rounding.of(sum(row[f'same_{what}'] == 'True' for row in rows), len(rows))}"
        for what in ("objective", "status", "bound")
    )
    others = sum("False" in (row["same_objective"], row["same_status"]) for row in rows)
    another = f"ANOTHER result in {others:,} of {rounding.counted(len(rows), 'run')}; " if others else ""
    return Came(
        f"{another}{rounding.counted(kills, 'kill')}, {in_tree:,} within the tree: {same} runs; "
        f"{twice:,} nodes solved twice",
        bool(others),
    )


def interrupt(rows: list[Row]) -> Came:
    """Return how soon a run ends, and whether a process stays behind."""
    ended = rounding.seconds(max(row["ended_seconds"] for row in rows))
    left = sum(row["left_running"] == "True" for row in rows)
    behind = f"{left} LEFT a process behind" if left else "none left a process behind"
    return Came(f"{rounding.counted(len(rows), 'run')}: ended within {ended} s; {behind}", bool(left))


def memory(rows: list[Row]) -> Came:
    """Return how many bombs do no harm."""
    harmless = sum(map(is_harmless, rows))
    return Came(f"{rounding.of(harmless, len(rows))} refused or read at once", harmless < len(rows))


def instances(rows: list[Row]) -> Came:
    """Return how many instances of the repository come to their recorded optima, or are proved infeasible."""
    without = sum(row["optimum"] is None for row in rows)
    agree = sum(map(_agrees, rows))
    among = f"{rounding.counted(without, 'infeasible one')} among them"
    return Came(f"{rounding.of(agree, len(rows))} agree, {among}", agree < len(rows))


def _agrees(row: Row) -> bool:
    if row["optimum"] is None:
        return bool(row["status"] == "INFEASIBLE")
    return is_proved(row) and abs(row["objective"] - row["optimum"]) <= SAME * max(1.0, abs(row["optimum"]))


def scaling(rows: list[Row]) -> Came:
    """Return how many drawn mixtures are proved; that some are not is no harm."""
    slowest = max(rows, key=lambda row: float(row["seconds"]))
    proved = rounding.of(sum(map(is_proved, rows)), len(rows))
    return Came(f"{proved} proved; the slowest, {slowest['name']}, took {rounding.seconds(slowest['seconds'])} s")


TRIALS: dict[str, tuple[str, Outcome]] = {
    "verified": ("run files of the instances of this repository; a case fails where one is refused", verified),
    "checkers": ("both checkers on run files of every kind", checkers),
    "disagreements": (
        "both checkers on forged and damaged files",
        counted("files", "none of {} files judged differently, rounding and limits aside"),
    ),
    "forged": (
        "run files that claim something false",
        counted("false claims", "none of {} false claims accepted"),
    ),
    "hostile": (
        "multipliers made to fool the checker, against the exact optimum",
        counted("bounds", "none of {} bounds above the optimum"),
    ),
    "oracle": (
        "hard instances of up to nine points, against rational arithmetic",
        counted("instances", "none of {} instances contradicts it"),
    ),
    "dealings": (
        "points dealt into blocks in every way, against the exact optimum",
        counted("dealings", "none of {} sums of bounds above the optimum"),
    ),
    "confused": (
        "values of other kinds in run files, in every command",
        counted("files", "{} files: every error as documented"),
    ),
    "announced": ("run files that announce more than they hold", announced),
    "kill": ("runs killed at random moments, and resumed", kill),
    "interrupt": ("signals and time limits on a large run", interrupt),
    "memory": ("a few bytes that ask for gigabytes or years", memory),
    "instances": ("the instances of this repository against their recorded optima", instances),
    "scaling": ("drawn mixtures that overlap, with and without pairs", scaling),
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
    "wrong": wrong,
    "forged": forged,
    "accepted": accepted,
    "unaccepted": unaccepted,
    "share": lambda record: mean_share(timed_rows(record)),
    "share_proved": lambda record: f"{len(timed_rows(record)):,}",
    "slower": slower,
    "soak": soak.said,
    "soak_troubles": soak.troubles,
    "soak_checks": soak.checks,
}
