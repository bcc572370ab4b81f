// Section 13: limits of clusters and soft pairs; section 15: outliers.
#pragma once

#include <bitset>
#include <map>

#include "json.h"

constexpr int most_set_points = 1 << 14;  // where set cuts may be

struct SoftPair {
    int i, j;
    Rational apart, together;
};

// Of pairs of super-points: what is paid where they are apart, and together.
using Penalties = std::map<std::pair<int, int>, std::pair<Rational, Rational>>;

class Conditions {
  public:
    Conditions() = default;                             // until they are read
    Conditions(const Json& stated, const Data&, int k);  // refuses what section 13 does not allow
    bool has_limits = false;                            // as section 13 defines "without any limit"
    bool stated_any = false;                            // whether there are limits or soft pairs
    long outliers = 0;                                  // points that may be left out (z)
    int k = 1;
    Rational low, high;                                 // L and U of section 13, Range (0 and E without limits)
    std::vector<SoftPair> soft;
    bool hold(const std::vector<std::vector<int>>& clusters) const;          // whether k clusters keep all limits
    bool beyond(const std::vector<int>& points) const;                       // too many or too heavy for one cluster
    bool refutes(const View&) const;                                         // infeasible without a search
    Rational paid(const std::vector<int>& cluster_of) const;                 // what a partition pays for soft pairs
    Rational paid(const View&) const;                                        // what a state decides of it
    Rational most_paid(const View&) const;                                   // no partition of the state pays more
    // What pairs pay, apart and together, by the super-points i < j between which the state leaves them open.
    Penalties open(const View&) const;
    // L_i and M_i of each super-point: what clusters that hold it weigh at least and at most.
    std::pair<std::vector<Rational>, std::vector<Rational>> cluster_weights(const View&) const;
    Rational crossing(int q) const;                                          // the least crossing of q points

  private:
    // How many points of one group a cluster has; of all points, for the first.
    struct Share {
        long size = 0;                  // of the group
        std::optional<long> min, max;   // as stated
        long fewest = 0, most = 0;      // narrowed
        std::vector<int> lightest;      // its points, by weight
    };
    void read_limits(const Json&);
    // What a cluster has of something that points bring (section 13, `loads`).
    struct Load {
        std::vector<Rational> brought;  // by each point
        Rational total, min, max;       // max without a limit: the total
        Rational fewest, most;          // narrowed
        Rational of(const std::vector<int>& points) const {
            Rational sum;
            for (int p : points) sum += brought[static_cast<size_t>(p)];
            return sum;
        }
    };
    void read_group_limits(const Json& limits);
    void read_loads(const Json& limits);
    Rational heaviest(const Load&, Rational room) const;
    void read_soft(const Json&);
    void find_range(const Rational& weight_min, const Rational& weight_max);
    Rational weight_of(const std::vector<int>& points) const;
    bool within(const std::vector<int>& cluster) const;
    template <class Open> Rational decided(const View&, Open) const;
    using Sums = std::bitset<most_set_points + 1>;
    const Sums& sums_without(long w) const;
    Rational crossing_of_sizes(long q) const;
    Rational crossing_of_range(long q) const;

    std::vector<Load> loads_;
    Data bare_;                         // weights, without points
    std::vector<Share> shares_{1};      // of all points, then of the groups that are limited
    std::vector<int> share_of_;         // of each point, or 0
    long needed_groups_ = 0;            // of which a cluster must have points
    int weight_unit_ = 0;
    double words_ = 0;                  // what it takes to count a point
    std::vector<Integer> weights_;      // in units of 2^weight_unit_
    std::vector<long> sizes_;           // ascending
    mutable std::map<long, Sums> sums_without_;    // of the other sizes, a bit for each
    mutable std::map<long, Rational> crossings_;
};

// The cost of a partition, exactly (section 7): points, without soft pairs.
Rational cost(const Data&, const std::vector<std::vector<int>>& clusters);
