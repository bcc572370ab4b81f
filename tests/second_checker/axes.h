// Section 12, Axes, and the places of super-points: m_i, or U m_i.
#pragma once

#include "arrays.h"
#include "moments.h"

struct Axes {
    int rows = 0, features = 0;
    std::vector<int64_t> entries;  // in units of 2^-30, row by row
};

// The next array of a blob, without rows if there are no axes; refuses a matrix that may lengthen anything.
Axes read_axes(Arrays&, int features);

// Places m_i, or U m_i, in units of 2^unit().
class Places {
  public:
    Places(const Data& data, const View& view, const Axes& axes) : sums_(data, view.groups), axes_(axes) {}
    int unit() const { return sums_.length_unit - (axes_.rows > 0 ? 30 : 0); }
    int weight_unit() const { return sums_.weight_unit; }
    std::vector<Rational> find(int super_point);
    const Integer& weight() const { return sum_.weight; }  // of the last one, in units of 2^weight_unit()

  private:
    Sums sums_;
    Sum sum_;
    const Axes& axes_;
};
