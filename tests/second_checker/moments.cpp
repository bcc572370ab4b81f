#include "moments.h"

#include <algorithm>
#include <numeric>

namespace {

Integer nearest(const Integer& x, const Integer& y) {
    return floor_of(Rational(2 * x + y) / (2 * y));
}

}  // namespace

Sums::Sums(const Data& data, const Groups& groups)
    : length_unit(extent(data.points).unit), weight_unit(extent(data.weights).unit),
      words(extent(data.points).words() + extent(data.weights).words()), data_(data), groups_(groups) {}

const Sum& Sums::of(size_t group) {
    const double size = static_cast<double>(groups_[group].size());
    spend(1000 + 20 * (2 + words * words) * size * (data_.d + 1), "sums of points");
    sum_.moments.assign(data_.d, 0);
    sum_.weight = sum_.square = 0;
    Integer x, weight, product;
    for (const int p : groups_[group]) {
        set_units(weight, data_.weights[p], weight_unit);
        sum_.weight += weight;
        for (int j = 0; j < data_.d; ++j) {
            set_units(x, data_.point(p, j), length_unit);
            product = weight * x;
            sum_.moments[j] += product;
            mpz_addmul(sum_.square.get_mpz_t(), product.get_mpz_t(), x.get_mpz_t());
        }
    }
    return sum_;
}

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
    Sums own(data, view.groups);
    sum_unit = own.weight_unit + own.length_unit;
    square_unit = sum_unit + own.length_unit;
    for (size_t i = 0; i < view.groups.size(); ++i) {
        const Sum& sum = own.of(i);
        std::copy(sum.moments.begin(), sum.moments.end(), sums.begin() + static_cast<std::ptrdiff_t>(i) * data.d);
        squares += sum.square;
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

const Sum& Distances::of(int super_point) {
    auto& known = known_[super_point];
    return known ? *known : known.emplace(sums_.of(super_point));
}

Rational Distances::between(int i, int j) {
    const Sum &a = of(i), &b = of(j);
    spend(300 + static_cast<double>(a.moments.size() + 4) * (200 + 4 * sums_.words * sums_.words), "far pairs");
    Integer squares, difference;
    for (size_t f = 0; f < a.moments.size(); ++f) {
        difference = b.weight * a.moments[f] - a.weight * b.moments[f];
        squares += difference * difference;
    }
    Rational distance(squares, a.weight * b.weight * (a.weight + b.weight));
    distance.canonicalize();
    return times_power(distance, sums_.weight_unit + 2L * sums_.length_unit);
}

Roots::Roots(const Weights& weights) {
    for (const Integer& weight : weights.each) {
        each.push_back(root(weight, weights.unit));
        inverse.push_back(inverse_root(weight, weights.unit));
    }
}

Rows::Rows(const Weights& weights, const Roots& roots, const Moments& moments, size_t features)
    : d(features), entries(moments.sums.size()) {
    const size_t s = weights.each.size();
    long most = no_top;  // squares of lengths are less than 2^most
    Integer square;
    for (size_t i = 0; i < s; ++i) {
        square = 0;
        for (size_t j = 0; j < d; ++j) square += moments.sums[i * d + j] * moments.sums[i * d + j];
        if (square != 0) most = std::max(most, bits(square) - bits(weights.each[i]) + 1);
    }
    if (most == no_top) return;
    most += 2 * moments.sum_unit - weights.unit;
    unit = (most >= 0 ? (most + 1) / 2 : most / 2) - 61;
    for (size_t i = 0; i < s; ++i) {
        const Integer factor = integer(static_cast<Wide>(roots.inverse[i].mantissa >> 1));
        const long by = moments.sum_unit + roots.inverse[i].exponent + 1 - unit;
        for (size_t j = 0; j < d; ++j) {  // to the nearest integer
            const Integer twice = floor_times_power(moments.sums[i * d + j] * factor, by + 1) + 1;
            entries[i * d + j] = floor_times_power(twice, -1).get_si();
        }
    }
}

Wide Rows::product(size_t i, size_t j) const {  // no sum of some of the terms is larger than the lengths are
    Wide sum = 0;
    for (size_t a = 0; a < d; ++a) sum += static_cast<Wide>(entries[i * d + a]) * entries[j * d + a];
    return sum;
}

Integer Rows::error() const {  // 2 ||Q|| ||D|| + ||D||^2
    Integer square;
    for (size_t i = 0; i * d < entries.size(); ++i) square += integer(product(i, i));
    if (square == 0) return 0;  // all sums are 0
    const Integer off = root_up(static_cast<unsigned long>(entries.size()));
    return 2 * root_up(square) * off + off * off;
}

std::vector<Rational> largest_clusters(const Data& data, const View& view) {
    const Weights weights(data, view);
    const size_t s = view.groups.size();
    std::vector<size_t> lightest(s);
    std::iota(lightest.begin(), lightest.end(), size_t{0});
    std::sort(lightest.begin(), lightest.end(), [&](size_t i, size_t j) { return weights.each[i] < weights.each[j]; });
    std::vector<Rational> result(s);
    std::vector<char> outside(s);
    const double words = extent(data.weights).words();
    for (size_t i = 0; i < s; ++i) {
        spend(20 * (2 + words) * (view.k + static_cast<double>(view.around[i].size())), "largest clusters");
        Integer left = weights.total;
        for (const int j : view.around[i]) left -= weights.each[j], outside[j] = 1;
        long missing = static_cast<long>(view.k) - 1 - static_cast<long>(view.around[i].size());
        for (size_t at = 0; at < s && missing > 0; ++at) {
            const size_t j = lightest[at];
            if (j == i || outside[j]) continue;
            left -= weights.each[j];
            --missing;
        }
        for (const int j : view.around[i]) outside[j] = 0;
        result[i] = weights.value(left);
    }
    return result;
}
