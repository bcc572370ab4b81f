// What all sections share: exact numbers, the instance (or a part of it), and a state as the bounds see it.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The first thing that does not hold: the file is refused with this sentence.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string& otherwise) {
    if (!holds) throw Refusal(otherwise);
}

using Rational = mpq_class;
using Integer = mpz_class;

// A lower bound: a rational number, or nothing where no partition is left (infinity).
using Lower = std::optional<Rational>;

// Points and weights as the file has them; every double is the rational number that it is (mpq_class(double) is exact).
struct Data {
    int n = 0, d = 0;
    std::vector<double> points;   // n times d, row by row
    std::vector<double> weights;  // n, all positive
    double point(int p, int j) const { return points[static_cast<size_t>(p) * d + j]; }
};

inline std::vector<int> all_points(const Data& data) {
    std::vector<int> all(static_cast<size_t>(data.n));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

using Groups = std::vector<std::vector<int>>;  // of points

// Section 4: super-points in the order of their smallest points, and which of them are apart.
struct View {
    int k = 0;                               // clusters
    std::vector<int> of;                     // the super-point of each point
    Groups groups;                           // the points of each super-point, increasing
    std::vector<std::vector<int>> around;    // the super-points apart from each, increasing
    std::vector<std::vector<int>> blocks;    // section 5, Origin: points of each block; a single one without far pairs
    // Section 13, Bounds of weights: the greatest W of `heavier`, or 0, and the least of `lighter`, or infinity.
    std::map<int, std::pair<double, double>> bounds;  // of super-points that have any
    bool broken = false;                     // two points are both together and apart
    int size() const { return static_cast<int>(groups.size()); }
    bool apart(int i, int j) const { return std::binary_search(around[i].begin(), around[i].end(), j); }
};

// What a file may still ask for, in units of about a nanosecond of work, and in bytes; spend() and hold() refuse the file.
// Long loops are shared out among so many threads.
struct Budget {
    double work_left, bytes;
    int threads;
};
// That of the file that this thread checks: whoever does something long spends from it, whoever has called him.
inline thread_local Budget budget{0, 0, 1};

inline void spend(double work, const char* what) {
    budget.work_left -= work;
    require(budget.work_left >= 0, std::string(what) + ": more work than a file of this size may ask for");
}
inline void hold(double size, const char* what) {  // memory that is given back afterwards
    require(size <= budget.bytes, std::string(what) + ": takes more memory than a file of this size may take");
}
