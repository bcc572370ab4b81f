#include "cuts.h"

#include <algorithm>

namespace {

enum { clique_mark = -1, set_mark = -2, pair_mark = -4 };
constexpr long most_exponent = 2000;
constexpr int64_t most_together = int64_t{1} << 60;

long exponent(Arrays& arrays) {
    const long result = arrays.exponent();
    require(result >= -most_exponent && result <= most_exponent, "multipliers: an exponent is out of range");
    return result;
}

}  // namespace

Multipliers::Multipliers(const View& view, Arrays& arrays)
    : n(view.groups.size()), twice(view.groups.size()) {
    const double s = view.size();
    unit_of_n = exponent(arrays);
    unit = exponent(arrays);
    const uint32_t tables = arrays.count();
    std::vector<int64_t> upper = arrays.integers(1, n.upper.size()).numbers;
    require(upper.size() == n.upper.size(), "multipliers: N has another number of entries than the state");
    n.upper.swap(upper);
    std::vector<std::vector<int>> pools;
    std::vector<Cut> cuts;
    for (uint32_t table = 0; table < tables; ++table) read_table(arrays, view, pools, cuts);
    const auto pairs = [&] {
        double sum = 0;
        for (const Cut& cut : cuts) sum += cut.pairs();
        return sum;
    };
    const double limit = 2 * s * s * s + (1 << 25);
    if (pairs() > limit) merge(cuts);
    require(pairs() <= limit, "multipliers: cuts with too many pairs of members");
    spend(2 * pairs(), "cuts");
    std::vector<char> inside(view.groups.size());
    for (const Cut& cut : cuts) {
        if (cut.centre == set_mark) spend(2 * s * static_cast<double>(cut.count), "set cuts");
        if (cut.centre <= pair_mark) spend(1000, "cuts about pairs");
        add(cut, view, inside);
    }
}

void Multipliers::read_table(Arrays& arrays, const View& view, std::vector<std::vector<int>>& pools,
                             std::vector<Cut>& cuts) {
    const int s = view.size();
    const auto [shape, table] = arrays.integers(2, static_cast<size_t>(budget.bytes / 24));
    const size_t rows = shape[0], count = shape[1];
    require(rows >= 2 && rows - 1 <= static_cast<size_t>(s), "multipliers: a table of cuts has a wrong number of rows");
    const std::vector<int64_t> mu = arrays.integers(1, count).numbers;
    require(mu.size() == count, "multipliers: cuts and their multipliers differ in number");
    hold(80.0 * static_cast<double>(cuts.size() + count) + 24.0 * static_cast<double>(table.size()), "cuts");
    spend(200.0 * static_cast<double>(count) + 20.0 * static_cast<double>(table.size()), "cuts");
    std::vector<int> pool((rows - 1) * count);
    for (size_t t = 0; t < count; ++t) {
        int* members = pool.data() + t * (rows - 1);
        const Cut cut{table[t], mu[t], members, rows - 1};
        require(cut.mu >= 0 && cut.mu <= most_together - total_, "multipliers: negative, or too large together");
        total_ += cut.mu;
        require(cut.centre < s, "multipliers: the centre of a cut is no super-point");
        for (size_t row = 1; row < rows; ++row) {
            const int64_t member = table[row * count + t];
            require(member >= 0 && member < s && member != cut.centre,
                    "multipliers: a member of a cut is no other super-point");
            members[row - 1] = static_cast<int>(member);
        }
        std::sort(members, members + cut.count);
        require(std::adjacent_find(members, members + cut.count) == members + cut.count,
                "multipliers: a member of a cut is listed twice");
        cuts.push_back(cut);
    }
    pools.push_back(std::move(pool));  // its entries stay where they are
}

void Multipliers::merge(std::vector<Cut>& cuts) {
    const auto before = [](const Cut& x, const Cut& y) {
        if (x.centre != y.centre) return x.centre < y.centre;
        return std::lexicographical_compare(x.members, x.members + x.count, y.members, y.members + y.count);
    };
    std::sort(cuts.begin(), cuts.end(), before);
    std::vector<Cut> merged;
    for (const Cut& cut : cuts) {
        if (merged.empty() || before(merged.back(), cut)) merged.push_back(cut);
        else merged.back().mu += cut.mu;
    }
    cuts.swap(merged);
}

void Multipliers::add(const Cut& cut, const View& view, std::vector<char>& inside) {
    if (cut.centre <= pair_mark) return add_about(cut, inside);
    if (cut.centre == set_mark) return add_set(cut, view, inside);
    require(cut.centre >= clique_mark, "multipliers: a cut of an unknown kind");
    if (cut.centre == clique_mark) {
        require(cut.count == static_cast<size_t>(view.k) + 1, "multipliers: a clique cut without k + 1 members");
        cliques += cut.mu;
    } else {
        add_star(cut);
    }
    for (size_t j = 0; j < cut.count; ++j) {
        Wide* row = twice.row(static_cast<size_t>(cut.members[j]));
        for (size_t l = j + 1; l < cut.count; ++l) row[cut.members[l]] += cut.mu;
    }
}

void Multipliers::add_star(const Cut& cut) {
    const int centre = static_cast<int>(cut.centre);
    twice.row(cut.centre)[cut.centre] += 2 * static_cast<Wide>(cut.mu);
    for (size_t j = 0; j < cut.count; ++j) twice.at(cut.centre, cut.members[j]) -= cut.mu;
    if (cut.count == 1) single[{centre, cut.members[0]}] += cut.mu;
}

void Multipliers::add_set(const Cut& cut, const View& view, std::vector<char>& inside) {
    int points = 0;
    for (size_t j = 0; j < cut.count; ++j) {
        inside[cut.members[j]] = 1;
        points += static_cast<int>(view.groups[cut.members[j]].size());
    }
    for (size_t j = 0; j < cut.count; ++j) {
        const Wide scaled = static_cast<Wide>(cut.mu) * static_cast<int>(view.groups[cut.members[j]].size());
        for (int l = 0; l < view.size(); ++l)
            if (!inside[l]) twice.at(cut.members[j], l) += scaled * static_cast<int>(view.groups[l].size());
    }
    for (size_t j = 0; j < cut.count; ++j) inside[cut.members[j]] = 0;
    sets[points] += cut.mu;
}

void Multipliers::add_about(const Cut& cut, std::vector<char>& inside) {
    const int64_t s = static_cast<int64_t>(n.size);
    const int64_t code = pair_mark - cut.centre;  // at least 0: the centre is at most -4
    const int64_t i = code / 2 / s, j = code / 2 % s;
    require(i < j, "multipliers: a cut about a pair without two super-points in order");
    for (size_t l = 0; l < cut.count; ++l) inside[cut.members[l]] = 1;
    const bool has_i = inside[i], has_j = inside[j];
    for (size_t l = 0; l < cut.count; ++l) inside[cut.members[l]] = 0;
    PairSums& sums = about[{static_cast<int>(i), static_cast<int>(j)}];
    if (code % 2 == 0) {  // variation
        require(has_i != has_j, "multipliers: a variation cut does not hold one end of its pair");
        sums.apart += cut.mu;
        if (moved.empty()) moved.resize(n.size * n.size);
        for (size_t l = 0; l < cut.count; ++l) {
            moved[static_cast<size_t>((has_i ? i : j) * s + cut.members[l])] += cut.mu;
            moved[static_cast<size_t>((has_i ? j : i) * s + cut.members[l])] -= cut.mu;
        }
        return;
    }
    require(cut.count == static_cast<size_t>(has_i + has_j), "multipliers: a weight cut holds more than its ends");
    (has_i && has_j ? sums.apart : sums.together) += cut.mu;
    (has_i && has_j ? sums.both : has_i ? sums.first : sums.second) += cut.mu;
    weights += cut.mu;
}
