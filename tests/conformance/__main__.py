"""Write the set anew, with what the first checker says of each file."""

import sys
import tempfile
from pathlib import Path

from tests.conformance import forged, honest, texts
from tests.conformance.certificate import Certificate
from tests.conformance.forgery import Forgery
from tests.conformance.page import page
from tests.conformance.texts import FOLDER, Expected


def main() -> None:
    """Write texts, table and page; end with a sentence where the first checker answers otherwise than the table."""
    certificates = {own.name: own for own in [*honest.by_hand(), *honest.by_solver()]}
    everything: list[Certificate | Forgery] = [*certificates.values(), *forged.everything()]
    folders = {folder: texts.cleared(FOLDER / folder) for folder in ("honest", "forged")}
    rows, wrong = list[Expected](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for found in everything:
            kind = "honest" if isinstance(found, Certificate) else "forged"
            (folders[kind] / f"{found.name}.sql").write_text(found.sql)
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
