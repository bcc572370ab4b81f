// Weights and sums of super-points, exactly: integers in units that are powers of two.
#pragma once

#include "floats.h"

// Sums of w x for each feature, of w, and of w x^2 over some points.
struct Sum {
    std::vector<Integer> moments;
    Integer weight, square;
};

// Of each of some groups of points, x in units of 2^length_unit and w in units of 2^weight_unit.
class Sums {
  public:
    Sums(const Data&, const Groups&);
    const int length_unit, weight_unit;
    const double words;  // of x and w together
    const Sum& of(size_t group);  // until the next is asked for

  private:
    const Data& data_;
    const Groups& groups_;
    Sum sum_;
};

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

struct Roots {
    std::vector<Float> each, inverse;  // of e_i, and 1 / of them
    explicit Roots(const Weights&);
};

// Section 5: the rows sqrt(e_i) m_i as integers in units of 2^unit, off by less than 0.51, of length less than 2^62.
struct Rows {
    long unit = 0;
    size_t d;
    std::vector<int64_t> entries;
    Rows(const Weights&, const Roots&, const Moments&, size_t features);
    Wide product(size_t i, size_t j) const;
    // By how much the matrix of products is off, in its Frobenius norm, in units of 4^unit.
    Integer error() const;
};

// M_i of section 5 for each super-point: no cluster with i weighs more (before U of section 13).
std::vector<Rational> largest_clusters(const Data&, const View&);

// Section 3, Far pairs: what two super-points cost together, beyond what lies inside both.
class Distances {
  public:
    Distances(const Data& data, const View& view) : sums_(data, view.groups), known_(view.groups.size()) {}
    Rational between(int i, int j);

  private:
    const Sum& of(int super_point);
    Sums sums_;
    std::vector<std::optional<Sum>> known_;
};
