#include "eigen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "parallel.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")  // several numbers in one instruction, as clang does it anyway
#endif

double inner(const double* x, const double* y, size_t n) {
    double sums[8] = {};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t a = 0; a < 8; ++a) sums[a] += x[i + a] * y[i + a];
    for (; i < n; ++i) sums[0] += x[i] * y[i];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

namespace {

constexpr size_t at_once = 16;  // of rows or vectors, so that they stay in the cache

void add_multiple(double* __restrict__ y, double factor, const double* __restrict__ x, size_t n) {
    for (size_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

// a -= f x + g y
void subtract_two(double* __restrict__ a, double f, const double* __restrict__ x, double g,
                  const double* __restrict__ y, size_t n) {
    for (size_t i = 0; i < n; ++i) a[i] -= f * x[i] + g * y[i];
}

void rotate(double* __restrict__ x, double* __restrict__ y, double c, double s, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const double a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}

// The matrix as Q T Q', Q a product of reflections (Householder) and T tridiagonal.
struct Tridiagonal {
    size_t n;
    Triangle<double>& matrix;
    std::vector<double> diagonal, beside, half;  // beside[i] is the entry (i - 1, i), half[i] half the square of u_i
    std::vector<std::vector<double>> waiting;    // of the last reflections: what is to be taken from the rows before
    static constexpr size_t shares = 8;

    explicit Tridiagonal(Triangle<double>& given) : n(given.size), matrix(given), diagonal(n), beside(n), half(n) {
        for (size_t i = n; i-- > 0;) reflect(i);
    }

    // Those that wait belong to the reflections of the rows i + 1, i + 2, ..., the last one to the first of these.
    void take_waiting(size_t j, size_t i) {
        for (size_t at = waiting.size(); at-- > 0;) {
            const double *u = matrix.row(i + waiting.size() - at), *p = waiting[at].data();
            subtract_two(matrix.row(j), u[j], p, p[j], u, j + 1);
        }
    }

    // The rows before i, as they are in memory, times u. Shares are added up in one order, whatever the threads.
    std::vector<double> product(const double* u, size_t i) {
        std::vector<double> parts(shares * i), result(i);
        in_parallel(i, shares, 1, [&](size_t own) {
            double* part = &parts[own * i];
            for (size_t j = own; j < i; j += shares) {
                part[j] += inner(matrix.row(j), u, j + 1);
                add_multiple(part, u[j], matrix.row(j), j);
            }
        });
        for (size_t own = 0; own < shares; ++own) add_multiple(result.data(), 1, &parts[own * i], i);
        return result;
    }

    // Takes away what row i holds before the entry (i - 1, i), and leaves u_i in its place.
    void reflect(size_t i) {
        double* u = matrix.row(i);
        take_waiting(i, i);
        diagonal[i] = u[i];
        std::vector<double> p(i);
        const double square = inner(u, u, i);
        if (i > 0) beside[i] = u[i - 1];
        if (i < 2 || square < 0x1p-600) {
            std::fill(u, u + i, 0.0);
        } else {
            beside[i] = -std::copysign(std::sqrt(square), u[i - 1]);
            const double h = half[i] = square - u[i - 1] * beside[i];
            u[i - 1] -= beside[i];
            p = product(u, i);
            for (size_t at = 0; at < waiting.size(); ++at) {
                const double *v = matrix.row(i + waiting.size() - at), *q = waiting[at].data();
                subtract_two(p.data(), inner(v, u, i), q, inner(q, u, i), v, i);
            }
            for (size_t j = 0; j < i; ++j) p[j] /= h;
            add_multiple(p.data(), -inner(u, p.data(), i) / (2 * h), u, i);
        }
        waiting.push_back(std::move(p));
        if (waiting.size() < at_once && i > 0) return;
        in_parallel(i, i, at_once, [&](size_t j) { take_waiting(j, i - 1); });
        waiting.clear();
    }

    // Vectors, one a row, become Q times them.
    void turn(std::vector<double>& vectors) const {
        in_parallel(n, vectors.size() / n, 1, [&](size_t v) {
            double* const own = &vectors[v * n];
            for (size_t i = 1; i < n; ++i)
                if (half[i] != 0) add_multiple(own, -inner(matrix.row(i), own, i) / half[i], matrix.row(i), i);
        });
    }
};

// Implicit QL of a tridiagonal matrix, e[i] being the entry (i, i + 1); rows of some width are turned along. False if it
// takes too long.
bool implicit_ql(std::vector<double>& d, std::vector<double>& e, double* rows, size_t width) {
    const size_t n = d.size();
    double norm = 0;
    for (size_t i = 0; i < n; ++i) norm = std::max(norm, std::fabs(d[i]) + std::fabs(e[i]));
    const auto small = [&](size_t i) {
        return std::fabs(e[i]) <= 0x1p-53 * (std::fabs(d[i]) + std::fabs(d[i + 1])) + 0x1p-60 * norm;
    };
    for (size_t l = 0; l < n; ++l)
        for (int round = 0;; ++round) {
            size_t m = l;
            while (m + 1 < n && !small(m)) ++m;
            if (m == l) break;
            if (round == 60) return false;
            double g = (d[l + 1] - d[l]) / (2 * e[l]), s = 1, c = 1, p = 0;
            g = d[m] - d[l] + e[l] / (g + std::copysign(std::hypot(g, 1.0), g));
            size_t i = m;
            while (i > l) {
                const double f = s * e[i - 1], b = c * e[i - 1], length = std::sqrt(f * f + g * g);
                e[i] = length;
                if (length == 0) break;
                s = f / length;
                c = g / length;
                g = d[i] - p;
                const double r = (d[i - 1] - g) * s + 2 * c * b;
                p = s * r;
                d[i] = g + p;
                g = c * r - b;
                --i;
                rotate(rows + i * width, rows + (i + 1) * width, c, s, width);
            }
            d[i] -= p;
            if (i == l) e[l] = g;
            e[m] = 0;
        }
    return std::all_of(d.begin(), d.end(), [](double x) { return std::isfinite(x); });
}

// x becomes (T - shift)^-1 x, by elimination with pivots that are at least `least`.
void solve(const std::vector<double>& d, const std::vector<double>& e, double shift, double least, double* x) {
    const size_t n = d.size();
    std::vector<std::array<double, 3>> rows(n);  // from the diagonal on
    rows[0] = {d[0] - shift, e[0], 0};
    for (size_t i = 0; i < n; ++i) {
        auto& own = rows[i];
        std::array<double, 3> below{};
        if (i + 1 < n) below = {e[i], d[i + 1] - shift, e[i + 1]};
        if (std::fabs(below[0]) > std::fabs(own[0])) std::swap(below, own), std::swap(x[i], x[i + 1]);
        if (std::fabs(own[0]) < least) own[0] = least;
        if (i + 1 == n) break;
        const double factor = below[0] / own[0];
        rows[i + 1] = {below[1] - factor * own[1], below[2] - factor * own[2], 0};
        x[i + 1] -= factor * x[i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < std::min(n, i + 3); ++j) x[i] -= rows[i][j - i] * x[j];
        x[i] /= rows[i][0];
    }
}

// A row of `vectors` for each of the least values: by inverse iteration, and orthogonal to the rows before.
void iterate(const std::vector<double>& d, const std::vector<double>& e, const std::vector<double>& values,
             std::vector<double>& vectors) {
    const size_t n = d.size();
    const double least = 0x1p-54 * std::max(-values.front(), values.back()) + 0x1p-300;
    std::minstd_rand random;
    for (size_t v = 0; v * n < vectors.size(); ++v) {
        double* const x = &vectors[v * n];
        for (size_t i = 0; i < n; ++i) x[i] = static_cast<double>(random());
        for (int round = 0; round < 4; ++round) {
            solve(d, e, values[v], least, x);
            for (size_t w = 0; w < 2 * v; ++w) {  // twice, as once loses digits
                const double* const y = &vectors[w % v * n];
                add_multiple(x, -inner(x, y, n), y, n);
            }
            const double length = std::sqrt(inner(x, x, n));
            for (size_t i = 0; i < n; ++i) x[i] /= length;
        }
    }
}

}  // namespace

bool eigenvectors(Triangle<double>& matrix, size_t count, std::vector<double>& values, std::vector<double>& vectors) {
    const size_t n = matrix.size;
    Tridiagonal t(matrix);
    std::rotate(t.beside.begin(), t.beside.begin() + 1, t.beside.end());
    values = t.diagonal;
    std::vector<double> beside = t.beside, all(count == n ? n * n : 0);
    for (size_t i = 0; i < all.size(); i += n + 1) all[i] = 1;
    if (!implicit_ql(values, beside, all.data(), all.size() / n)) return false;
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return values[i] < values[j]; });
    vectors.assign(count * n, 0);
    for (size_t i = 0; i < n; ++i) beside[i] = values[order[i]];
    values.swap(beside);
    if (count < n) iterate(t.diagonal, t.beside, values, vectors);
    else for (size_t i = 0; i < n; ++i) std::copy_n(&all[order[i] * n], n, &vectors[i * n]);
    t.turn(vectors);
    return true;
}

bool factorise(Triangle<double>& matrix) {
    const size_t n = matrix.size;
    for (size_t first = 0; first < n; first += at_once) {
        const size_t end = std::min(n, first + at_once);
        const auto finish = [&](size_t i) {
            double* const row = matrix.row(i);
            for (size_t j = first; j < std::min(i, end); ++j) row[j] = (row[j] - inner(row, matrix.row(j), j)) / matrix.row(j)[j];
        };
        for (size_t i = first; i < end; ++i) {
            finish(i);
            double* const row = matrix.row(i);
            const double square = row[i] - inner(row, row, i);
            if (!(square > 0x1p-200 && square < 0x1p200)) return false;
            row[i] = std::sqrt(square);
        }
        in_parallel(n, n - end, at_once, [&](size_t i) { finish(end + i); });
    }
    return true;
}
