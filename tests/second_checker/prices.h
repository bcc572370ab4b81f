// Section 12: prices, knots and axes, and the places of super-points.
#pragma once

#include "arrays.h"
#include "moments.h"

// Super-points of which a cluster takes those of one choice.
struct Knot {
    std::vector<int> members;       // super-points with a positive price
    std::vector<unsigned> choices;  // the maximal sets of members that are not apart, a bit for each member
};

struct Prices {
    std::vector<double> each;       // of the super-points
    std::vector<Knot> knots;        // without those of which fewer than two members earn anything
    size_t rows = 0;                // of axes; 0: the features
    std::vector<int64_t> axes;      // in units of 2^-30, row by row
    Prices(Arrays&, const View&, int features);  // refuses axes that may lengthen anything

  private:
    void read_knots(Arrays&, const View&);
    void read_axes(Arrays&, size_t features);
};

// Places m_i, or U m_i, in units of 2^unit().
class Places {
  public:
    Places(const Data& data, const View& view, const Prices& prices) : sums_(data, view.groups), prices_(prices) {}
    int unit() const { return sums_.length_unit - (prices_.rows > 0 ? 30 : 0); }
    int weight_unit() const { return sums_.weight_unit; }
    std::vector<Rational> find(int super_point);
    const Integer& weight() const { return sum_.weight; }  // of the last one, in units of 2^weight_unit()

  private:
    Sums sums_;
    Sum sum_;
    const Prices& prices_;
};
