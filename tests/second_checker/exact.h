// Doubles as whole numbers of a common unit, a power of two; and costs below which no partition is.
#pragma once

#include "model.h"

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// mantissa * 2^exponent, the mantissa odd; 0 has the mantissa 0.
struct Binary {
    int64_t mantissa;
    int exponent;
};
Binary binary(double x);
// The greatest exponent of two such that all numbers are whole in units of it, and one of which none is a multiple (0 and
// 0 if all are 0).
struct Extent {
    int unit, top;
    double words() const { return 1 + (top - unit) / 64.0; }  // of 64 digits, of a number in that unit
};
Extent extent(const std::vector<double>& numbers);
inline int common_unit(const std::vector<double>& numbers) { return extent(numbers).unit; }
// x in units of 2^unit, which must be whole.
void set_units(Integer& result, double x, int unit);
// x * 2^exponent.
Rational times_power(const Rational& x, long exponent);
// floor(x * 2^exponent).
Integer floor_times_power(const Integer& x, long exponent);
Integer integer(Wide x);
Integer floor_of(const Rational& x);
Integer ceil_of(const Rational& x);

// The sum of all numerators / denominators (positive), exactly.
using Fraction = std::pair<Integer, Integer>;
Rational sum_of(std::vector<Fraction> fractions, int unit);
// What lies inside super-points: the cost of these clusters, exactly, or, with many different weights, a little less.
Rational cost_below(const Data&, const std::vector<std::vector<int>>& clusters);
