#include "spectral.h"

#include <algorithm>
#include <cmath>

#include "eigen.h"

namespace {

// In floating point, a unit of G is 2^-96, and one of F 2^-48. Sums of products of F stay below 2^124.
constexpr int unit_bits = 96, factor_bits = 48, most_bits = 124;

constexpr size_t many = 400;  // from so many super-points on, F is triangular but for the negative rows

// Rows f_i of F as columns: of each super-point its entries in all rows, those with a negative sign first.
struct Factor {
    size_t rows, negative;
    std::vector<int64_t> entries;
    const int64_t* of(size_t a) const { return entries.data() + a * rows; }
};

Wide dot(const int64_t* x, const int64_t* y, size_t n) {
    Wide sum = 0;
    for (size_t i = 0; i < n; ++i) sum += static_cast<Wide>(x[i]) * y[i];
    return sum;
}

// The entry a, b of F' S G, S being the signs.
Wide signed_dot(const Factor& f, size_t a, const Factor& g, size_t b) {
    const size_t r = f.negative;
    return dot(f.of(a) + r, g.of(b) + r, f.rows - r) - dot(f.of(a), g.of(b), r);
}

Integer negative_part(const Factor& f, const Factor& g) {
    Integer sum;
    for (size_t a = 0; a * f.rows < f.entries.size(); ++a) sum += integer(dot(f.of(a), g.of(a), f.negative));
    return sum;
}

// u' G u, rounded down. u is off by d, |d| < sqrt(s) 2^-120, which changes it by at most 3 |d| ||G||, less than s^2.
Integer along(const Symmetric<Wide>& g, const std::vector<UnsignedWide>& u) {
    std::vector<Integer> direction;
    for (const UnsignedWide entry : u) direction.push_back(integer(static_cast<Wide>(entry)));
    Integer sum, line;
    for (size_t i = 0; i < g.size; ++i) {
        line = 0;
        for (size_t j = g.size; --j > i;) {
            const Limbs entry(magnitude(g.row(i)[j]), g.row(i)[j] < 0);
            mpz_addmul(line.get_mpz_t(), entry.number, direction[j].get_mpz_t());
        }
        sum += direction[i] * (2 * line + integer(g.row(i)[i]) * direction[i]);
    }
    return floor_times_power(sum, -2 * direction_bits) - static_cast<unsigned long>(g.size * g.size);
}

Wide in_units(double x) { return static_cast<Wide>(std::ldexp(x, unit_bits)); }
double approximate(Wide x) { return std::ldexp(static_cast<double>(x), -unit_bits); }

// Deflation: adds w u' + u w' with a w that makes u an eigenvector whose eigenvalue is at least as large as all others.
// w is rounded to 58 bits. Entries are formed within 4 units: less than 2 are rounded off, and less than 2 come from u.
void deflate(Symmetric<Wide>& g, const std::vector<UnsignedWide>& direction) {
    const size_t s = g.size;
    std::vector<double> u(s), w(s);
    for (size_t i = 0; i < s; ++i) u[i] = std::ldexp(static_cast<double>(direction[i]), -direction_bits);
    double square = 0;
    for (size_t i = 0; i < s; ++i)
        for (size_t j = i; j < s; ++j) {
            const double entry = approximate(g.row(i)[j]);
            square += (i == j ? 1 : 2) * entry * entry;
            w[i] -= entry * u[j];
            if (i != j) w[j] -= entry * u[i];
        }
    const double half = (std::sqrt(square) - inner(w.data(), u.data(), s)) / 2;
    double largest = 0;
    for (size_t i = 0; i < s; ++i) largest = std::max(largest, std::fabs(w[i] += half * u[i]));
    if (!(largest > 0 && largest < 0x1p22)) return;  // w = 0 is as right; it is at most 2^4 s
    const int digits = std::min(58 - std::ilogb(largest) - 1, unit_bits), drop = 60 - (unit_bits - digits);
    std::vector<int64_t> whole(s), high(s), low(s);
    for (size_t i = 0; i < s; ++i) {
        whole[i] = std::llround(std::ldexp(w[i], digits));
        high[i] = static_cast<int64_t>(direction[i] >> 60);
        low[i] = static_cast<int64_t>(direction[i] & ((UnsignedWide{1} << 60) - 1));
    }
    for (size_t i = 0; i < s; ++i)
        for (size_t j = i; j < s; ++j) {
            const Wide coarse = static_cast<Wide>(whole[i]) * high[j] + static_cast<Wide>(whole[j]) * high[i];
            const Wide fine = static_cast<Wide>(whole[i]) * low[j] + static_cast<Wide>(whole[j]) * low[i];
            g.row(i)[j] += (coarse + (fine >> 60)) >> drop;
        }
}

Triangle<double> approximate(const Symmetric<Wide>& b) {
    Triangle<double> result(b.size);
    for (size_t i = 0; i < b.size; ++i)
        for (size_t j = i; j < b.size; ++j) result.row(j)[i] = approximate(b.row(i)[j]);
    return result;
}

// Integers nearest to `entry(a, i)` in units of 2^-digits; an empty factor if one has more than 57 bits, or sums of
// products might have too many.
template <class Entry>
Factor rounded(size_t s, size_t rows, size_t rank, int digits, Entry entry) {
    Factor f{rows, rank, std::vector<int64_t>(s * rows)};
    const double limit = std::ldexp(1, std::min(57, (most_bits - bits(UnsignedWide{s})) / 2));
    for (size_t a = 0; a < s; ++a)
        for (size_t i = 0; i < rows; ++i) {
            const double x = std::ldexp(1, digits) * entry(a, i);
            if (!(std::fabs(x) < limit)) return {};
            f.entries[a * rows + i] = std::llround(x);
        }
    return f;
}

// t, and rows f_i from eigenvectors: f is empty and t is 0 if they are not found or are too large.
struct Proposal {
    std::vector<double> values, vectors;
    double t = 0;
    Factor f = {};
    double gap(size_t i) const { return std::fabs(values[i] - t); }
    double norm() const { return std::max(-values.front(), values.back()); }
};

// Takes t I + H away from B. With the negative rows alone, t is the next eigenvalue; with all of them, it is between both.
Proposal propose(Symmetric<Wide>& b, size_t negative, size_t rows) {
    const size_t s = b.size;
    Triangle<double> matrix = approximate(b);
    Proposal result;
    if (!eigenvectors(matrix, rows, result.values, result.vectors)) return result;
    if (!(result.norm() < 0x1p24)) return result;  // it is less than 2^21
    result.t = result.values[negative];
    if (rows > negative && negative > 0) result.t = (result.t + result.values[negative - 1]) / 2;
    const auto root = [&](size_t a, size_t i) { return std::sqrt(result.gap(i)) * result.vectors[i * s + a]; };
    result.f = rounded(s, rows, negative, factor_bits, root);
    if (result.f.entries.empty()) result.t = 0;
    in_parallel(s, s, 16, [&](size_t i) {
        b.row(i)[i] -= in_units(result.t);
        for (size_t j = i; j < s; ++j) b.row(i)[j] -= signed_dot(result.f, i, result.f, j);
    });
    return result;
}

// dF, as columns. Where an eigenvalue is as near to t as E is large, a row stays as it is.
std::vector<double> correction(const Symmetric<Wide>& e, const Integer& norm, const Proposal& proposal) {
    const size_t s = e.size;
    std::vector<double> rows(s * s), result(s * s), factors(s);
    for (size_t i = 0; i < s; ++i)
        for (size_t j = i; j < s; ++j) rows[i * s + j] = rows[j * s + i] = approximate(e.row(i)[j]);
    const double noise = 4 * std::ldexp(norm.get_d(), -unit_bits);
    for (size_t i = 0; i < s; ++i)
        if (proposal.gap(i) > noise) factors[i] = (i < proposal.f.negative ? -0.5 : 0.5) / std::sqrt(proposal.gap(i));
    for (size_t first = 0; first < s; first += 16)
        for (size_t i = 0; i < s; ++i)
            for (size_t a = first; a < std::min(s, first + 16); ++a)
                result[a * s + i] = factors[i] * inner(&rows[a * s], &proposal.vectors[i * s], s);
    return result;
}

// What (3) takes away: sqrt(r) ||E||, entries of E being off by up to 8 units.
Integer loss(const Integer& norm, size_t s, int rank) {
    const Integer whole = norm + 8 * static_cast<unsigned long>(s);
    return root_up(rank * whole * whole);
}

// Takes L L' away: entries are rounded to integers of so many bits that all sums stay below 2^124, and products rounded
// down, so that what is left is off by less than a unit. Does nothing if the integers would be too coarse.
void subtract_square(Symmetric<Wide>& a, const Triangle<double>& factor) {
    const size_t s = a.size, side = 32, tiles = (s + side - 1) / side;
    double largest = 0;
    for (const double entry : factor.entries) largest = std::max(largest, std::fabs(entry));
    const int digits = std::min((most_bits - bits(UnsignedWide{s})) / 2 - 1 - std::ilogb(largest), 100);
    if (2 * digits < unit_bits) return;
    Triangle<int64_t> whole(s);
    const double units = std::ldexp(1, digits);
    for (size_t at = 0; at < whole.entries.size(); ++at) whole.entries[at] = std::llround(factor.entries[at] * units);
    in_parallel(s, tiles * tiles, 1, [&](size_t at) {
        const size_t top = at / tiles * side, left = at % tiles * side;
        for (size_t i = top; i < std::min(s, top + side); ++i)
            for (size_t j = left; j < std::min(i + 1, left + side); ++j)
                a.row(j)[i] -= dot(whole.row(i), whole.row(j), j + 1) >> (2 * digits - unit_bits);
    });
}

// What (3) proves beside u' G u, and about how much less than the eigenvalues that is. The negative rows of F come from the
// least of these, the others are the transpose of a Cholesky factor; t is a little less than the next eigenvalue, as what
// is factorised has to be positive in spite of rounding. If there is no factor, E is all that is left of B.
Integer by_factor(Symmetric<Wide>& b, size_t negative, int rank, Integer& lost) {
    const Proposal proposal = propose(b, negative, negative);
    Wide t = in_units(proposal.t);
    for (int digits = proposal.f.entries.empty() ? 0 : 48; digits > 0; digits -= 4) {
        const Wide step = in_units(std::ldexp(proposal.norm(), -digits));
        t -= step;
        for (size_t i = 0; i < b.size; ++i) b.row(i)[i] += step;
        Triangle<double> factor = approximate(b);
        if (!factorise(factor)) continue;
        subtract_square(b, factor);
        break;
    }
    const Integer off = loss(norm_up(b), b.size, rank);
    lost = off + rank * integer(in_units(proposal.t) - t);
    return rank * integer(t) - negative_part(proposal.f, proposal.f) - off;
}

// What (3) proves beside u' G u, F coming from all eigenvectors. It is corrected if it loses more than `tolerable`.
Integer by_eigenvectors(Symmetric<Wide>& g, size_t negative, int rank, const Integer& tolerable) {
    const size_t s = g.size;
    const double cube = std::pow(static_cast<double>(s), 3);
    spend(cube, "all eigenvectors");
    const Proposal proposal = propose(g, negative, s);
    const Factor& f = proposal.f;
    const Integer norm = norm_up(g), lost = loss(norm, s, rank), most = rank * integer(in_units(proposal.t));
    const Integer first = most - negative_part(f, f) - lost;
    if (lost <= tolerable || f.entries.empty()) return first;

    spend(cube, "a second proof of a bound");
    const std::vector<double> step = correction(g, norm, proposal);
    double largest = 0;
    for (const double entry : step) largest = std::max(largest, std::fabs(entry));
    if (!(largest > 0 && largest < 1)) return first;
    const int finer = std::min(53 - factor_bits - std::ilogb(largest), 60);
    const Factor df = rounded(s, s, negative, factor_bits + finer, [&](size_t a, size_t i) { return step[a * s + i]; });
    if (df.entries.empty()) return first;
    for (size_t i = 0; i < s; ++i)
        for (size_t j = i; j < s; ++j)
            g.row(i)[j] -= ((signed_dot(f, i, df, j) + signed_dot(df, i, f, j)) >> finer)
                           + (signed_dot(df, i, df, j) >> 2 * finer);
    const Integer mixed = 2 * negative_part(f, df);  // the negative rows of F + dF have (f + df)^2, rounded up
    const Integer squares = (negative_part(f, f) << 2 * finer) + (mixed << finer) + negative_part(df, df);
    const Integer second = most + floor_times_power(-squares, -2 * finer) - loss(norm_up(g), s, rank);
    return std::max(first, second);
}

}  // namespace

Integer norm_up(const Symmetric<Wide>& matrix) {
    UnsignedWide all = 0;
    for (const Wide entry : matrix.upper) all |= magnitude(entry);
    const int right = std::max(0, bits(all) - 48);
    UnsignedWide sum = 0;
    for (size_t i = 0; i < matrix.size; ++i)
        for (size_t j = i; j < matrix.size; ++j) {
            const UnsignedWide entry = magnitude(matrix.row(i)[j]);
            const UnsignedWide rounded = (entry >> right) + (entry != 0);
            sum += rounded * rounded * (i == j ? 1 : 2);
        }
    return root_up(integer(static_cast<Wide>(sum))) << right;
}

Integer least_product(Symmetric<Wide>& g, const std::vector<UnsignedWide>& u, int rank, const Integer& tolerable) {
    const size_t s = g.size, negative = std::min(static_cast<size_t>(rank), s - 1);
    const Integer start = along(g, u);
    if (rank == 0) return start;  // tr R = 0
    deflate(g, u);
    const bool is_last = s > most_with_eigenvectors;
    if (!is_last && (s < many || s < 4 * negative)) return start + by_eigenvectors(g, negative, rank, tolerable);
    Symmetric<Wide> kept = is_last ? Symmetric<Wide>() : g;
    Integer lost;
    const Integer by_one = by_factor(g, negative, rank, lost);
    if (is_last || lost <= tolerable) return start + by_one;
    return start + std::max(by_one, by_eigenvectors(kept, negative, rank, tolerable));
}
