#include <algorithm>
#include <future>

#include "exact.h"
#include "tree.h"

namespace {

struct Part {
    int64_t number;
    std::vector<int> points;
    std::vector<double> weights;
};

using Linked = std::vector<std::vector<std::pair<int, bool>>>;  // of each point: others, and whether they are together

Part read_part(Database& database, int64_t number, int n) {
    const Row row = database.part(number);
    Part part{number, {}, {}};
    Shape shape;
    const auto points = read_integers(row.need<Blob>("points"), "the points of a part", 1, n, shape);
    part.weights = read_doubles(row.need<Blob>("weights"), "the weights of a part", 1, shape);
    require(points.size() == part.weights.size(), "a part has another number of weights than of points");
    spend(1200.0 * static_cast<double>(points.size()), "parts");
    for (size_t i = 0; i < points.size(); ++i) {
        require(points[i] >= 0 && points[i] < n && part.weights[i] > 0, "a part has a point or a weight that is none");
        require(i == 0 || points[i - 1] < points[i], "the points of a part do not increase");
        part.points.push_back(static_cast<int>(points[i]));
    }
    return part;
}

// Refuses parts that bring more of a point than there is, or more than 2^-40 less.
void check_shares(const std::vector<Part>& parts, const Data& whole) {
    std::vector<std::pair<int, double>> shares;
    for (const Part& part : parts) {
        for (size_t i = 0; i < part.points.size(); ++i) shares.emplace_back(part.points[i], part.weights[i]);
    }
    std::sort(shares.begin(), shares.end());
    auto share = shares.begin();
    for (int p = 0; p < whole.n; ++p) {
        const double weight = whole.weights[p];
        Rational missing;
        const auto first = share;
        while (share != shares.end() && share->first == p) ++share;
        if (share - first == 1 && first->second == weight) continue;
        for (auto at = first; at != share; ++at) missing -= Rational(at->second);
        missing += Rational(weight);
        require(missing >= 0 && missing <= times_power(weight, -40), "the parts do not share out the weights of the points");
    }
}

Lower check_part(Database& database, const Part& part, const Data& whole, int k, const Linked& linked) {
    Data data{static_cast<int>(part.points.size()), whole.d, {}, part.weights};
    Links links;
    for (int i = 0; i < data.n; ++i) {
        const auto from = whole.points.begin() + static_cast<std::ptrdiff_t>(part.points[i]) * whole.d;
        data.points.insert(data.points.end(), from, from + whole.d);
        for (const auto& [other, together] : linked[part.points[i]]) {
            const auto at = std::lower_bound(part.points.begin(), part.points.end(), other);
            spend(100, "parts");
            if (at == part.points.end() || *at != other) continue;
            (together ? links.together : links.apart).emplace_back(i, at - part.points.begin());
        }
    }
    const Lower bound = check_tree(database, part.number, data, k, links, Conditions(parse_json("{}", "conditions"), data, k));
    constexpr long unit = 4300;  // finer than the squares of the least doubles, so that sums stay short
    if (!bound || mpz_sizeinbase(bound->get_den_mpz_t(), 2) <= unit) return bound;
    return times_power(Rational(floor_of(times_power(*bound, unit))), -unit);
}

}  // namespace

Lower check_cover(Database& database, const Row& cover, const Data& whole, int k, const Links& links, int threads) {
    Shape shape;
    auto numbers = read_integers(cover.need<Blob>("parts"), "the parts of the cover", 1, SIZE_MAX, shape);
    std::sort(numbers.begin(), numbers.end());
    const bool is_twice = std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
    require(!is_twice, "the cover lists a part twice");
    std::vector<Part> parts;
    double held = 0;
    for (const int64_t number : numbers) {
        parts.push_back(read_part(database, number, whole.n));
        hold(held += 100 + 30.0 * static_cast<double>(parts.back().points.size()), "the cover");
    }
    check_shares(parts, whole);
    Linked linked(whole.n);
    for (const auto& [i, j] : links.together) linked[i].emplace_back(j, true);
    for (const auto& [i, j] : links.apart) linked[i].emplace_back(j, false);

    const size_t stride = std::min<size_t>(threads, std::max<size_t>(parts.size(), 1));
    const auto work = [&, given = budget](size_t first) {  // every stride-th part, with a budget of its own
        std::pair<Lower, double> result(Rational(0), 0);
        budget = given;
        for (size_t at = first; at < parts.size(); at += stride) {
            const Lower bound = check_part(database, parts[at], whole, k, linked);
            if (bound && result.first) *result.first += *bound;
            else result.first.reset();
        }
        result.second = given.work_left - budget.work_left;
        return result;
    };
    std::vector<std::future<std::pair<Lower, double>>> shares;
    for (size_t i = 1; i < stride; ++i) shares.push_back(std::async(std::launch::async, work, i));
    const Budget before = budget;
    auto [sum, spent] = work(0);
    for (auto& share : shares) {
        const auto [bound, work_done] = share.get();
        if (bound && sum) *sum += *bound;
        else sum.reset();
        spent += work_done;
    }
    budget = before;
    spend(spent, "parts");
    return sum;
}
