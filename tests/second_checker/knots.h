// Section 12, Knots: super-points of which a cluster takes those of one choice.
#pragma once

#include "arrays.h"

struct Knot {
    std::vector<int> members;           // super-points with a positive price
    std::vector<unsigned> choices;      // the maximal sets of members that are not apart, a bit for each member
};

// Reads and checks the next array; knots of which fewer than two members earn anything are left out.
std::vector<Knot> read_knots(Arrays&, const View&, const std::vector<double>& prices);
