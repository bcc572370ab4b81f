// Section 6: what G is worth on the complement of u, and u' G u. All numbers are integers in the unit of G.
#pragma once

#include "floats.h"

// Entries of G must be less than 2^99.
constexpr int direction_bits = 120;
// For more super-points, all eigenvectors take too long.
constexpr size_t most_with_eigenvectors = 4096;

// At most u' G u + <G, R> for every R with R u = 0, 0 <= R <= I, tr R = rank; u is a unit vector, rounded down to units
// of 2^-120. G is overwritten. The proposal is corrected if the proof loses more than `tolerable`.
Integer least_product(Symmetric<Wide>& g, const std::vector<UnsignedWide>& u, int rank, const Integer& tolerable);

// At least the Frobenius norm. For sizes up to 2^15, entries of 2^48 have squares that add up to less than 2^127.
Integer norm_up(const Symmetric<Wide>&);
