#include "eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")  // several numbers in one instruction, as clang does it anyway
#endif

double inner(const double* x, const double* y, size_t n) {
    double sums[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t a = 0; a < 4; ++a) sums[a] += x[i + a] * y[i + a];
    for (; i < n; ++i) sums[0] += x[i] * y[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

namespace {

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
    std::vector<double>& rows;
    std::vector<double> diagonal, beside, half;  // beside[i] is the entry (i - 1, i), half[i] half the square of u_i

    Tridiagonal(std::vector<double>& matrix, size_t size) : n(size), rows(matrix), diagonal(n), beside(n), half(n) {
        std::vector<double> p(n);
        for (size_t i = n; i-- > 1;) reflect(i, p);
        for (size_t i = 0; i < n; ++i) diagonal[i] = rows[i * n + i];
    }

    // Takes away what row i holds before the entry (i - 1, i), and leaves u_i in its place.
    void reflect(size_t i, std::vector<double>& p) {
        double* u = &rows[i * n];
        double scale = 0;
        for (size_t j = 0; j < i; ++j) scale = std::max(scale, std::fabs(u[j]));
        beside[i] = u[i - 1];
        if (i == 1 || scale == 0) return;
        for (size_t j = 0; j < i; ++j) u[j] /= scale;
        const double square = inner(u, u, i), pivot = u[i - 1], length = -std::copysign(std::sqrt(square), pivot);
        beside[i] = scale * length;
        const double h = half[i] = square - pivot * length;
        u[i - 1] = pivot - length;
        std::fill(p.begin(), p.end(), 0.0);
        for (size_t j = 0; j < i; ++j) {  // the matrix times u, from its lower triangle
            const double* row = &rows[j * n];
            p[j] += inner(row, u, j + 1);
            add_multiple(p.data(), u[j], row, j);
        }
        for (size_t j = 0; j < i; ++j) p[j] /= h;
        add_multiple(p.data(), -inner(u, p.data(), i) / (2 * h), u, i);
        for (size_t j = 0; j < i; ++j) subtract_two(&rows[j * n], u[j], p.data(), p[j], u, j + 1);
    }

    // Unit vectors from `first` on become columns of Q: few of them at a time, so that they stay in the cache.
    void turn(double* vectors, size_t first, size_t end) const {
        for (size_t i = first + 1; i < n; ++i)
            for (size_t v = first; v < end && half[i] != 0; ++v) {
                const double* u = &rows[i * n];
                add_multiple(vectors + v * n, -inner(u, vectors + v * n, i) / half[i], u, i);
            }
    }
};

// Implicit QL of a tridiagonal matrix, e[i] being the entry (i, i + 1); rows are turned along. False if it takes too
// long.
bool implicit_ql(std::vector<double>& d, std::vector<double>& e, double* rows, size_t n) {
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
                rotate(rows + i * n, rows + (i + 1) * n, c, s, n);
            }
            d[i] -= p;
            if (i == l) e[l] = g;
            e[m] = 0;
        }
    return std::all_of(d.begin(), d.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

bool eigenvectors(std::vector<double>& rows, size_t n, std::vector<double>& values, std::vector<double>& vectors) {
    Tridiagonal t(rows, n);
    std::vector<double> turned(n * n);
    for (size_t i = 0; i < n; ++i) turned[i * n + i] = 1;
    for (size_t i = 0; i < n; i += 16) t.turn(turned.data(), i, std::min(n, i + 16));
    std::rotate(t.beside.begin(), t.beside.begin() + 1, t.beside.end());
    if (!implicit_ql(t.diagonal, t.beside, turned.data(), n)) return false;
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return t.diagonal[i] < t.diagonal[j]; });
    values.resize(n);
    vectors.swap(rows);  // of the same size
    for (size_t i = 0; i < n; ++i) {
        values[i] = t.diagonal[order[i]];
        std::copy_n(&turned[order[i] * n], n, &vectors[i * n]);
    }
    return true;
}
