// Section 14: inner products in place of points.
#include <algorithm>
#include <cmath>

#include "bounds.h"
#include "moments.h"
#include "spectral.h"
#include "state.h"

Rational gram_cost(const std::vector<double>& inner, const Data& data, const Groups& clusters) {
    const Extent numbers = extent(inner), masses = extent(data.weights);
    const int unit = numbers.unit, weight = masses.unit;
    const size_t n = static_cast<size_t>(data.n);
    std::vector<Integer> weights(n);
    for (size_t p = 0; p < n; ++p) set_units(weights[p], data.weights[p], weight);
    std::vector<Fraction> parts;
    Integer k, row, sum, total, diagonal = 0;
    for (const std::vector<int>& cluster : clusters) {
        sum = 0, total = 0;
        const double size = static_cast<double>(cluster.size());
        spend(size * size * (30 + numbers.words() * masses.words()) + 1000, "costs");
        for (size_t a = 0; a < cluster.size(); ++a) {
            const size_t i = static_cast<size_t>(cluster[a]);
            total += weights[i];
            row = 0;
            for (size_t b = 0; b < a; ++b) {
                set_units(k, inner[i * n + cluster[b]], unit);
                mpz_addmul(row.get_mpz_t(), k.get_mpz_t(), weights[cluster[b]].get_mpz_t());
            }
            set_units(k, inner[i * n + i], unit);
            k *= weights[i];
            diagonal += k;
            sum += (2 * row + k) * weights[i];
        }
        if (total > 0) parts.emplace_back(-sum, total);
    }
    return sum_of(std::move(parts), unit + weight) + times_power(Rational(diagonal), unit + weight);
}

namespace {

// The best a for rows q_i = sqrt(w_i) x_i, or close to it: B w / E - w'B w / (2 E^2). It is a proposal in floating point.
std::vector<double> propose_shifts(const std::vector<double>& inner, const Data& data, const Rows& rows) {
    const size_t n = data.weights.size();
    std::vector<long double> sums(rows.d), best(n);
    long double total = 0, all = 0;
    const auto entry = [&](size_t i, size_t j) { return std::ldexp(static_cast<long double>(rows.entries[i * rows.d + j]), rows.unit); };
    for (size_t i = 0; i < n; ++i) {
        total += data.weights[i];
        for (size_t j = 0; j < rows.d; ++j) sums[j] += std::sqrt(static_cast<long double>(data.weights[i])) * entry(i, j);
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < rows.d; ++j) best[i] -= sums[j] * entry(i, j) / std::sqrt(static_cast<long double>(data.weights[i]));
        for (size_t j = 0; j < n; ++j) best[i] += static_cast<long double>(data.weights[j]) * inner[i * n + j];
        best[i] /= total;
        all += data.weights[i] * best[i];
    }
    std::vector<double> shifts;
    for (const long double own : best) {
        const double shift = static_cast<double>(own - all / (2 * total));
        shifts.push_back(std::isfinite(shift) ? shift : 0);
    }
    return shifts;
}

}  // namespace

Rational gram_error(const std::vector<double>& inner, const Data& data, int k) {
    const size_t n = data.weights.size();
    require(n <= size_t{1} << 15, "the Gram matrix: there are too many points");
    const double square = static_cast<double>(n) * static_cast<double>(n);
    spend(square * (data.d * 0.7 + 150), "the Gram matrix");
    hold(8 * square + 16.0 * static_cast<double>(data.points.size()), "the Gram matrix");
    if (data.n == k) return 0;
    State alone(data, k);
    const Weights weights(data, alone.view());
    const Roots roots(weights);
    const Rows rows(weights, roots, Moments(data, alone.view(), weights), static_cast<size_t>(data.d));
    const std::vector<double> shifts = propose_shifts(inner, data, rows);

    // R times the roots of the weights; entries are off by less than 5 units.
    const auto terms = [&](size_t i, auto add) {
        for (size_t j = i; j < n; ++j) {
            const Float scale = roots.each[i] * roots.each[j];
            const Binary own = binary(inner[i * n + j]), a = binary(shifts[i]), b = binary(shifts[j]);
            add(j, -rows.product(i, j), to_float(1, 2 * rows.unit));
            add(j, own.mantissa, scale * to_float(1, own.exponent));
            add(j, -a.mantissa, scale * to_float(1, a.exponent));
            add(j, -b.mantissa, scale * to_float(1, b.exponent));
        }
    };
    long unit = 0;
    const Symmetric<Wide> rest = add_up(n, unit, terms);
    if (unit == no_unit) return 0;
    const Integer off = floor_times_power(rows.error(), 2 * rows.unit - unit) + 1 + 5 * static_cast<unsigned long>(n);
    const Integer norm = norm_up(rest) + off;
    return times_power(Rational(root_up((data.n - k) * norm * norm)), unit);
}
