"""What distinguishes clusters, by hand."""

import numpy as np
import pytest

from pcsos.problem.instance import Instance
from pcsos.report.features import Features, signed

#: The first column tells the clusters apart, the second hardly, the third is constant.
POINTS = np.array([[0.0, 1.0, 7.0], [0.0, 3.0, 7.0], [4.0, 1.0, 7.0], [4.0, 4.0, 7.0]])
LABELS = np.array([0, 0, 1, 1])


@pytest.fixture
def features() -> Features:
    return Features.of(Instance(POINTS, 2), LABELS)


def test_differences_are_in_standard_deviations(features: Features) -> None:
    np.testing.assert_array_equal(features.means, [[0.0, 2.0, 7.0], [4.0, 2.5, 7.0]])
    np.testing.assert_array_equal(features.overall, [2.0, 2.25, 7.0])
    spread = np.std(POINTS[:, 1])
    np.testing.assert_allclose(features.differences, [[-1.0, -0.25 / spread, 0.0], [1.0, 0.25 / spread, 0.0]])


def test_what_tells_clusters_apart_best_comes_first_and_constants_last() -> None:
    features = Features.of(Instance(POINTS[:, ::-1], 2), LABELS)
    assert features.order.tolist() == [2, 1, 0]
    assert features.distinguishing.tolist() == [2, 1]


def test_weights_count() -> None:
    features = Features.of(Instance(POINTS, 2, weights=[1.0, 1.0, 3.0, 3.0]), LABELS)
    assert features.overall[0] == 3.0
    np.testing.assert_allclose(features.differences[:, 0], [-3.0 / np.sqrt(3.0), 1.0 / np.sqrt(3.0)])


def test_sentences_name_what_is_worth_it(features: Features) -> None:
    titles = ("length", "width", "height")
    assert features.sentence(0, titles) == "length low (\N{MINUS SIGN}1.0)"
    assert features.sentence(1, titles) == "length high (+1.0)"
    alike = Features.of(Instance(POINTS, 2), np.array([0, 1, 0, 1]))
    assert alike.sentence(0, titles) == "width low (\N{MINUS SIGN}1.0)"
    same = Features.of(Instance([[0.0], [1.0], [0.0], [1.0]], 2), LABELS)
    assert same.sentence(0, ("length",)) == "close to the average in every feature"


def test_a_sentence_names_three_features_at_most_the_clearest_first() -> None:
    points = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 3.0], [9.0, 9.0, 9.0, 9.0], [9.0, 10.0, 11.0, 12.0]])
    sentence = Features.of(Instance(points, 2), LABELS).sentence(1, ("a", "b", "c", "d"))
    assert [words.split()[0] for words in sentence.split(", ")] == ["a", "b", "c"]


def test_numbers_of_any_size_have_differences() -> None:
    for scale in (1e-130, 1e130):
        differences = Features.of(Instance(scale * POINTS, 2), LABELS).differences
        np.testing.assert_allclose(differences[:, 0], [-1.0, 1.0])


@pytest.mark.parametrize(
    ("value", "text"), [(1.24, "+1.2"), (-0.96, "\N{MINUS SIGN}1.0"), (0.04, "0.0"), (-0.04, "0.0"), (-0.0, "0.0")]
)
def test_signed(value: float, text: str) -> None:
    assert signed(value) == text
