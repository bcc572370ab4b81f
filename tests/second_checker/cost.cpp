// Section 7: the cost of a partition, exactly.
#include <algorithm>
#include <cmath>

#include "conditions.h"
#include "moments.h"

Binary binary(double x) {
    if (x == 0) return {0, 0};
    int exponent = 0;
    const int64_t mantissa = static_cast<int64_t>(std::ldexp(std::frexp(x, &exponent), 53));  // exact: 53 digits
    const int zeros = __builtin_ctzll(static_cast<unsigned long long>(mantissa));
    return {mantissa / (int64_t{1} << zeros), exponent - 53 + zeros};
}

Extent extent(const std::vector<double>& numbers) {
    Extent range{2000, -2000};
    for (const double number : numbers) {
        const Binary x = binary(number);
        if (x.mantissa == 0) continue;
        range.unit = std::min(range.unit, x.exponent);
        range.top = std::max(range.top, x.exponent + 53);
    }
    return range.unit <= range.top ? range : Extent{0, 0};
}

void set_units(Integer& result, double x, int unit) {
    const Binary parts = binary(x);
    result = static_cast<long>(parts.mantissa);
    if (parts.mantissa != 0) result <<= static_cast<unsigned long>(parts.exponent - unit);
}

Rational times_power(const Rational& x, long exponent) {
    Rational result;
    if (exponent >= 0) mpq_mul_2exp(result.get_mpq_t(), x.get_mpq_t(), static_cast<unsigned long>(exponent));
    else mpq_div_2exp(result.get_mpq_t(), x.get_mpq_t(), static_cast<unsigned long>(-exponent));
    return result;
}

Integer floor_times_power(const Integer& x, long exponent) {
    Integer result;
    if (exponent >= 0) mpz_mul_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<unsigned long>(exponent));
    else mpz_fdiv_q_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<unsigned long>(-exponent));
    return result;
}

Integer integer(Wide x) {
    const UnsignedWide size = x < 0 ? -static_cast<UnsignedWide>(x) : static_cast<UnsignedWide>(x);
    Integer result = static_cast<unsigned long>(size >> 64);
    result <<= 64;
    result += static_cast<unsigned long>(size);
    if (x < 0) result = -result;
    return result;
}

Integer floor_of(const Rational& x) {
    Integer result;
    mpz_fdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
    return result;
}

Integer ceil_of(const Rational& x) { return -floor_of(-x); }

namespace {

// The cost of each cluster of two points or more, in units of 2^unit: (W Q - S S) / W, summed over features.
std::vector<Fraction> cluster_costs(const Data& data, const Groups& clusters, int& unit) {
    Sums sums(data, clusters);
    unit = 2 * sums.length_unit + sums.weight_unit;
    std::vector<Fraction> costs;
    for (size_t c = 0; c < clusters.size(); ++c) {
        if (clusters[c].size() < 2) continue;
        hold(static_cast<double>(costs.size()) * (100 + 60 * sums.words), "costs");
        const Sum& sum = sums.of(c);
        Integer squares = sum.weight * sum.square;
        for (const Integer& moment : sum.moments) squares -= moment * moment;
        costs.emplace_back(squares, sum.weight);
    }
    return costs;
}

// Equal denominators count as one.
void join_equal(std::vector<Fraction>& fractions) {
    std::sort(fractions.begin(), fractions.end(),
              [](const Fraction& a, const Fraction& b) { return a.second < b.second; });
    size_t last = 0;
    for (size_t i = 1; i < fractions.size(); ++i) {
        if (fractions[i].second == fractions[last].second) fractions[last].first += fractions[i].first;
        else std::swap(fractions[++last], fractions[i]);
    }
    if (!fractions.empty()) fractions.resize(last + 1);
}

}  // namespace

Rational sum_of(std::vector<Fraction> fractions, int unit) {
    join_equal(fractions);
    double words = 0;
    for (const Fraction& f : fractions) words += 1 + static_cast<double>(mpz_size(f.second.get_mpz_t()));
    require(words <= 1 << 18, "costs: the weights of clusters are too different to be added up exactly");
    spend(400 * words * std::log2(words + 2), "costs");
    while (fractions.size() > 1) {  // pairs, so that both terms of a sum are of similar length
        const size_t half = (fractions.size() + 1) / 2;
        for (size_t i = 0; i + half < fractions.size(); ++i) {
            Fraction &a = fractions[i], &b = fractions[i + half];
            a.first = a.first * b.second + b.first * a.second;
            a.second *= b.second;
        }
        fractions.resize(half);
    }
    if (fractions.empty()) return 0;
    Rational sum(fractions[0].first, fractions[0].second);
    sum.canonicalize();
    return times_power(sum, unit);
}

Rational cost(const Data& data, const Groups& clusters) {
    int unit = 0;
    std::vector<Fraction> costs = cluster_costs(data, clusters, unit);
    return sum_of(std::move(costs), unit);
}

Rational cost_below(const Data& data, const Groups& clusters) {
    constexpr long finest = 4300;  // in binary digits: the squares of the least doubles have fewer
    int unit = 0;
    std::vector<Fraction> costs = cluster_costs(data, clusters, unit), exact;
    join_equal(costs);
    Integer rest = 0;
    long digits = 0;
    for (const Fraction& f : costs) {  // none is negative
        digits += static_cast<long>(mpz_sizeinbase(f.second.get_mpz_t(), 2));
        if (digits <= finest) exact.push_back(f);
        else rest += floor_times_power(f.first, finest) / f.second;
    }
    return sum_of(std::move(exact), unit) + times_power(rest, unit - finest);
}
