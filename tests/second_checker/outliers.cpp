// Section 15: points that are left out.
#include "exact.h"
#include "proof.h"

namespace {

using Worths = std::vector<Rational>;

// Of super-points of several points: the greatest worth by their number and points, nothing where there are no such ones.
class Table {
  public:
    Table(size_t number, size_t points) : points_(points), best_((number + 1) * (points + 1)) { best_[0] = Rational(0); }
    std::optional<Rational>& at(size_t number, size_t points) { return best_[number * (points_ + 1) + points]; }
    void add(const Rational& worth, size_t count, size_t most) {
        for (size_t number = most; number > 0; --number) {
            for (size_t points = points_; points + 1 > count; --points) {
                const auto& before = at(number - 1, points - count);
                if (!before) continue;
                const Rational with = *before + worth;
                auto& own = at(number, points);
                if (!own || *own < with) own = with;
            }
        }
    }

  private:
    const size_t points_;
    std::vector<std::optional<Rational>> best_;
};

}  // namespace

std::optional<Rational> greatest_left_out(
    const Scope& scope, const View& view, const std::vector<double>* prices, bool exactly) {
    const size_t points = static_cast<size_t>(scope.conditions.outliers);
    const size_t groups = static_cast<size_t>(std::max(view.size() - view.k, 0));
    Worths ones;
    std::vector<std::pair<Rational, size_t>> others;
    for (size_t i = 0; i < view.groups.size(); ++i) {
        const std::vector<int>& own = view.groups[i];
        if (own.size() != scope.whole_size[own[0]] || own.size() > points) continue;
        Rational worth = own.size() > 1 ? cost(scope.data, {own}) : Rational(0);
        if (prices) worth += Rational((*prices)[i]);
        if (!exactly && worth <= 0) continue;
        if (own.size() == 1) ones.push_back(std::move(worth));
        else others.emplace_back(std::move(worth), own.size());
    }
    std::sort(ones.begin(), ones.end(), [](const Rational& a, const Rational& b) { return a > b; });
    const size_t most = std::min({groups, others.size(), points / 2});
    const double size = static_cast<double>((most + 1) * (points + 1));
    hold(100 * size, "what is left out");
    spend(500 * size * static_cast<double>(others.size() + 1) + 5000 * static_cast<double>(view.size()), "what is left out");
    Table table(most, points);
    for (const auto& [worth, count] : others) table.add(worth, count, most);
    Worths sums = {Rational(0)};
    for (const Rational& worth : ones) sums.push_back(sums.back() + worth);
    std::optional<Rational> best;
    for (size_t number = 0; number <= most; ++number) {
        for (size_t held = 0; held <= points; ++held) {
            const auto& own = table.at(number, held);
            if (!own) continue;
            const size_t room = std::min({ones.size(), points - held, groups - number});
            if (exactly && number + room != groups) continue;
            const Rational sum = *own + sums[room];
            if (!best || *best < sum) best = sum;
        }
    }
    return best;
}
