"""Write the set anew, with what the first checker says of each file."""

import sys
import tempfile
from pathlib import Path

from tests.conformance import forged, honest, texts
from tests.conformance.certificate import Certificate
from tests.conformance.forgery import Forgery
from tests.conformance.honest import solved
from tests.conformance.page import page
from tests.conformance.texts import FOLDER, Expected


def main() -> None:
    """Write texts, table and page; end with a sentence where the first checker answers otherwise than the table."""
    certificates = {own.name: own for own in [*honest.by_hand(), *solved.certificates()]}
    everything: list[Certificate | Forgery] = [*certificates.values(), *forged.everything()]
    texts.write_archive({texts.name_of(found): found.sql for found in everything})
    texts.texts_of_archive.cache_clear()
    rows, wrong = list[Expected](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for found in everything:
            base = found if isinstance(found, Certificate) else certificates[found.base]
            answer = Expected.of(found, base)
            sentence = texts.said(texts.write_file(Path(folder) / "some.run", answer))
            rows.append(Expected.of(found, base, sentence))
            if bool(sentence) != (answer.answer == "refused"):
                wrong.append(
                    f"{answer.name} is to be {answer.answer}, but the first checker says: {sentence or 'accepted'}"
                )
    texts.write(rows)
    (FOLDER / "README.md").write_text(page(rows))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
