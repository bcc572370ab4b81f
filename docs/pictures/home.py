"""Draw the picture of the home page: ``python docs/pictures/home.py docs/pictures/home.svg``."""

import sys

import matplotlib.pyplot as plt

import pcsos
from pcsos.base.events import CutRound, Event, IncumbentFound
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.params import Params, PriceParams

#: Ink that can be read on light and on dark ground.
INK = "#808890"
COLOURS = ("#0a84c6", "#e0662b", "#12a27c", "#c46fae", "#d99a1c")


def draw(picture: str) -> None:
    """Solve a drawn instance, and draw its clusters and how the gap between cost and bound has closed."""
    points, classes = gaussian_mixture(150, 2, 5, separation=4.0, seed=7)
    points = points[:, ::-1]  # wider than high
    must_link, cannot_link = constraints_from_labels(classes, n_must_link=14, n_cannot_link=14, seed=2)
    rounds: list[tuple[float, float]] = []
    costs: list[tuple[float, float]] = []

    def keep(event: Event) -> None:
        if isinstance(event, CutRound) and event.node == 0:
            rounds.append((event.seconds, event.lower_bound))
        if isinstance(event, IncumbentFound):
            costs.append((event.seconds, event.objective))

    params = Params(prices=PriceParams(features_up_to=0))  # the relaxation, not prices
    result = pcsos.solve(
        points,
        5,
        must_link=must_link,
        cannot_link=cannot_link,
        gap=1e-5,
        workers=1,
        options=pcsos.Options(on_event=keep, params=params),
    )
    plt.rcParams.update({"svg.hashsalt": "pcsos", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 11})
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), width_ratios=(1.15, 1.0))
    for pairs, style in ((must_link, "-"), (cannot_link, ":")):
        for i, j in pairs:
            left.plot(*points[[i, j]].T, style, color=INK, linewidth=1.1, zorder=1)
    for cluster, colour in enumerate(COLOURS):
        left.scatter(*points[result.labels == cluster].T, s=26, color=colour, linewidth=0, zorder=2)
    left.set_axis_off()
    left.set_aspect("equal")
    right.step(
        *zip(*costs, (result.seconds, result.objective), strict=True), where="post", color=COLOURS[1], linewidth=2
    )
    right.plot(*zip(*rounds, strict=True), color=COLOURS[0], linewidth=2, marker="o", markersize=4)
    right.fill_between(*zip(*rounds, strict=True), result.objective, color=COLOURS[0], alpha=0.12)
    last = rounds[-1][0]
    right.text(last, 1.004 * result.objective, "best partition", color=COLOURS[1], ha="right", va="bottom")
    right.text(
        last, 0.93 * result.objective, "no partition costs less than this", color=COLOURS[0], ha="right", va="top"
    )
    right.set(xlabel="seconds", ylabel="sum of squares", ylim=(0.8 * result.objective, 1.06 * result.objective))
    right.tick_params(colors=INK)
    for side in ("top", "right"):
        right.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        right.spines[side].set_color(INK)
    right.xaxis.label.set_color(INK)
    right.yaxis.label.set_color(INK)
    figure.tight_layout(w_pad=3.0)
    figure.savefig(picture, transparent=True, metadata={"Date": None})
    print(result, rounds, costs, sep="\n")


if __name__ == "__main__":
    draw(sys.argv[1])
