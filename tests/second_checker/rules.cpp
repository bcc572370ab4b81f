// Section 3: the rules, one for each kind of evidence.
#include "bounds.h"
#include "multipliers.h"
#include "proof.h"

Change change(const Row& row, const State& state) {
    const std::string& kind = row.need<std::string>("change");
    const bool is_pair = kind == "ML" || kind == "CL";
    require(is_pair || kind == "lighter" || kind == "heavier", "a problem of a branching has a change of another kind");
    Arrays content(row.need<Blob>("content"), "a change");
    const auto points = content.integers(1, 2).numbers;
    require(points.size() == (is_pair ? 2 : 1), "a change is about another number of points");
    const auto [i, j] = std::minmax({state.point(points.front()), state.point(points.back())});
    require(!is_pair || i != j, "a change is about a point and itself");
    const auto weights = is_pair ? std::vector<double>() : content.doubles(1, 1).numbers;
    content.require_finished();
    require(is_pair || (weights.size() == 1 && weights[0] > 0), "a bound of a weight is none, or not positive");
    return {kind, i, j, is_pair ? 0.0 : weights[0]};
}

namespace {

std::vector<Decision> decisions(Evidence& evidence) {
    const size_t n = evidence.scope().data.n;
    const State& state = evidence.scope().state;
    const auto [shape, numbers] = evidence.payload.integers(2, 3 * (n * (n + 1) / 2));
    require(shape[0] == 3, "decisions have another shape");
    const size_t pairs = shape[1];
    std::vector<Decision> result;
    for (size_t t = 0; t < pairs; ++t) {
        const Decision pair{numbers[t] == 0, state.point(numbers[pairs + t]), state.point(numbers[2 * pairs + t])};
        require((numbers[t] == 0 || numbers[t] == 1) && pair.i != pair.j, "a decision is of another kind, or of one point");
        result.push_back(pair);
    }
    return result;
}

MultiplierBound read_multipliers(Evidence& evidence, bool has_open_pairs) {
    const Scope& scope = evidence.scope();
    require(!scope.state.broken(), "multipliers in a state that contradicts itself");
    require(scope.state.size() >= scope.conditions.k, "multipliers in a state of fewer super-points than clusters");
    return {scope.data, evidence.view(), evidence.payload, scope.conditions, has_open_pairs};
}

void bound(Evidence& evidence) { evidence.close(read_multipliers(evidence, true).value()); }

void line(Evidence& evidence) {
    const Scope& scope = evidence.scope();
    const auto penalty = evidence.payload.doubles(1, 1).numbers;
    require(penalty.size() == 1, "a line without a penalty");
    evidence.close(line_bound(scope.data, evidence.view(), scope.conditions, penalty[0]));
}

void prices(Evidence& evidence) {
    const Scope& scope = evidence.scope();
    const auto lost = [&](const std::vector<double>& each) {
        return scope.conditions.outliers > 0 ? *greatest_left_out(scope, evidence.view(), &each, false) : Rational(0);
    };
    const bool has_tolls = scope.conditions.has_limits && scope.conditions.soft.empty();
    check_prices(scope.data, evidence.view(), evidence.payload, evidence.stated(), lost,
                 has_tolls ? std::optional<Rational>(scope.conditions.high) : std::nullopt);
    evidence.close(Rational(evidence.stated()));
}

// Section 15, Alone: what is not paid where every super-point is a cluster or left out, if any partition is like that.
std::optional<Rational> lost_alone(const Scope& scope, const View& view) {
    require(!view.broken, "a state that contradicts itself");
    const auto is_alone = [&](const std::vector<int>& around) { return around.size() + 1 == view.groups.size(); };
    const bool all_alone = std::all_of(view.around.begin(), view.around.end(), is_alone);
    require(view.size() == view.k || (all_alone && view.size() > view.k), "super-points may share a cluster, or are few");
    return greatest_left_out(scope, view, nullptr, true);
}

void single(Evidence& evidence) {
    const View& view = evidence.view();
    const Scope& scope = evidence.scope();
    if (scope.conditions.outliers > 0) {
        const auto lost = lost_alone(scope, view);
        require(lost.has_value(), "no partition is left");
        return evidence.close(Rational(cost(scope.data, view.groups) - *lost));
    }
    require(!view.broken && (view.k == 1 || view.size() == view.k), "more than one partition is left, or none");
    auto clusters = view.groups;
    auto cluster_of = view.of;
    if (view.k == 1) clusters = {all_points(scope.data)}, cluster_of.assign(scope.data.n, 0);
    evidence.close(Rational(cost(scope.data, clusters) + scope.conditions.paid(cluster_of)));
}

void infeasible(Evidence& evidence) {
    const View& view = evidence.view();
    const Scope& scope = evidence.scope();
    if (view.broken || view.size() < view.k || scope.conditions.refutes(view)) evidence.payload.skip();
    else if (scope.conditions.outliers > 0) {
        require(!lost_alone(scope, view), "a partition is left");
        evidence.payload.skip();
    } else scope.state.check_search(evidence.payload.integers(1, size_t{1} << 22).numbers);
    evidence.problem.raise({});
}

void forced(Evidence& evidence) {
    const auto pairs = decisions(evidence);
    const auto list = evidence.payload.integers(1).numbers;
    State& state = evidence.scope().state;
    auto at = list.begin();
    for (const Decision& pair : pairs) {
        const int64_t count = at == list.end() ? -1 : *at++;
        require(count >= 0 && count <= list.end() - at, "a forced pair has no clique");
        std::vector<int> clique;
        for (const auto end = at + count; at != end; ++at) clique.push_back(state.point(*at));
        state.check_forced(pair, clique, evidence.scope().conditions);
        state.add(pair);
    }
    require(at == list.end(), "there are more cliques than forced pairs");
}

void equal(Evidence& evidence) {
    Scope& scope = evidence.scope();
    const bool are_free = !scope.conditions.stated_any && evidence.view().bounds.empty();
    require(are_free, "equal points may not be joined under limits, soft pairs and bounds of weights");
    for (const Decision& pair : decisions(evidence)) {
        scope.state.check_equal(pair);
        scope.state.add(pair);
    }
    require(scope.state.size() >= scope.conditions.k, "joining equal points leaves fewer super-points than clusters");
}

// All decisions are judged in the state before the first of them.
template <class Opposite>
void set_aside(Evidence& evidence, const std::vector<Decision>& pairs, Opposite opposite) {
    Problem& problem = evidence.problem;
    const View& view = evidence.view();
    const double words = extent(evidence.scope().data.weights).words();
    Lower aside;
    for (const Decision& pair : pairs) {
        require(view.of[pair.i] != view.of[pair.j], "a decision is about one super-point");
        spend(500 + 50 * words * words, "decisions");
        aside = least(aside, problem.larger(opposite(pair)));
    }
    require_proved(evidence.stated(), aside);
    problem.aside = least(problem.aside, aside);
    for (const Decision& pair : pairs) evidence.scope().state.add(pair);
}

void fixed(Evidence& evidence) {
    const auto pairs = decisions(evidence);
    const MultiplierBound multipliers = read_multipliers(evidence, true);
    evidence.problem.raise(multipliers.value());
    set_aside(evidence, pairs, [&](const Decision& pair) {
        return pair.together ? multipliers.apart(pair.i, pair.j) : multipliers.together(pair.i, pair.j);
    });
}

void soft(Evidence& evidence) {
    const auto pairs = decisions(evidence);
    const View& view = evidence.view();
    const MultiplierBound multipliers = read_multipliers(evidence, false);
    const Penalties open = evidence.scope().conditions.open(view);
    set_aside(evidence, pairs, [&](const Decision& pair) -> Rational {
        const int i = view.of[pair.i], j = view.of[pair.j];
        require(!view.apart(i, j), "a soft pair is decided already");
        const auto found = open.find(std::minmax(i, j));
        if (found == open.end()) return multipliers.value();
        return multipliers.value() + (pair.together ? found->second.first : found->second.second);
    });
}

void far(Evidence& evidence) {
    const auto pairs = decisions(evidence);
    require(!pairs.empty(), "there are no far pairs");
    const View& view = evidence.view();
    const Data& data = evidence.scope().data;
    const Rational inside = cost_below(data, view.groups);
    Distances distances(data, view);
    set_aside(evidence, pairs, [&](const Decision& pair) -> Rational {
        require(!pair.together, "far points are put together");
        return inside + distances.between(view.of[pair.i], view.of[pair.j]);
    });
    evidence.scope().state.form_blocks();
}

void branching(Evidence& evidence) {
    const auto numbers = evidence.payload.integers(1, 2).numbers;
    evidence.payload.doubles(1, 1);
    require(numbers.size() == 2, "a branching has no two problems");
    const State& state = evidence.scope().state;
    std::vector<Row> children;
    std::vector<Change> changes;
    for (const int64_t number : numbers) {
        children.push_back(evidence.child(number));
        changes.push_back(change(children.back(), state));
    }
    const auto &a = changes[0], &b = changes[1];
    const std::set<std::string> kinds = {a.kind, b.kind}, pairs = {"ML", "CL"}, bounds = {"lighter", "heavier"};
    require(kinds == pairs || kinds == bounds, "the problems of a branching are no opposites");
    const bool are_alike = std::tie(a.i, a.j, a.weight) == std::tie(b.i, b.j, b.weight);
    require(are_alike, "the problems of a branching are about other points, or another weight");
    require(kinds == pairs || evidence.scope().conditions.outliers == 0, "a bound of a weight beside outliers");
    evidence.problem.await(std::move(children), false);
}

}  // namespace

const std::map<std::string, Rule>& rules() {
    static const std::map<std::string, Rule> all = {
        {"bound", bound}, {"open", bound}, {"prices", prices}, {"line", line}, {"single", single},
        {"infeasible", infeasible}, {"forced", forced}, {"fixed", fixed}, {"soft", soft}, {"far", far},
        {"equal", equal}, {"branching", branching}, {"cover", cover}};
    return all;
}
