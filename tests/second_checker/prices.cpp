#include "prices.h"

namespace {

constexpr int most_members = 16, most_axes = 16;
constexpr size_t most_choices = 32;

// All maximal independent sets of a graph, one more vertex at a time. A part of the graph has no more of them than the
// whole: each can be completed, and what is completed tells them apart. So no more than the limit are ever kept.
std::vector<unsigned> maximal_sets(const std::vector<unsigned>& apart) {
    std::vector<unsigned> sets = {0};
    for (unsigned v = 0; v < apart.size(); ++v) {
        std::vector<unsigned> next;
        for (unsigned set : sets) {
            if (set & apart[v]) next.push_back(set);
            const unsigned with = (set & ~apart[v]) | 1u << v;
            bool maximal = true;
            for (unsigned u = 0; u < v && maximal; ++u) maximal = (with >> u & 1) || (apart[u] & with);
            if (maximal) next.push_back(with);
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        require(next.size() <= most_choices, "knots: more than 32 choices");
        sets = std::move(next);
    }
    return sets;
}

Knot knot_of(const View& view, std::vector<int> members) {
    Knot knot{std::move(members), {}};
    std::vector<unsigned> apart(knot.members.size(), 0);
    for (size_t a = 0; a < knot.members.size(); ++a) {
        for (size_t b = 0; b < knot.members.size(); ++b)
            if (view.apart(knot.members[a], knot.members[b])) apart[a] |= 1u << b;
    }
    knot.choices = maximal_sets(apart);
    return knot;
}

}  // namespace

Prices::Prices(Arrays& arrays, const View& view, int features) : each(arrays.doubles(1, view.groups.size()).numbers) {
    require(each.size() == view.groups.size(), "prices: not one for each super-point");
    read_knots(arrays, view);
    read_axes(arrays, static_cast<size_t>(features));
}

void Prices::read_knots(Arrays& arrays, const View& view) {
    const std::vector<int64_t> list = arrays.integers(1, 2 * each.size()).numbers;
    spend(2000.0 * static_cast<double>(list.size()), "knots");
    std::vector<char> seen(each.size(), 0);
    for (size_t at = 0; at < list.size();) {
        const int64_t q = list[at++];
        require(2 <= q && q <= most_members && static_cast<size_t>(q) <= list.size() - at,
                "knots: a knot has no 2 to 16 members");
        std::vector<int> members;
        for (const size_t end = at + static_cast<size_t>(q); at < end; ++at) {
            require(0 <= list[at] && list[at] < view.size(), "knots: no such super-point");
            require(!seen[list[at]], "knots: a super-point is in two places");
            seen[list[at]] = 1;
            if (each[list[at]] > 0) members.push_back(static_cast<int>(list[at]));
        }
        if (members.size() >= 2) knots.push_back(knot_of(view, std::move(members)));
    }
}

void Prices::read_axes(Arrays& arrays, size_t features) {
    const auto [shape, entries] = arrays.integers(2, most_axes * features);
    rows = shape[0], axes = entries;
    if (rows == 0) return;
    const bool fits = rows <= most_axes && rows <= features && shape[1] == features;
    require(fits, "axes: as many columns as features, and up to 16 rows, are needed");
    constexpr int64_t one = int64_t{1} << 30;
    for (const int64_t u : axes) require(-one <= u && u <= one, "axes: they lengthen something");
    for (size_t a = 0; a < rows; ++a) {
        Wide sum = 0;  // at most 16 products of 2^60 for each feature
        for (size_t b = 0; b < rows; ++b) {
            Wide product = 0;
            for (size_t j = 0; j < features; ++j) product += axes[a * features + j] * axes[b * features + j];
            sum += product < 0 ? -product : product;
        }
        require(sum <= Wide{1} << 60, "axes: they lengthen something");
    }
}

std::vector<Rational> Places::find(int super_point) {
    sum_ = sums_.of(static_cast<size_t>(super_point));
    const std::vector<int64_t>& axes = prices_.axes;
    std::vector<Integer> moments = sum_.moments;
    if (prices_.rows > 0) moments.assign(prices_.rows, 0);
    spend(static_cast<double>(300 * moments.size()) + 10 * sums_.words * static_cast<double>(axes.size()), "places");
    for (size_t at = 0; at < axes.size(); ++at) {
        const size_t features = sum_.moments.size();
        moments[at / features] += static_cast<long>(axes[at]) * sum_.moments[at % features];
    }
    std::vector<Rational> place;
    for (const Integer& moment : moments) place.emplace_back(moment, sum_.weight), place.back().canonicalize();
    return place;
}
