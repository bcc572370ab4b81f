// Sections 2, 5 and 13: the multipliers of a blob, and what its cuts add up to.
#pragma once

#include <map>

#include "arrays.h"
#include "floats.h"

// All multipliers of a blob together are at most 2^60, and so are sums of them; they are in units of 2^unit, and exact.
struct PairSums {
    int64_t apart = 0, together = 0;         // of cuts that have x, and x'
    int64_t both = 0, first = 0, second = 0; // of weight cuts {i, j}, {i} and {j}
};

using Pair = std::pair<int, int>;

struct Multipliers {
    long unit_of_n = 0, unit = 0;            // N is in units of 2^unit_of_n
    Symmetric<int64_t> n;
    Symmetric<Wide> twice;                   // 2 A on Z, summed: stars, cliques and sets (coefficients to 2^28)
    std::vector<int64_t> moved;              // s times s, or empty: variation cuts lose moved(p, l) e_l Z_pl
    std::map<Pair, int64_t> single;          // stars (centre, member)
    std::map<Pair, PairSums> about;          // cuts about pairs i < j
    std::map<int, int64_t> sets;             // set cuts by their numbers of points
    int64_t cliques = 0, weights = 0;        // of all cliques, and of all weight cuts
    Multipliers(const View&, Arrays&);

  private:
    struct Cut {
        int64_t centre, mu;
        const int* members;
        size_t count;
        double pairs() const { return static_cast<double>(count) * (centre <= -4 ? 1 : count); }
    };
    int64_t total_ = 0;
    void read_table(Arrays&, const View&, std::vector<std::vector<int>>& pools, std::vector<Cut>&);
    void add(const Cut&, const View&, std::vector<char>& inside);
    void add_star(const Cut&);
    void add_set(const Cut&, const View&, std::vector<char>& inside);
    void add_about(const Cut&, std::vector<char>& inside);
    static void merge(std::vector<Cut>&);
};
