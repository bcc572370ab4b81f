// Weights and sums of super-points, exactly: integers in units that are powers of two.
#pragma once

#include "floats.h"

struct Weights {
    int unit = 0;               // in units of 2^unit
    std::vector<Integer> each;  // e_i
    Integer total;              // E
    Weights(const Data&, const View&);
    Rational value(const Integer& weight) const { return times_power(Rational(weight), unit); }
};

// Section 5, Origin: sums of points, times their weights, about the origin of their block, for each super-point; and T.
struct Moments {
    int sum_unit = 0, square_unit = 0;
    std::vector<Integer> sums;  // super-points times features
    Integer squares;            // T
    Moments(const Data&, const View&, const Weights&);
};
