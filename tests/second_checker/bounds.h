// The proofs of bounds, one section each; all of them are exact, or rounded to the safe side.
#pragma once

#include <memory>

#include "arrays.h"
#include "conditions.h"

// Sections 5, 6 and 13: what multipliers prove in a state.
class MultiplierBound {
  public:
    // `has_open_pairs` is false where P = 0 (evidence `soft`).
    MultiplierBound(const Data&, const View&, Arrays& multipliers, const Conditions&, bool has_open_pairs);
    ~MultiplierBound();
    Rational value() const;
    Rational together(int p, int q) const;  // section 5, Fixed pairs: with the points p and q in one cluster
    Rational apart(int p, int q) const;     // and in different ones
  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Section 11: what a penalty proves; refuses a state that is no line.
Rational line_bound(const Data&, const View&, double penalty);

// Section 12: refuses a bound that prices, with knots and axes, do not prove.
void check_prices(const Data&, const View&, Arrays&, double claimed);

// Section 14: costs of inner products K (n times n, row by row), and what those of the points may differ from them by.
Rational gram_cost(const std::vector<double>& inner, const Data&, const std::vector<std::vector<int>>& clusters);
Rational gram_error(const std::vector<double>& inner, const Data&, int k);
