#include "moments.h"

#include <algorithm>

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
