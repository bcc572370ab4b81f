// Sections 5 and 13: what multipliers prove in a state.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bounds.h"
#include "cuts.h"
#include "moments.h"
#include "spectral.h"

namespace {

constexpr int box_bits = 126;          // binary digits of hi
}  // namespace

struct MultiplierBound::Parts {
    const View view;                        // a copy: the state may go on before pairs are asked for
    Multipliers given;
    Weights weights;
    std::vector<Rational> largest;          // M_i
    Roots roots;                            // of e_i
    Rational low;                           // L of section 13, 0 without limits
    Integer low_up;                         // rounded up, in units of weights
    Rational bound;
    size_t s;

    Parts(const Data&, const View&, Arrays&, const Conditions&, bool has_open_pairs);
    Rational weight(size_t i) const { return weights.value(weights.each[i]); }
    Rational reached(size_t i) const { return std::max(weight(i), low); }   // b_i
    UnsignedWide high_end(size_t i, size_t j) const;
    std::vector<size_t> kinds_of_weights() const;
    Integer box() const;
    Rational right_hand_sides(const Conditions&, double work) const;
    using OnZ = std::map<Pair, Rational>;   // coefficients of Z_ij, i < j: half of them in each of two entries
    Rational charge_pairs(const Conditions&, bool has_open_pairs, OnZ&) const;
    long find_unit(const Rows&, const OnZ&) const;
    Symmetric<Wide> form(const Rows&, const OnZ&, long unit) const;
    Rational quadratic(const Data&, const OnZ&);
};

MultiplierBound::Parts::Parts(const Data& data, const View& state, Arrays& arrays, const Conditions& conditions, bool has_open_pairs)
    : view(state), given(state, arrays), weights(data, state), largest(largest_clusters(data, state)),
      roots(weights), s(state.groups.size()) {
    if (conditions.has_limits) low = std::max(Rational(0), conditions.low);
    low_up = ceil_of(times_power(low, -weights.unit));
    for (size_t i = 0; i < s; ++i) {
        // U may be less than what i weighs: then there is no partition, and anything holds.
        if (conditions.has_limits) largest[i] = std::min(largest[i], conditions.high);
        if (largest[i] <= 0) largest[i] = weight(i);
    }
    spend(1000.0 * static_cast<double>(conditions.soft.size() + 10 * given.about.size()), "soft pairs");
    OnZ on_z;
    bound = charge_pairs(conditions, has_open_pairs, on_z) + conditions.paid(view);
    bound += times_power(Rational(box()), given.unit_of_n - box_bits);
    bound += right_hand_sides(conditions, 100.0 * view.k + 10.0 * data.n);
    bound += quadratic(data, on_z);
}

// sqrt(e_i e_j) / max(e_i + e_j, L) in units of 2^-126, rounded down by less than 2^5: of the quotient, at most
// 2^125, less than 4 units are lost to rounding, and less than 1 is won, as its divisor is rounded down.
UnsignedWide MultiplierBound::Parts::high_end(size_t i, size_t j) const {
    const Integer together = weights.each[i] + weights.each[j];
    const Float weight_of_both = together >= low_up ? to_float(together, weights.unit) : to_float(low);
    const UnsignedWide quotient = in_units(roots.each[i] * roots.each[j] / weight_of_both, -box_bits);
    return quotient > 16 ? quotient - 16 : 0;
}

// Numbers of super-points that are the same for equal weights.
std::vector<size_t> MultiplierBound::Parts::kinds_of_weights() const {
    std::vector<size_t> order(s), kind(s);
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return weights.each[i] < weights.each[j]; });
    for (size_t at = 1; at < s; ++at)
        kind[order[at]] = kind[order[at - 1]] + (weights.each[order[at]] != weights.each[order[at - 1]]);
    return kind;
}

// The sum of N+ lo - N- hi, rounded down, in units of N times 2^-126.
Integer MultiplierBound::Parts::box() const {
    const std::vector<size_t> kind = kinds_of_weights();
    const size_t kinds = *std::max_element(kind.begin(), kind.end()) + 1;
    std::vector<UnsignedWide> ends(kinds * kinds);  // found once: there are few kinds, as a rule
    Integer sum, off_diagonal;
    for (size_t i = 0; i < s; ++i) {
        const int64_t* row = given.n.row(i);
        const Rational end = weight(i) / (row[i] > 0 ? largest[i] : reached(i));
        sum += floor_of(times_power(end * static_cast<long>(row[i]), box_bits));
        auto skipped = std::upper_bound(view.around[i].begin(), view.around[i].end(), static_cast<int>(i));
        for (size_t j = i + 1; j < s; ++j) {
            if (skipped != view.around[i].end() && *skipped == static_cast<int>(j)) {
                ++skipped;
                continue;
            }
            if (row[j] >= 0) continue;
            UnsignedWide& high = ends[kind[i] * kinds + kind[j]];
            if (high == 0) high = high_end(i, j) + 32;
            const Limbs limbs(high);
            mpz_addmul_ui(off_diagonal.get_mpz_t(), limbs.number, -static_cast<uint64_t>(row[j]));
        }
    }
    return sum - 2 * off_diagonal;
}

// The sum of mu b, rounded down.
Rational MultiplierBound::Parts::right_hand_sides(const Conditions& conditions, double work) const {
    Rational sum = Rational(given.cliques) / *std::max_element(largest.begin(), largest.end()) + given.weights;
    Integer crossings;
    for (const auto& [points, mu] : given.sets) {
        spend(work, "least crossings");
        crossings += floor_of(times_power(mu * conditions.crossing(points), box_bits));
    }
    return times_power(sum + times_power(Rational(crossings), -box_bits), given.unit);
}

// Section 13: the sum of min(0, p - m), and what penalties and the cuts about pairs add to G.
Rational MultiplierBound::Parts::charge_pairs(const Conditions& conditions, bool has_open_pairs, OnZ& on_z) const {
    auto left = has_open_pairs ? conditions.open(view) : Penalties();  // p - m
    const auto amount = [&](int64_t mu) { return times_power(Rational(mu), given.unit); };
    for (const auto& [pair, sums] : given.about) {
        const Rational &m_i = largest[pair.first], &m_j = largest[pair.second];
        left[pair].first -= amount(sums.apart);
        left[pair].second -= amount(sums.together);
        on_z[pair] += amount(sums.first) * m_i + amount(sums.second) * m_j - amount(sums.both) * std::min(m_i, m_j);
        on_z[{pair.first, pair.first}] -= amount(sums.first) * m_i;
        on_z[{pair.second, pair.second}] -= amount(sums.second) * m_j;
    }
    Rational least;
    for (const auto& [pair, p] : left) {
        const auto& [i, j] = pair;
        const Rational b_i = reached(i), b_j = reached(j), b = std::max(Rational(weight(i) + weight(j)), low);
        const auto& [apart, together] = p;
        on_z[{i, i}] += apart * b_i / 2;
        on_z[{j, j}] += apart * b_j / 2;
        on_z[pair] += together * b - apart * (b_i + b_j) / 2;
        least += std::min(Rational(0), apart) + std::min(Rational(0), together);
    }
    return least;
}

// G is formed in units so small that the largest of the terms of its entries has 96 binary digits.
long MultiplierBound::Parts::find_unit(const Rows& rows, const OnZ& on_z) const {
    long most = no_top;
    const auto count = [&](UnsignedWide c, long exponent) { if (c) most = std::max(most, bits(c) + exponent); };
    UnsignedWide any = 0;
    for (const int64_t entry : given.n.upper) any |= magnitude(entry);
    count(any, given.unit_of_n);
    for (size_t i = 0; i < s; ++i) {
        count(static_cast<UnsignedWide>(rows.product(i, i)), 2 * rows.unit);
        for (size_t j = i; j < s; ++j) {
            count(magnitude(given.twice.row(i)[j]), given.unit - 1 + roots.inverse[i].top() + roots.inverse[j].top());
            if (given.moved.empty()) continue;
            count(magnitude(given.moved[i * s + j]), given.unit + roots.inverse[i].top() + roots.each[j].top());
            count(magnitude(given.moved[j * s + i]), given.unit + roots.inverse[j].top() + roots.each[i].top());
        }
    }
    for (const auto& [pair, value] : on_z) {
        const Float size = to_float(value) * roots.inverse[pair.first] * roots.inverse[pair.second];
        count(size.mantissa, size.exponent);
    }
    return most == no_top ? most : most - 96;
}

// G = -C + P - N - sum of mu A. Of an entry, less than 7 units are rounded off; it is less than 7 times 2^96.
Symmetric<Wide> MultiplierBound::Parts::form(const Rows& rows, const OnZ& on_z, long unit) const {
    Symmetric<Wide> g(s);
    for (size_t i = 0; i < s; ++i)
        for (size_t j = i; j < s; ++j) {
            Wide& entry = g.row(i)[j];
            entry = -shifted(rows.product(i, j), 2 * rows.unit - unit);
            entry -= shifted(given.n.row(i)[j], given.unit_of_n - unit);
            entry -= scaled(given.twice.row(i)[j], given.unit - 1, roots.inverse[i], roots.inverse[j], unit);
            if (given.moved.empty()) continue;
            entry += scaled(given.moved[i * s + j], given.unit - 1, roots.inverse[i], roots.each[j], unit);
            entry += scaled(given.moved[j * s + i], given.unit - 1, roots.inverse[j], roots.each[i], unit);
        }
    for (const auto& [pair, value] : on_z) {
        const auto& [i, j] = pair;
        const Float size = to_float(value) * roots.inverse[i] * roots.inverse[j];
        const Wide entry = static_cast<Wide>(in_units(size, unit + (i != j)));
        g.row(i)[j] += value < 0 ? -entry : entry;
    }
    return g;
}

// At most T + <G, Y> for the Y of every partition.
Rational MultiplierBound::Parts::quadratic(const Data& data, const OnZ& on_z) {
    const Moments moments(data, view, weights);
    const Rational squares = times_power(Rational(moments.squares), moments.square_unit);
    const Rows rows(weights, roots, moments, static_cast<size_t>(data.d));
    const long unit = find_unit(rows, on_z);
    if (unit == no_top) return squares;  // G = 0
    Symmetric<Wide> g = form(rows, on_z, unit);
    given.twice = Symmetric<Wide>();
    given.moved = {};
    std::vector<UnsignedWide> u(s);
    for (size_t i = 0; i < s; ++i) {
        const Integer square = floor_times_power(weights.each[i], 2 * direction_bits) / weights.total;
        u[i] = in_units(to_float(Integer(sqrt(square))), 0);
    }
    const Integer tolerable = floor_times_power(moments.squares * data.n, moments.square_unit - 50 - unit);
    const Integer value = least_product(g, u, view.k - 1, tolerable);
    // G is off by less than 7 units an entry and by what the rows are; the norm of Y is the root of k.
    const Integer off = floor_times_power(rows.error(), 2 * rows.unit - unit) + 1 + 7 * static_cast<unsigned long>(s);
    return squares + times_power(Rational(value - root_up(view.k * off * off)), unit);
}

MultiplierBound::MultiplierBound(const Data& data, const View& view, Arrays& arrays, const Conditions& conditions, bool has_open_pairs) {
    const double s = view.size();
    require(s >= 1 && s <= 1 << 15 && view.k >= 1, "multipliers: a state of a size that no bound can have");
    budget.bytes = std::max(budget.bytes, 80 * std::pow(std::min(s, 4096.0), 2));  // whatever the size of the file
    hold(80 * s * s, "a bound");
    spend(s * s * s + s * s * (100 + data.d) + s * view.k * 20 + 20000, "a bound");
    parts_ = std::make_unique<Parts>(data, view, arrays, conditions, has_open_pairs);
}

MultiplierBound::~MultiplierBound() = default;

Rational MultiplierBound::value() const { return parts_->bound; }

Rational MultiplierBound::together(int p, int q) const {
    const Parts& state = *parts_;
    const size_t i = static_cast<size_t>(state.view.of[p]), j = static_cast<size_t>(state.view.of[q]);
    const int64_t n = i == j ? 0 : state.given.n.at(i, j);
    if (n <= 0) return state.bound;
    const Rational share = exact(state.roots.each[i] * state.roots.each[j]) / std::min(state.largest[i], state.largest[j]);
    return state.bound + times_power(n * share, state.given.unit_of_n + 1);
}

Rational MultiplierBound::apart(int p, int q) const {
    const Parts& state = *parts_;
    const size_t i = static_cast<size_t>(state.view.of[p]), j = static_cast<size_t>(state.view.of[q]);
    Rational result = state.bound;
    if (i == j) return result;
    const int64_t n = state.given.n.at(i, j);
    if (n < 0 && !state.view.apart(static_cast<int>(i), static_cast<int>(j))) {
        const Rational high = times_power(Rational(integer(static_cast<Wide>(state.high_end(i, j)))), 1 - box_bits);
        result -= times_power(n * high, state.given.unit_of_n);
    }
    for (const Pair& pair : {Pair(i, j), Pair(j, i)}) {
        const auto found = state.given.single.find(pair);
        if (found == state.given.single.end()) continue;
        result += times_power(found->second / state.largest[pair.first], state.given.unit);
    }
    return result;
}
