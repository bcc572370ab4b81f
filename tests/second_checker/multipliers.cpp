// Sections 5, 6 and 13: what multipliers prove in a state.
#include "multipliers.h"

#include <cmath>

#include "spectral.h"

namespace {

constexpr int box_bits = 126;  // binary digits of hi

const View& affordable(const View& view, const Data& data) {
    const double s = view.size(), eigenvectors = std::min<double>(s, most_with_eigenvectors);
    const double bytes = std::max(32 * s * s, 80 * eigenvectors * eigenvectors);
    require(s >= 1 && s <= 1 << 15, "multipliers: a state of a size that no bound can have");
    if (s <= 10000) budget.bytes = std::max(budget.bytes, bytes);  // whatever the size of the file
    hold(bytes, "a bound");
    spend(0.4 * s * s * s + s * s * (100 + data.d) + s * view.k * 20 + 20000, "a bound");
    return view;
}

}  // namespace

MultiplierBound::MultiplierBound(const Data& data, const View& view, Arrays& arrays, const Conditions& conditions, bool has_open_pairs)
    : view_(affordable(view, data)), s_(view.groups.size()), given_(view, arrays), weights_(data, view), roots_(weights_) {
    std::tie(least_, largest_) = conditions.cluster_weights(view);
    for (size_t i = 0; i < s_; ++i) {
        least_up_.push_back(ceil_of(times_power(least_[i], -weights_.unit)));
        // M_i may be less than what i weighs: then there is no partition, and anything holds.
        if (largest_[i] <= 0) largest_[i] = weight(i);
    }
    spend(1000.0 * static_cast<double>(conditions.soft.size() + 10 * given_.about.size()), "soft pairs");
    OnZ on_z;
    bound_ = charge_pairs(conditions, has_open_pairs, on_z) + conditions.paid(view_);
    bound_ += times_power(Rational(box()), given_.unit_of_n - box_bits);
    bound_ += right_hand_sides(conditions, 100.0 * view_.k + 10.0 * data.n);
    bound_ += quadratic(data, on_z);
}

// sqrt(e_i e_j) / max(e_i + e_j, L_i, L_j) in units of 2^-126, rounded down by less than 2^5: of the quotient, at most
// 2^125, less than 4 units are lost to rounding, and less than 1 is won, as its divisor is rounded down.
UnsignedWide MultiplierBound::high_end(size_t i, size_t j) const {
    const Integer together = weights_.each[i] + weights_.each[j];
    const bool reaches = together >= std::max(least_up_[i], least_up_[j]);
    const Float weight_of_both = reaches ? to_float(together, weights_.unit) : to_float(std::max(least_[i], least_[j]));
    const UnsignedWide quotient = in_units(roots_.each[i] * roots_.each[j] / weight_of_both, -box_bits);
    return quotient > 16 ? quotient - 16 : 0;
}

// Numbers of super-points that are the same for equal weights and L_i.
std::vector<size_t> MultiplierBound::kinds_of_weights() const {
    std::vector<size_t> order(s_), kind(s_);
    std::iota(order.begin(), order.end(), size_t{0});
    const auto own = [&](size_t i) { return std::tie(weights_.each[i], least_[i]); };
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return own(i) < own(j); });
    for (size_t at = 1; at < s_; ++at) kind[order[at]] = kind[order[at - 1]] + (own(order[at]) != own(order[at - 1]));
    return kind;
}

// The sum of N+ lo - N- hi, rounded down, in units of N times 2^-126.
Integer MultiplierBound::box() const {
    const std::vector<size_t> kind = kinds_of_weights();
    const size_t kinds = *std::max_element(kind.begin(), kind.end()) + 1;
    const bool are_few = 2 * kinds <= s_;  // as a rule: then each end is found once
    std::vector<UnsignedWide> ends(are_few ? kinds * kinds : 0);
    Integer sum, off_diagonal;
    for (size_t i = 0; i < s_; ++i) {
        const int64_t* row = given_.n.row(i);
        const Rational end = weight(i) / (row[i] > 0 ? largest_[i] : reached(i));
        sum += floor_of(times_power(end * static_cast<long>(row[i]), box_bits));
        auto skipped = std::upper_bound(view_.around[i].begin(), view_.around[i].end(), static_cast<int>(i));
        for (size_t j = i + 1; j < s_; ++j) {
            if (skipped != view_.around[i].end() && *skipped == static_cast<int>(j)) {
                ++skipped;
                continue;
            }
            if (row[j] >= 0) continue;
            UnsignedWide own = 0, &high = are_few ? ends[kind[i] * kinds + kind[j]] : own;
            if (high == 0) high = high_end(i, j) + 32;
            const Limbs limbs(high);
            mpz_addmul_ui(off_diagonal.get_mpz_t(), limbs.number, -static_cast<uint64_t>(row[j]));
        }
    }
    return sum - 2 * off_diagonal;
}

// The sum of mu b, rounded down.
Rational MultiplierBound::right_hand_sides(const Conditions& conditions, double work) const {
    Rational sum = Rational(given_.cliques) / *std::max_element(largest_.begin(), largest_.end()) + given_.weights;
    Integer crossings;
    for (const auto& [points, mu] : given_.sets) {
        spend(work, "least crossings");
        crossings += floor_of(times_power(mu * conditions.crossing(points), box_bits));
    }
    return times_power(sum + times_power(Rational(crossings), -box_bits), given_.unit);
}

// Section 13: the sum of min(0, p - m), and what penalties and the cuts about pairs add to G.
Rational MultiplierBound::charge_pairs(const Conditions& conditions, bool has_open_pairs, OnZ& on_z) const {
    auto left = has_open_pairs ? conditions.open(view_) : Penalties();  // p - m
    const auto amount = [&](int64_t mu) { return times_power(Rational(mu), given_.unit); };
    for (const auto& [pair, sums] : given_.about) {
        const Rational &m_i = largest_[pair.first], &m_j = largest_[pair.second];
        left[pair].first -= amount(sums.apart);
        left[pair].second -= amount(sums.together);
        on_z[pair] += amount(sums.first) * m_i + amount(sums.second) * m_j - amount(sums.both) * std::min(m_i, m_j);
        on_z[{pair.first, pair.first}] -= amount(sums.first) * m_i;
        on_z[{pair.second, pair.second}] -= amount(sums.second) * m_j;
    }
    Rational least;
    for (const auto& [pair, p] : left) {
        const auto& [i, j] = pair;
        const Rational b_i = reached(i), b_j = reached(j), b = std::max({Rational(weight(i) + weight(j)), least_[i], least_[j]});
        const auto& [apart, together] = p;
        on_z[{i, i}] += apart * b_i / 2;
        on_z[{j, j}] += apart * b_j / 2;
        on_z[pair] += together * b - apart * (b_i + b_j) / 2;
        least += std::min(Rational(0), apart) + std::min(Rational(0), together);
    }
    return least;
}

// At most T + <G, Y> for the Y of every partition, with G = -C + P - N - sum of mu A.
Rational MultiplierBound::quadratic(const Data& data, const OnZ& on_z) {
    const Moments moments(data, view_, weights_);
    const Rational squares = times_power(Rational(moments.squares), moments.square_unit);
    const Rows rows(weights_, roots_, moments, static_cast<size_t>(data.d));
    const std::vector<Float>&root = roots_.each, &inverse = roots_.inverse;
    const auto terms = [&](size_t i, auto add) {
        for (size_t j = i; j < s_; ++j) {
            add(j, -rows.product(i, j), to_float(1, 2 * rows.unit));
            add(j, -given_.n.row(i)[j], to_float(1, given_.unit_of_n));
            add(j, -given_.twice.row(i)[j], inverse[i] * inverse[j] * to_float(1, given_.unit - 1));
            if (given_.moved.empty()) continue;
            add(j, given_.moved[i * s_ + j], inverse[i] * root[j] * to_float(1, given_.unit - 1));
            add(j, given_.moved[j * s_ + i], inverse[j] * root[i] * to_float(1, given_.unit - 1));
        }
        const int own = static_cast<int>(i);
        for (auto at = on_z.lower_bound({own, own}); at != on_z.end() && at->first.first == own; ++at) {
            const int j = at->first.second;
            add(j, sgn(at->second), to_float(at->second) * inverse[i] * inverse[j] * to_float(1, j == own ? 0 : -1));
        }
    };
    long unit = 0;
    Symmetric<Wide> g = add_up(s_, unit, terms);
    if (unit == no_unit) return squares;  // G = 0
    given_.twice = Symmetric<Wide>();
    given_.moved = {};
    std::vector<UnsignedWide> u(s_);
    for (size_t i = 0; i < s_; ++i) {
        const Integer square = floor_times_power(weights_.each[i], 2 * direction_bits) / weights_.total;
        u[i] = in_units(to_float(Integer(sqrt(square))), 0);
    }
    const Integer tolerable = floor_times_power(moments.squares * std::min(data.n, 512), moments.square_unit - 50 - unit);
    const Integer value = least_product(g, u, view_.k - 1, tolerable);
    // G is off by less than 7 units an entry and by what the rows are; the norm of Y is the root of k.
    const Integer off = floor_times_power(rows.error(), 2 * rows.unit - unit) + 1 + 7 * static_cast<unsigned long>(s_);
    return squares + times_power(Rational(value - root_up(view_.k * off * off)), unit);
}

Rational MultiplierBound::together(int p, int q) const {
    const size_t i = static_cast<size_t>(view_.of[p]), j = static_cast<size_t>(view_.of[q]);
    const int64_t n = i == j ? 0 : given_.n.at(i, j);
    if (n <= 0) return bound_;
    const Rational share = exact(roots_.each[i] * roots_.each[j]) / std::min(largest_[i], largest_[j]);
    return bound_ + times_power(n * share, given_.unit_of_n + 1);
}

Rational MultiplierBound::apart(int p, int q) const {
    const size_t i = static_cast<size_t>(view_.of[p]), j = static_cast<size_t>(view_.of[q]);
    Rational result = bound_;
    if (i == j) return result;
    const int64_t n = given_.n.at(i, j);
    if (n < 0 && !view_.apart(static_cast<int>(i), static_cast<int>(j))) {
        const Rational high = times_power(Rational(integer(static_cast<Wide>(high_end(i, j)))), 1 - box_bits);
        result -= times_power(n * high, given_.unit_of_n);
    }
    for (const Pair& pair : {Pair(i, j), Pair(j, i)}) {
        const auto found = given_.single.find(pair);
        if (found == given_.single.end()) continue;
        result += times_power(found->second / largest_[pair.first], given_.unit);
    }
    return result;
}
