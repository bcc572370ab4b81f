#include "knots.h"

#include <algorithm>

namespace {

constexpr int most_members = 16;
constexpr size_t most_choices = 32;

// All maximal independent sets of a graph, one more vertex at a time. A part of the graph has no more of them than the
// whole: each can be completed, and what is completed tells them apart. So no more than the limit are ever kept.
std::vector<unsigned> maximal_sets(const std::vector<unsigned>& apart) {
    std::vector<unsigned> sets = {0};
    for (unsigned v = 0; v < apart.size(); ++v) {
        std::vector<unsigned> next;
        for (unsigned set : sets) {
            if (set & apart[v]) next.push_back(set);
            const unsigned with = (set & ~apart[v]) | 1u << v;
            bool maximal = true;
            for (unsigned u = 0; u < v && maximal; ++u) maximal = (with >> u & 1) || (apart[u] & with);
            if (maximal) next.push_back(with);
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        require(next.size() <= most_choices, "knots: more than 32 choices");
        sets = std::move(next);
    }
    return sets;
}

Knot knot_of(const View& view, std::vector<int> members) {
    Knot knot{std::move(members), {}};
    std::vector<unsigned> apart(knot.members.size(), 0);
    for (size_t a = 0; a < knot.members.size(); ++a) {
        for (size_t b = 0; b < knot.members.size(); ++b)
            if (view.apart(knot.members[a], knot.members[b])) apart[a] |= 1u << b;
    }
    knot.choices = maximal_sets(apart);
    return knot;
}

}  // namespace

std::vector<Knot> read_knots(Arrays& arrays, const View& view, const std::vector<double>& prices) {
    const size_t s = static_cast<size_t>(view.size());
    const std::vector<int64_t> list = arrays.integers(1, 2 * s).numbers;
    spend(2000.0 * static_cast<double>(list.size()), "knots");
    std::vector<char> seen(s, 0);
    std::vector<Knot> knots;
    for (size_t at = 0; at < list.size();) {
        const int64_t q = list[at++];
        require(2 <= q && q <= most_members && static_cast<size_t>(q) <= list.size() - at,
                "knots: a knot has no 2 to 16 members");
        std::vector<int> members;
        for (int64_t a = 0; a < q; ++a, ++at) {
            require(0 <= list[at] && list[at] < static_cast<int64_t>(s), "knots: no such super-point");
            require(!seen[list[at]], "knots: a super-point is in two places");
            seen[list[at]] = 1;
            if (prices[list[at]] > 0) members.push_back(static_cast<int>(list[at]));
        }
        if (members.size() >= 2) knots.push_back(knot_of(view, std::move(members)));
    }
    return knots;
}
