"""What the page of ``pcsos ask --web`` shows, as HTML: a question, and the end of the questions."""

import base64
import hashlib
import math
from collections.abc import Sequence
from importlib.resources import files

from pcsos.analysis.active import SideBySide
from pcsos.analysis.active.session import ActiveSession
from pcsos.analysis.active.side_by_side import Row
from pcsos.cli.pair_picture import CLASSES
from pcsos.report.markup import Markup, element, join
from pcsos.verify.reading.text import number_of

TITLE = "Same cluster?"
#: For each reply what its button says, and the key that presses it, if any.
REPLIES = {"y": ("Same cluster", "Y"), "n": ("Different", "N"), "u": ("Don’t know", "U")}
OTHERS = {"b": ("Undo", "B"), "q": ("Finish", "")}
#: Standard deviations that fill the bar of a difference.
FULL = 3.0


def question_body(
    session: ActiveSession, pair: tuple[int, int], show: SideBySide, picture: Markup, form: Markup, notes: Sequence[str]
) -> Markup:
    """Return what is on the page of a question; ``form`` is where it is answered."""
    number, left = len(session.answers) + 1, session.questions_left
    of = "" if math.isinf(left) else f" of {number - 1 + int(left)}"
    after = "" if math.isinf(left) else f"{int(left) - 1} left after this one"
    counted_off = element("p", element("strong", f"Question {number}{of}"), element("span", after), class_="count")
    comparison = element("div", _comparison(pair, show), form, class_="comparison")
    return element(
        "main",
        element("header", counted_off, *_progress(session)),
        element("h1", "Do these two belong to the same cluster?"),
        *(element("p", note, class_="note", role="status") for note in notes),
        element("div", comparison, picture, class_="board"),
    )


def reply_form(path: str, token: str, *, can_undo: bool, last_seconds: float) -> Markup:
    """Return the buttons.

    Parameters
    ----------
    path : str
        Where replies go.
    token : str
        What stands for the question.
    can_undo : bool
        Whether there is an answer to take back.
    last_seconds : float
        How long it took to choose this question, as an estimate of how long the next one takes.
    """
    which = Markup(f'<input type="hidden" name="question" value="{token}">')
    replies = [_button(key, *words) for key, words in REPLIES.items()]
    others = [_button(key, *words, is_off=key == "b" and not can_undo) for key, words in OTHERS.items()]
    last = f"; the last one took {last_seconds:.0f} s" if last_seconds >= 1.0 else ""
    wait = element(
        "p", "Choosing the next question", element("span", class_="seconds"), last, class_="wait", role="status"
    )
    return element(
        "form", which, element("div", *replies, class_="replies"), element("div", wait, *others, class_="others"),
        method="post", action=path,
    )  # fmt: skip


def last_body(session: ActiveSession, sentences: Sequence[str], command: str) -> Markup:
    """Return the last page: what is known, and the command that goes on with it, if any."""
    answers = [same for *_, same in session.answers]
    tally = [
        element("li", element("b", str(answers.count(same))), f" {REPLIES[reply][0].lower()}")
        for reply, same in (("y", True), ("n", False), ("u", None))
    ]
    following = [element("h2", "Next, the clusters"), element("pre", element("code", command))] if command else []
    return element(
        "main",
        element("h1", "The questions have ended"),
        element("ul", *tally, class_="tally"),
        *_progress(session),
        element("h2", "Result"),
        element("ul", *(element("li", sentence) for sentence in sentences)),
        *following,
        element("p", "This page can be closed.", class_="soft"),
    )


def document(body: Markup) -> str:
    """Return a whole document around its body."""
    head = element(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        element("title", TITLE),
        element("style", _STYLE),
    )
    return f"<!DOCTYPE html>\n{element('html', head, element('body', body, element('script', _SCRIPT)), lang='en')}\n"


def _own(name: str) -> Markup:
    return Markup(files("pcsos.cli").joinpath(name).read_text("utf-8"))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


_STYLE, _SCRIPT = _own("question_page.css"), _own("question_page.js")

#: What a browser may do with the page: run its script, apply its style, and send its form; nothing else.
POLICY = (
    f"default-src 'none'; style-src {_hash(_STYLE)}; script-src {_hash(_SCRIPT)}; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


def _progress(session: ActiveSession) -> tuple[Markup, Markup]:
    """Return how many pairs are known, as a bar and in words."""
    n, known = session.instance.n_points, session.constraints
    total = n * (n - 1) // 2
    done = total - session.knowledge.num_open
    pairs = f"{number_of(len(known.must_link), 'must-link')}, {number_of(len(known.cannot_link), 'cannot-link')}"
    words = f"{done:,} of {total:,} pairs are known ({pairs}; the rest follows)." if done else "No pair is known yet."
    bar = element("progress", max=str(max(total, 1)), value=str(done), aria_label="pairs that are known")
    return bar, element("p", words, class_="soft")


def _comparison(pair: tuple[int, int], show: SideBySide) -> Markup:
    """Return the table of the two points."""
    names = show.instance.names
    titles = [
        element("th", element("span", names.title, class_="soft"), element("b", names[point]), scope="col", class_=own)
        for own, point in zip(CLASSES, pair, strict=True)
    ]
    head = element("tr", element("td"), *titles, element("td", "standard deviations apart", class_="soft"))
    rows = [_row(row) for row in show.rows(*pair)]
    table = element("table", element("thead", head), element("tbody", *rows))
    hidden = show.num_hidden
    return join([table, *([element("p", f"and {hidden} features that differ less", class_="soft")] if hidden else [])])


def _row(row: Row) -> Markup:
    cells = [element("td", value, class_=own) for own, value in zip(CLASSES, row.values, strict=True)]
    share = 100.0 * min((row.apart or 0.0) / FULL, 1.0)
    bar = element(
        "svg", element("rect", width=f"{share:.0f}", height="4"), viewBox="0 0 100 4", preserveAspectRatio="none",
        aria_hidden="true",
    )  # fmt: skip
    apart = f"{row.apart:.2g} sd" if row.apart else row.difference
    difference = element("td", *([bar] if row.apart else []), element("span", apart), class_="difference")
    kind = "same" if row.is_same else "text" if row.apart is None else f"level{row.num_marks}"
    return element("tr", element("th", row.name, scope="row"), *cells, difference, class_=kind)


def _button(reply: str, word: str, key: str, *, is_off: bool = False) -> Markup:
    settings = {"disabled": ""} if is_off else {}
    hint = [element("kbd", key)] if key else []
    return element(
        "button", element("span", word), *hint, name_="reply", value=reply, accesskey=reply, class_=f"reply-{reply}",
        **settings,
    )  # fmt: skip
