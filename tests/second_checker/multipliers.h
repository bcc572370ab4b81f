// Sections 5, 6 and 13: what multipliers prove in a state.
#pragma once

#include "conditions.h"
#include "cuts.h"
#include "moments.h"

class MultiplierBound {
  public:
    // `has_open_pairs` is false where P = 0 (evidence `soft`).
    MultiplierBound(const Data&, const View&, Arrays& multipliers, const Conditions&, bool has_open_pairs);
    const Rational& value() const { return bound_; }
    Rational together(int p, int q) const;  // section 5, Fixed pairs: with the points p and q in one cluster
    Rational apart(int p, int q) const;     // and in different ones

  private:
    using OnZ = std::map<Pair, Rational>;   // coefficients of Z_ij, i < j: half of them in each of two entries
    Rational weight(size_t i) const { return weights_.value(weights_.each[i]); }
    Rational reached(size_t i) const { return std::max(weight(i), least_[i]); }  // b_i
    UnsignedWide high_end(size_t i, size_t j) const;
    std::vector<size_t> kinds_of_weights() const;
    Integer box() const;
    Rational right_hand_sides(const Conditions&, double work) const;
    Rational charge_pairs(const Conditions&, bool has_open_pairs, OnZ&) const;
    Rational quadratic(const Data&, const OnZ&);

    const View view_;                        // a copy: the state may go on before pairs are asked for
    const size_t s_;
    Multipliers given_;
    const Weights weights_;
    const Roots roots_;                      // of e_i
    std::vector<Rational> least_, largest_;  // L_i and M_i
    std::vector<Integer> least_up_;          // L_i, rounded up, in units of weights
    Rational bound_;
};
