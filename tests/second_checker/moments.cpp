#include "moments.h"

#include <algorithm>

namespace {

Integer nearest(const Integer& x, const Integer& y) {
    return floor_of(Rational(2 * x + y) / (2 * y));
}

}  // namespace

Weights::Weights(const Data& data, const View& view) : unit(extent(data.weights).unit), each(view.groups.size()) {
    Integer weight;
    for (int p = 0; p < data.n; ++p) {
        set_units(weight, data.weights[p], unit);
        each[view.of[p]] += weight;
        total += weight;
    }
}

// The origin of a block is the place nearest to its mean on the grid of all coordinates. None of them is nearer,
// so T is at most twice what it is about the mean itself.
Moments::Moments(const Data& data, const View& view, const Weights& weights)
    : sums(view.groups.size() * data.d) {
    const Extent range = extent(data.points);
    const double words = 2 + range.words();
    const double coordinates = static_cast<double>(data.n + view.size()) * data.d;
    spend(coordinates * (60 + 15 * words + words * words), "sums of points");
    sum_unit = weights.unit + range.unit;
    square_unit = sum_unit + range.unit;
    std::vector<Integer> point_weights(data.n);
    for (int p = 0; p < data.n; ++p) set_units(point_weights[p], data.weights[p], weights.unit);
    Integer x, product;
    for (int p = 0; p < data.n; ++p)
        for (int j = 0; j < data.d; ++j) {
            set_units(x, data.point(p, j), range.unit);
            product = point_weights[p] * x;
            sums[static_cast<size_t>(view.of[p]) * data.d + j] += product;
            mpz_addmul(squares.get_mpz_t(), product.get_mpz_t(), x.get_mpz_t());
        }
    std::vector<char> moved(view.groups.size());
    for (const auto& block : view.blocks) {
        std::vector<int> members;
        for (const int p : block)
            if (!moved[view.of[p]]) moved[view.of[p]] = 1, members.push_back(view.of[p]);
        Integer weight;
        for (const int i : members) weight += weights.each[i];
        for (int j = 0; j < data.d && weight > 0; ++j) {
            Integer sum;
            for (const int i : members) sum += sums[static_cast<size_t>(i) * data.d + j];
            const Integer origin = nearest(sum, weight);
            for (const int i : members) sums[static_cast<size_t>(i) * data.d + j] -= origin * weights.each[i];
            squares += origin * (origin * weight - 2 * sum);
        }
    }
}
