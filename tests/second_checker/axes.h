// Section 12, Axes, and the places of super-points: m_i, or U m_i.
#pragma once

#include "arrays.h"

struct Axes {
    int rows = 0, features = 0;
    std::vector<int64_t> entries;  // in units of 2^-30, row by row
};

// The next array of a blob; refuses a matrix that may lengthen anything.
Axes read_axes(Arrays&, int features);

// Places are fractions with a common denominator for each super-point, in units of 2^unit().
class Places {
  public:
    Places(const Data&, const View&, const Axes*);
    int features() const { return axes_ ? axes_->rows : data_.d; }
    int unit() const { return unit_; }
    void find(int super_point, std::vector<Integer>& numerators, Integer& denominator);
    // The weight of a super-point, in units of 2^weight_unit().
    Integer weight(int super_point) const;
    int weight_unit() const { return weight_unit_; }

  private:
    const Data& data_;
    const View& view_;
    const Axes* axes_;
    int length_unit_, weight_unit_, unit_;
    double work_;  // for each point
    std::vector<Integer> means_;
};
