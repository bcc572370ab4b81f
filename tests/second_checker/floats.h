// Numbers of fixed size, for the many operations behind a bound that need no longer ones.
#pragma once

#include "exact.h"
#include "parallel.h"

inline UnsignedWide magnitude(Wide x) { return x < 0 ? -static_cast<UnsignedWide>(x) : static_cast<UnsignedWide>(x); }

// x < 2^bits(x)
inline int bits(UnsignedWide x) {
    const uint64_t high = static_cast<uint64_t>(x >> 64), low = static_cast<uint64_t>(x);
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}
inline long bits(const Integer& x) { return x == 0 ? 0 : static_cast<long>(mpz_sizeinbase(x.get_mpz_t(), 2)); }

// floor(x 2^by); to the left only where the caller knows that it fits.
inline Wide shifted(Wide x, long by) {
    if (x == 0) return 0;
    return by >= 0 ? static_cast<Wide>(static_cast<UnsignedWide>(x) << by) : x >> (by > -127 ? -by : 127);
}

inline Integer root_up(const Integer& x) { return sqrt(x) + 1; }  // more than the square root

// A whole number as GMP's functions take it, without memory of its own.
struct Limbs {
    mp_limb_t words[2];
    mpz_t number;
    explicit Limbs(UnsignedWide size, bool negative = false)
        : words{static_cast<mp_limb_t>(size), static_cast<mp_limb_t>(size >> 64)} {
        const mp_size_t length = words[1] ? 2 : words[0] ? 1 : 0;
        mpz_roinit_n(number, words, negative ? -length : length);
    }
    Limbs(const Limbs&) = delete;
};

// mantissa 2^exponent with 2^127 <= mantissa < 2^128, or 0. Each operation here rounds down and loses less than 2^-126
// of its result. After up to 8 of them it is too small by less than 2^-123 of itself, and too large only by what a divisor
// lost.
struct Float {
    UnsignedWide mantissa = 0;
    long exponent = 0;
    long top() const { return exponent + 128; }  // it is less than 2^top
};

inline Float to_float(UnsignedWide x, long exponent = 0) {
    const int left = x ? 128 - bits(x) : 0;
    return {x << left, exponent - left};
}
Float to_float(const Integer& x, long exponent = 0);          // |x| 2^exponent
Float to_float(const Rational& x);                            // |x|
Float root(const Integer& x, long exponent);              // of x 2^exponent, x > 0
Float inverse_root(const Integer& x, long exponent);
Float operator/(const Float& x, const Float& y);            // y > 0
Rational exact(const Float& x);

inline UnsignedWide high_half(UnsignedWide x, UnsignedWide y) {
    const uint64_t x0 = static_cast<uint64_t>(x), y0 = static_cast<uint64_t>(y);
    const UnsignedWide x1 = x >> 64, y1 = y >> 64;
    const UnsignedWide first = x1 * y0 + ((static_cast<UnsignedWide>(x0) * y0) >> 64);
    const UnsignedWide second = y1 * x0 + static_cast<uint64_t>(first);
    return x1 * y1 + (first >> 64) + (second >> 64);
}

inline Float operator*(const Float& x, const Float& y) {
    return to_float(high_half(x.mantissa, y.mantissa), x.exponent + y.exponent + 128);
}

// floor(x / 2^unit), which the caller knows to be less than 2^127.
inline UnsignedWide in_units(const Float& x, long unit) {
    const long right = unit - x.exponent;
    return right > 127 ? 0 : x.mantissa >> (right > 0 ? right : 0);
}

// A symmetric matrix, the upper triangle row by row: row(i)[j] with j >= i.
template <class Number>
struct Symmetric {
    size_t size = 0;
    std::vector<Number> upper;
    explicit Symmetric(size_t n = 0) : size(n), upper(n * (n + 1) / 2) {}
    Number* row(size_t i) { return upper.data() + i * (2 * size - i - 1) / 2; }
    const Number* row(size_t i) const { return upper.data() + i * (2 * size - i - 1) / 2; }
    Number& at(size_t i, size_t j) { return i < j ? row(i)[j] : row(j)[i]; }
    const Number& at(size_t i, size_t j) const { return i < j ? row(i)[j] : row(j)[i]; }
};

constexpr long no_top = -(1L << 40);  // of nothing but zeros
constexpr long no_unit = no_top - 96;

// Adds up the terms (j, c, x), c x each, of all rows i, i <= j, that are named twice: in a unit in which the largest of them
// has 96 digits. A term is off by less than 1.01.
template <class Terms>
Symmetric<Wide> add_up(size_t s, long& unit, const Terms& terms) {
    std::vector<long> tops(s, no_top);
    in_parallel(s, s, 16, [&](size_t i) {
        terms(i, [&](size_t, Wide c, const Float& x) {
            if (c != 0) tops[i] = std::max(tops[i], (to_float(magnitude(c)) * x).top());
        });
    });
    const long most = *std::max_element(tops.begin(), tops.end());
    unit = most - 96;
    Symmetric<Wide> sums(s);
    if (most == no_top) return sums;
    in_parallel(s, s, 16, [&](size_t i) {
        terms(i, [&](size_t j, Wide c, const Float& x) {
            if (c == 0) return;
            const Wide size = static_cast<Wide>(in_units(to_float(magnitude(c)) * x, unit));
            sums.row(i)[j] += c < 0 ? -size : size;
        });
    });
    return sums;
}
