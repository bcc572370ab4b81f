"""Write the set anew, with what the first checker says of each file."""

import sys
import tempfile
from pathlib import Path

from tests.conformance import answers, forged, honest
from tests.conformance.answers import FOLDER, Answer
from tests.conformance.page import page


def main() -> None:
    """Write texts, table and page; end with a sentence where the first checker answers otherwise than the table."""
    certificates = {own.name: own for own in [*honest.by_hand(), *honest.by_solver()]}
    everything = [*certificates.values(), *forged.everything()]
    texts = {folder: answers.cleared(FOLDER / folder) for folder in ("honest", "forged")}
    rows, wrong = list[Answer](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for found in everything:
            is_honest = found.name in certificates and found is certificates[found.name]
            (texts["honest" if is_honest else "forged"] / f"{found.name}.sql").write_text(found.sql)
            base = certificates[found.name if is_honest else found.base]
            answer = Answer.of(found, base)
            sentence = answers.said(answers.made(answer, Path(folder)))
            rows.append(Answer.of(found, base, sentence))
            if bool(sentence) != (answer.answer == "refused"):
                wrong.append(
                    f"{answer.name} is to be {answer.answer}, but the first checker says: {sentence or 'accepted'}"
                )
    answers.write(rows)
    (FOLDER / "README.md").write_text(page(rows))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
