#include "tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bounds.h"
#include "decimal.h"
#include "exact.h"

namespace {

struct Decision {
    bool together;
    int i, j;
};

double finite(const Row& row, const char* name) {
    const double value = row.need<double>(name);
    require(std::isfinite(value), std::string(name) + " is not finite");
    return value;
}

void require_proved(double stated, const Lower& proved) {
    if (proved && Rational(stated) > *proved) throw Refusal(claimed_but_proved(stated, *proved));
}

// Section 3, Far pairs: what two super-points cost together, beyond what lies inside both.
class Distances {
  public:
    Distances(const Data& data, const View& view) : data_(data), view_(view), sums_(view.size()) {
        const Extent masses = extent(data.weights), lengths = extent(data.points);
        weight_unit_ = masses.unit, length_unit_ = lengths.unit, words_ = masses.words() + lengths.words();
    }
    Rational between(int i, int j) {
        spend(300 + (data_.d + 4) * (200 + 4 * words_ * words_), "far pairs");
        const auto &a = sums(i), &b = sums(j);
        Integer squares, difference;
        for (int f = 0; f < data_.d; ++f) {
            difference = b.back() * a[f] - a.back() * b[f];
            squares += difference * difference;
        }
        Rational distance(squares, a.back() * b.back() * (a.back() + b.back()));
        distance.canonicalize();
        return times_power(distance, weight_unit_ + 2L * length_unit_);
    }

  private:
    const std::vector<Integer>& sums(int i) {  // of weighted points, and of weights
        auto& sums = sums_[i];
        if (!sums.empty()) return sums;
        sums.resize(data_.d + size_t{1});
        spend(60 * words_ * static_cast<double>(view_.groups[i].size()) * (data_.d + 1), "far pairs");
        Integer weight, length;
        for (const int p : view_.groups[i]) {
            set_units(weight, data_.weights[p], weight_unit_);
            for (int f = 0; f < data_.d; ++f) set_units(length, data_.point(p, f), length_unit_), sums[f] += weight * length;
            sums.back() += weight;
        }
        return sums;
    }
    const Data& data_;
    const View& view_;
    int weight_unit_, length_unit_;
    double words_;
    std::vector<std::vector<Integer>> sums_;
};

class Walk {
  public:
    Walk(const Data& data, State& state, const Conditions& conditions, const Tree& tree)
        : data_(data), state_(state), conditions_(conditions), tree_(tree), all_{std::vector<int>(data.n)} {
        std::iota(all_[0].begin(), all_[0].end(), 0);
        if (conditions.has_limits) dearest_ = cost(data_, all_) + conditions.most_paid(state.view());
        read_structure();
    }
    Lower walk();

  private:
    struct Frame {
        size_t node, mark;  // the mark of the state before the node's decision
        int next;           // the next child: 0 for must-links, then 1
        Rational proved;
    };
    void require_partitions() {
        require(!state_.broken(), "multipliers in a state that contradicts itself");
        require(state_.size() >= state_.view().k, "multipliers in a state of fewer super-points than clusters");
    }
    void add(const Decision& pair) { pair.together ? state_.join(pair.i, pair.j) : state_.separate(pair.i, pair.j); }
    void read_structure();
    Decision branching(const Row&) const;
    std::vector<Decision> decisions(const Row&) const;
    void enter(size_t node, size_t mark, Rational proved);
    void take_step(const Row&, Rational& proved);
    void take_bounded_step(const std::string& kind, const Row&, Rational& proved);
    void check_infeasible(const Row&);
    void close(const Row&, Rational& proved);
    void count(Lower bound, double stated) {
        if (bound && dearest_ && *bound > *dearest_) bound.reset();  // section 13, States: nothing is left there
        require_proved(stated, bound);
        if (bound && (!least_ || *bound < *least_)) least_ = bound;
    }
    const Data& data_;
    State& state_;
    const Conditions& conditions_;
    const Tree& tree_;
    std::vector<std::vector<int>> all_;            // points, in one cluster
    std::vector<std::array<size_t, 2>> children_;  // 0 for none
    std::vector<Frame> stack_;
    Lower dearest_, least_;
};

Decision Walk::branching(const Row& row) const {
    const int i = state_.point(row.need<int64_t>("branch_i")), j = state_.point(row.need<int64_t>("branch_j"));
    require(i != j, "a branching on one point");
    return {true, std::min(i, j), std::max(i, j)};
}

auto by_number = [](const Row& row, int64_t number) { return row.need<int64_t>("node") < number; };

void Walk::read_structure() {
    const auto& nodes = tree_.nodes;
    children_.resize(nodes.size());
    for (const char* none : {"parent", "i", "j"}) require(!nodes[0].get<int64_t>(none), "the first node has a parent or a decision");
    require(nodes[0].need<int64_t>("node") == 0 && !nodes[0].get<std::string>("kind"), "node 0 is not the root");
    for (size_t at = 1; at < nodes.size(); ++at) {
        const Row& row = nodes[at];
        const int64_t number = row.need<int64_t>("parent"), i = row.need<int64_t>("i"), j = row.need<int64_t>("j");
        require(nodes[at - 1].need<int64_t>("node") < row.need<int64_t>("node"), "a node is there twice");
        const auto parent = std::lower_bound(nodes.begin(), nodes.end(), number, by_number);
        require(parent != nodes.end() && parent->need<int64_t>("node") == number, "a node has a parent that does not exist");
        require(parent->need<std::string>("closing") == "branched", "a node has a parent that is not branched");
        const Decision pair = branching(*parent);
        const std::string& kind = row.need<std::string>("kind");
        const bool is_own = std::min(i, j) == pair.i && std::max(i, j) == pair.j && (kind == "ML" || kind == "CL");
        require(is_own, "the decision of a node is not that of its parent's branching");
        size_t& child = children_[parent - nodes.begin()][kind == "CL"];
        require(child == 0, "a node has two children of one kind");
        child = at;
    }
}

Lower Walk::walk() {
    size_t entered = 1;
    for (enter(0, state_.mark(), 0); !stack_.empty();) {
        Frame& frame = stack_.back();
        const Row& row = tree_.nodes[frame.node];
        if (frame.next == 2 || row.need<std::string>("closing") != "branched") {
            state_.undo(frame.mark);
            stack_.pop_back();
            continue;
        }
        Decision decision = branching(row);
        decision.together = frame.next == 0;
        const size_t child = children_[frame.node][frame.next++], mark = state_.mark();
        if (child == 0) {  // open
            count(frame.proved, 0);
            continue;
        }
        add(decision);
        ++entered;
        enter(child, mark, frame.proved);
    }
    require(entered == tree_.nodes.size(), "a node cannot be reached from the root");
    return least_;
}

void Walk::enter(size_t node, size_t mark, Rational proved) {
    const Row& row = tree_.nodes[node];
    const int64_t number = row.need<int64_t>("node");
    spend(5000, "nodes");
    const auto& steps = tree_.steps;
    try {
        auto step = std::lower_bound(steps.begin(), steps.end(), number, by_number);
        for (int64_t last = -1; step != steps.end() && step->need<int64_t>("node") == number; ++step) {
            require(step->need<int64_t>("position") > last, "two steps have one position");
            last = step->need<int64_t>("position");
            spend(5000, "steps");
            take_step(*step, proved);
        }
        if (const Blob* multipliers = row.get<Blob>("multipliers")) {
            require_partitions();
            const MultiplierBound bound(data_, state_.view(), *multipliers, conditions_, true);
            proved = std::max(proved, bound.value());
        }
        close(row, proved);
    } catch (const Refusal& refusal) {
        throw Refusal("node " + std::to_string(number) + ": " + refusal.what());
    }
    stack_.push_back({node, mark, 0, std::move(proved)});
}

std::vector<Decision> Walk::decisions(const Row& row) const {
    const size_t n = data_.n;
    Shape shape;
    const auto numbers = read_integers(row.need<Blob>("decisions"), "decisions", 2, 3 * (n * (n + 1) / 2), shape);
    require(shape.sizes[0] == 3, "the pairs of a step have another shape");
    const size_t pairs = shape.sizes[1];
    std::vector<Decision> result;
    for (size_t t = 0; t < pairs; ++t) {
        const Decision pair{numbers[t] == 0, state_.point(numbers[pairs + t]), state_.point(numbers[2 * pairs + t])};
        require((numbers[t] == 0 || numbers[t] == 1) && pair.i != pair.j, "a pair of a step is of another kind, or of one point");
        result.push_back(pair);
    }
    return result;
}

void Walk::take_step(const Row& row, Rational& proved) {
    const std::string& kind = row.need<std::string>("kind");
    if (kind == "forced") {
        const Json pairs = parse_json(row.need<std::string>("forced"), "forced pairs");
        require(pairs.kind == Json::List, "forced pairs are no list");
        for (const Json& pair : pairs.list) state_.force(pair, conditions_);
    } else if (kind == "equal") {
        require(!conditions_.stated_any, "equal points may not be joined under limits and soft pairs");
        for (const Decision& pair : decisions(row)) {
            require(pair.together, "equal points are set apart");
            state_.join_equal(pair.i, pair.j);
        }
        require(state_.size() >= state_.view().k, "joining equal points leaves fewer super-points than clusters");
    } else {
        require(kind == "fixed" || kind == "soft" || kind == "far", "a step is of a kind that is not known");
        take_bounded_step(kind, row, proved);
    }
}

// All pairs are judged in the state before the step.
void Walk::take_bounded_step(const std::string& kind, const Row& row, Rational& proved) {
    const bool is_far = kind == "far", is_fixed = kind == "fixed";
    const auto pairs = decisions(row);
    const View& view = state_.view();
    std::optional<MultiplierBound> multipliers;
    if (!is_far) {
        require_partitions();
        multipliers.emplace(data_, view, row.need<Blob>("multipliers"), conditions_, is_fixed);
        if (is_fixed) proved = std::max(proved, multipliers->value());
    }
    const Rational base = is_far ? cost_below(data_, view.groups) : multipliers->value();
    Distances distances(data_, view);
    const double words = extent(data_.weights).words();
    const auto open = kind == "soft" ? conditions_.open(view) : Penalties();
    Lower least;
    for (const auto& [together, p, q] : pairs) {
        const int i = view.of[p], j = view.of[q];
        require(i != j, "a pair of a step is within one super-point");
        spend(500 + 50 * words * words, "pairs of steps");
        Rational bound = base;
        if (is_far) bound += distances.between(i, j);
        else if (is_fixed) bound = together ? multipliers->apart(p, q) : multipliers->together(p, q);
        else {
            const bool is_decided = std::binary_search(view.around[i].begin(), view.around[i].end(), j);
            require(!is_decided, "a pair of a step `soft` is decided already");
            const auto stake = open.find(std::minmax(i, j));
            if (stake != open.end()) bound += together ? stake->second.first : stake->second.second;
        }
        require(!is_far || !together, "a step `far` puts points together");
        bound = std::max(bound, proved);
        if (!least || bound < *least) least = bound;
    }
    require(least || !is_far, "a step `far` has no pairs");
    count(least, finite(row, "lower_bound"));
    for (const Decision& pair : pairs) add(pair);
    if (is_far) state_.form_blocks();
}

void Walk::check_infeasible(const Row& row) {
    const View& view = state_.view();
    if (state_.broken() || view.size() < view.k || conditions_.refutes(view)) return;
    Shape shape;
    state_.check_search(read_integers(row.need<Blob>("search"), "the search", 1, size_t{1} << 22, shape));
}

void Walk::close(const Row& row, Rational& proved) {
    const std::string& closing = row.need<std::string>("closing");
    if (closing == "branched") return static_cast<void>(branching(row));
    if (closing == "infeasible") return check_infeasible(row);
    const double stated = finite(row, "closing_bound");
    const View& view = state_.view();
    if (closing == "bound" || closing == "open") {
        row.need<Blob>("multipliers");
    } else if (closing == "single") {
        const bool is_one = view.k == 1;
        require(!state_.broken() && (is_one || view.size() == view.k), "more than one partition is left, or none");
        const Rational paid = conditions_.paid(is_one ? std::vector<int>(data_.n, 0) : view.of);
        proved = std::max(proved, Rational(cost(data_, is_one ? all_ : view.groups) + paid));
    } else if (closing == "line") {
        proved = std::max(proved, line_bound(data_, view, finite(row, "penalty")));
    } else {
        require(closing == "prices", "a closing that is not known");
        check_prices(data_, view, row.need<Blob>("prices"), row.get<Blob>("search"), stated);
        proved = std::max(proved, Rational(stated));
    }
    count(proved, stated);
}

}  // namespace

Lower check_tree(Database& database, int64_t part, const Data& data, int k, const Links& links, const Conditions& conditions) {
    State state(data, k);
    for (const auto& [i, j] : links.together) state.join(i, j);
    for (const auto& [i, j] : links.apart) state.separate(i, j);
    if (part > 0 && state.size() < k) return Rational(0);
    const Tree tree = database.tree(part);
    if (tree.nodes.empty()) return Rational(0);
    return Walk(data, state, conditions, tree).walk();
}
