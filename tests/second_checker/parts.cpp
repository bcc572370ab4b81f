// Section 10: parts.
#include "exact.h"
#include "proof.h"

namespace {

struct Part {
    std::vector<int> points;
    std::vector<double> weights;
};

Part read_part(const Row& row, int n) {
    require(row.need<std::string>("change") == "part", "a cover lists a problem that is no part");
    Arrays content(row.need<Blob>("content"), "a part");
    const auto points = content.integers(1, n).numbers;
    Part part{{}, content.doubles(1, n).numbers};
    content.require_finished();
    require(!points.empty() && points.size() == part.weights.size(), "a part has no points, or another number of weights");
    spend(1200.0 * static_cast<double>(points.size()), "parts");
    for (size_t i = 0; i < points.size(); ++i) {
        require(points[i] >= 0 && points[i] < n && part.weights[i] > 0, "a part has a point or a weight that is none");
        require(i == 0 || points[i - 1] < points[i], "the points of a part do not increase");
        part.points.push_back(static_cast<int>(points[i]));
    }
    return part;
}

using Shares = std::vector<std::pair<int, double>>;  // points, and what they bring into a part

// Refuses parts that bring more of a point than there is, or more than 2^-40 less.
void check_shares(Shares shares, const Data& whole) {
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

}  // namespace

void cover(Evidence& evidence) {
    const Data& data = evidence.scope().data;
    std::vector<Row> parts;
    Shares shares;
    for (const int64_t number : evidence.payload.integers(1).numbers) {
        parts.push_back(evidence.child(number));
        const Part part = read_part(parts.back(), data.n);
        for (size_t i = 0; i < part.points.size(); ++i) shares.emplace_back(part.points[i], part.weights[i]);
        hold(32.0 * static_cast<double>(shares.size()), "a cover");
    }
    check_shares(std::move(shares), data);
    evidence.problem.await(std::move(parts), true);
}

std::shared_ptr<Scope> part_of(Scope& whole, const Row& row) {
    const View& view = whole.state.view();
    const Data& from = whole.data;
    Part part = read_part(row, from.n);
    const double size = static_cast<double>(part.points.size());
    const double held = whole.held + size * (8.0 * from.d + 500);
    hold(held, "parts");
    Data data{static_cast<int>(part.points.size()), from.d, {}, std::move(part.weights)};
    std::map<int, int> first;  // of the super-points of the whole, the first point of the part
    for (const int p : part.points) {
        const auto place = from.points.begin() + static_cast<std::ptrdiff_t>(p) * from.d;
        data.points.insert(data.points.end(), place, place + from.d);
    }
    auto scope = std::make_shared<Scope>(std::move(data), parse_json("{}", "conditions"), whole.conditions.k);
    scope->held = held;
    for (int i = 0; i < scope->data.n; ++i) {
        const auto [at, is_new] = first.emplace(view.of[part.points[i]], i);
        if (!is_new) scope->state.add({true, at->second, i});
    }
    for (const auto& [super_point, i] : first) {
        spend(100.0 * static_cast<double>(view.around[super_point].size()), "parts");
        for (const int other : view.around[super_point]) {
            const auto at = other < super_point ? first.find(other) : first.end();
            if (at != first.end()) scope->state.add({false, at->second, i});
        }
    }
    return scope;
}
