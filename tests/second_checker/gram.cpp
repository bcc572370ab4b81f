// Section 14: inner products in place of points.
#include <algorithm>
#include <cmath>

#include "bounds.h"
#include "exact.h"

Rational gram_cost(const std::vector<double>& inner, const Data& data, const std::vector<std::vector<int>>& clusters) {
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

constexpr int grid_digits = 96, most_digits = 124;

// x * 2^exponent rounded towards 0; `lost` counts where anything is.
Wide on_grid(Wide x, long exponent, Wide& lost) {
    if (x == 0) return 0;
    UnsignedWide size = x < 0 ? -static_cast<UnsignedWide>(x) : static_cast<UnsignedWide>(x);
    if (exponent < 0) {
        const UnsignedWide whole = exponent <= -127 ? 0 : size >> -exponent;
        if (exponent <= -127 || whole << -exponent != size) ++lost;
        size = whole;
    } else {
        require(exponent < most_digits && size >> (most_digits - exponent) == 0,
                "the Gram matrix: its numbers are too different in size");
        size <<= exponent;
    }
    return x < 0 ? -static_cast<Wide>(size) : static_cast<Wide>(size);
}

int bits_of(int x) { return 32 - __builtin_clz(static_cast<unsigned>(x)); }

// Everything is multiplied by the roots of the weights: w_i = scale_i 4^power_i with a scale from 1/2 to 2, and numbers
// about i and j by 2^(power_i + power_j). On a grid of 2^unit, of which K and products of points have less than 2^96,
// their difference is known up to a few units, whatever the sizes of their rows.
class Difference {
  public:
    Difference(const std::vector<double>& inner, const Data&);
    Rational norm(int k) const;  // no less than sqrt((n - k) sum of w_i w_j R_ij^2)

  private:
    void scale_points();
    void choose_unit();
    void choose_shifts();
    double inner(int i, int j) const { return inner_[static_cast<size_t>(i) * n_ + j]; }
    Wide entry(int i, int j) const;  // no less than that of |R|

    const std::vector<double>& inner_;
    const Data& data_;
    int n_, d_, point_digits_;             // so many that a sum of d products has at most 124
    std::vector<int64_t> scale_, points_;  // in units of 2^-53; and of 2^(exponent - power), at most 2^point_digits
    std::vector<int> power_, exponent_;
    std::vector<Wide> sums_;               // of the sizes in points_
    std::vector<char> rounded_;            // where points_ are not exact, but off by 1/2 at most
    std::vector<Binary> shift_;            // a, for which any numbers will do
    long unit_ = 0;
};

Difference::Difference(const std::vector<double>& inner, const Data& data)
    : inner_(inner), data_(data), n_(data.n), d_(data.d), point_digits_((124 - bits_of(data.d)) / 2), scale_(n_),
      points_(data.points.size()), power_(n_), exponent_(n_, 0), sums_(n_, 0), rounded_(n_, 0),
      shift_(n_, Binary{0, 0}) {
    for (int i = 0; i < n_; ++i) {
        int exponent = 0;
        const double part = std::frexp(data.weights[i], &exponent);  // 1/2 to 1
        power_[i] = (exponent - (exponent & 1)) / 2;
        scale_[i] = static_cast<int64_t>(std::ldexp(part, 53 + (exponent & 1)));
    }
    scale_points();
    choose_unit();
    choose_shifts();
}

void Difference::scale_points() {
    for (int i = 0; i < n_; ++i) {
        int top = -4000;
        for (int l = 0; l < d_; ++l) {
            int exponent = 0;
            if (std::frexp(data_.point(i, l), &exponent) != 0) top = std::max(top, exponent);
        }
        if (top == -4000) continue;
        exponent_[i] = top - point_digits_ + power_[i];
        for (int l = 0; l < d_; ++l) {
            // Exact, but where it is next to nothing and counts as 0.
            const double x = data_.point(i, l), scaled = std::ldexp(x, point_digits_ - top);
            const int64_t whole = std::llrint(scaled);
            points_[static_cast<size_t>(i) * d_ + l] = whole;
            sums_[i] += whole < 0 ? -whole : whole;
            if (static_cast<double>(whole) != scaled || (whole == 0 && x != 0)) rounded_[i] = 1;
        }
    }
}

void Difference::choose_unit() {
    long top = -100000;
    for (int i = 0; i < n_; ++i) {
        if (sums_[i] != 0) top = std::max(top, 2L * (exponent_[i] + point_digits_) + bits_of(d_));
        for (int j = 0; j <= i; ++j) {
            int exponent = 0;
            if (std::frexp(inner(i, j), &exponent) != 0) top = std::max(top, 0L + exponent + power_[i] + power_[j]);
        }
    }
    unit_ = top - grid_digits;
}

// The best a, or close to it: B w / E - w'B w / (2 E^2). A proposal in floating point; what it proves is found with it.
void Difference::choose_shifts() {
    long double total = 0, all = 0;
    std::vector<long double> mean(d_, 0), best(n_, 0);
    for (int i = 0; i < n_; ++i) {
        total += data_.weights[i];
        for (int l = 0; l < d_; ++l) mean[l] += static_cast<long double>(data_.weights[i]) * data_.point(i, l);
    }
    for (int i = 0; i < n_; ++i) {
        for (int j = 0; j < n_; ++j) best[i] += static_cast<long double>(data_.weights[j]) * inner(i, j);
        for (int l = 0; l < d_; ++l) best[i] -= mean[l] * data_.point(i, l);
        best[i] /= total;
        all += data_.weights[i] * best[i];
    }
    for (int i = 0; i < n_; ++i) {
        const long double a = best[i] - all / (2 * total);
        if (!std::isfinite(a)) continue;
        int exponent = 0;
        const long double part = std::frexp(a, &exponent);
        shift_[i] = {static_cast<int64_t>(std::ldexp(part, 62)), exponent - 62};
    }
}

Wide Difference::entry(int i, int j) const {
    Wide lost = 0, product = 0, unknown = 0;  // |product| is at most 2^124
    const int64_t *x = &points_[static_cast<size_t>(i) * d_], *y = &points_[static_cast<size_t>(j) * d_];
    for (int l = 0; l < d_; ++l) product += static_cast<Wide>(x[l]) * y[l];
    const Binary k = binary(inner(i, j));
    const long power = power_[i] + power_[j] - unit_, exponent = static_cast<long>(exponent_[i]) + exponent_[j] - unit_;
    Wide rest = on_grid(k.mantissa, k.exponent + power, lost) - on_grid(product, exponent, lost);
    rest -= on_grid(shift_[i].mantissa, shift_[i].exponent + power, lost);
    rest -= on_grid(shift_[j].mantissa, shift_[j].exponent + power, lost);
    if (rounded_[i]) unknown += sums_[j] + d_;
    if (rounded_[j]) unknown += sums_[i] + d_;  // twice what the product may be off by
    const Wide off = on_grid(unknown, exponent - 1, lost);
    return (rest < 0 ? -rest : rest) + off + lost;
}

Rational Difference::norm(int k) const {
    Integer sum = 0, row, x;
    for (int i = 0; i < n_; ++i) {
        row = 0;
        for (int j = 0; j <= i; ++j) {
            x = integer(entry(i, j));
            x *= x;
            if (j < i) x *= 2;
            mpz_addmul_ui(row.get_mpz_t(), x.get_mpz_t(), static_cast<unsigned long>(scale_[j]));
        }
        mpz_addmul_ui(sum.get_mpz_t(), row.get_mpz_t(), static_cast<unsigned long>(scale_[i]));
    }
    sum *= n_ - k;
    if (sum == 0) return 0;
    return times_power(Rational(sqrt(Integer(sum << 128)) + 1), unit_ - 53 - 64);
}

}  // namespace

Rational gram_error(const std::vector<double>& inner, const Data& data, int k) {
    const double n = data.n, d = data.d;
    require(inner.size() == static_cast<size_t>(data.n) * data.n, "the Gram matrix: it has another shape");
    require(1 <= k && k <= data.n, "the Gram matrix: there are fewer points than clusters");
    require(1 <= data.d && data.d <= 1 << 15, "the Gram matrix: the points have no features, or too many");
    spend(n * n * (d * 0.7 + 150), "the Gram matrix");
    hold(8 * n * d + 100 * n, "the Gram matrix");
    return Difference(inner, data).norm(k);
}
