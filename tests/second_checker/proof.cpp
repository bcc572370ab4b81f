#include "proof.h"

#include <cmath>
#include <future>

#include "decimal.h"
#include "exact.h"

Lower least(const Lower& a, const Lower& b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

static Lower sum(const Lower& a, const Lower& b) {
    constexpr long unit = 4300;  // finer than the squares of the least doubles, so that sums stay short
    if (!a || !b) return {};
    const bool is_long = mpz_sizeinbase(b->get_den_mpz_t(), 2) > unit;
    return *a + (is_long ? times_power(Rational(floor_of(times_power(*b, unit))), -unit) : *b);
}

void require_proved(double claimed, const Lower& proved) {
    if (proved && Rational(claimed) > *proved) throw Refusal(claimed_but_proved(claimed, *proved));
}

Scope::Scope(Data given, const Json& stated, int k) : data(std::move(given)), conditions(stated, data, k), state(data, k) {}

Lower Problem::larger(const Lower& bound) const {
    if (!bound || !left) return {};
    const Rational& more = std::max(*bound, *left);
    return scope->dearest && more > *scope->dearest ? Lower() : more;
}

void Problem::await(std::vector<Row> rows, bool are_parts) {
    children = std::move(rows);
    adds_up = are_parts;
    proved = are_parts ? Lower(0) : Lower();
}

void Problem::gather(const Lower& bound) {
    proved = adds_up ? sum(proved, bound) : least(proved, bound);
    if (children.empty()) raise(proved);
}

double Evidence::stated() const {
    const double bound = row.need<double>("bound");
    require(std::isfinite(bound), "the bound that is stated is not finite");
    return bound;
}

void Evidence::close(const Lower& bound) const {
    problem.raise(bound);
    require_proved(stated(), problem.left);
}

Row Evidence::child(int64_t number) const {
    require(problem.known.insert(number).second, "a problem is come to twice");
    Row child = database.problem(number);
    require(child.need<int64_t>("parent") == problem.number, "a problem is made of another one");
    return child;
}

namespace {

struct Recursion {
    Database& database;
    Problem enter(int64_t number, std::shared_ptr<Scope> scope, size_t mark, Lower inherited) const;
    std::optional<Problem> enter(Problem& parent, const Row& child) const;
    void look_at_next(Problem&) const;
    void prove_parts(Problem&) const;
    Lower prove(Problem first) const;
};

Problem Recursion::enter(int64_t number, std::shared_ptr<Scope> scope, size_t mark, Lower inherited) const {
    spend(20000, "problems");
    return {number, std::move(scope), mark, std::move(inherited), database.evidence(number)};
}

// None for a part with fewer super-points than clusters, which counts 0.
std::optional<Problem> Recursion::enter(Problem& parent, const Row& child) const {
    const int64_t number = child.need<int64_t>("problem");
    if (parent.adds_up) {
        auto part = part_of(*parent.scope, child);
        if (part->state.size() < part->conditions.k) return {};
        return enter(number, std::move(part), 0, Rational(0));
    }
    State& state = parent.scope->state;
    const size_t mark = state.mark();
    state.apply(change(child, state));
    return enter(number, parent.scope, mark, parent.left);
}

void Recursion::look_at_next(Problem& problem) const {
    spend(5000, "evidence");
    const Row& row = problem.evidence[problem.next++];
    const std::string& kind = row.need<std::string>("kind");
    const auto rule = rules().find(kind);
    require(rule != rules().end(), "evidence of a kind that is not known");
    const bool knows_outliers = kind == "prices" || kind == "single" || kind == "infeasible" || kind == "branching";
    require(problem.scope->conditions.outliers == 0 || knows_outliers, "evidence that does not know of outliers");
    Evidence evidence{database, problem, row, {row.need<Blob>("payload"), kind}};
    rule->second(evidence);
    evidence.payload.require_finished();
}

// Every so many-th part in a thread of its own, with a budget of its own.
void Recursion::prove_parts(Problem& whole) const {
    const std::vector<Row> parts = std::move(whole.children);
    whole.children.clear();
    whole.scope->state.view();  // which is there for all of them
    const auto work = [&, given = budget](size_t first) {
        budget = given;
        budget.threads = 1;
        Lower proved = Rational(0);
        for (size_t at = first; at < parts.size(); at += given.threads) {
            auto part = enter(whole, parts[at]);
            if (part) proved = sum(proved, prove(std::move(*part)));
        }
        return std::make_pair(proved, given.work_left - budget.work_left);
    };
    std::vector<std::future<std::pair<Lower, double>>> shares;
    for (int i = 0; i < budget.threads; ++i) shares.push_back(std::async(std::launch::async, work, i));
    Lower proved = Rational(0);
    for (auto& share : shares) {
        const auto [bound, spent] = share.get();
        proved = sum(proved, bound);
        spend(spent, "parts");
    }
    whole.gather(proved);
}

Lower Recursion::prove(Problem first) const {
    std::vector<Problem> stack;
    stack.push_back(std::move(first));
    while (true) {
        Problem& problem = stack.back();
        const bool has_children = !problem.children.empty();
        if (has_children && problem.number == 0 && problem.adds_up && budget.threads > 1) {
            prove_parts(problem);
            continue;
        }
        try {
            if (has_children) {
                const Row row = std::move(problem.children.back());
                problem.children.pop_back();
                auto child = enter(problem, row);
                if (child) stack.push_back(std::move(*child));
                else problem.gather(Rational(0));
            } else if (problem.next < problem.evidence.size()) {
                look_at_next(problem);
            } else {
                const Lower proved = least(problem.left, problem.aside);
                problem.scope->state.undo(problem.mark);
                stack.pop_back();
                if (stack.empty()) return proved;
                stack.back().gather(proved);
            }
        } catch (const Refusal& refusal) {
            throw Refusal("problem " + std::to_string(stack.back().number) + ": " + refusal.what());
        }
    }
}

}  // namespace

Lower prove(Database& database, std::shared_ptr<Scope> whole) {
    const Recursion recursion{database};
    if (whole->conditions.outliers > 0) {
        const View& view = whole->state.view();
        for (const int super_point : view.of) whole->whole_size.push_back(view.groups[super_point].size());
    }
    if (whole->conditions.has_limits || whole->conditions.outliers > 0) {
        whole->dearest = cost(whole->data, {all_points(whole->data)}) + whole->conditions.most_paid(whole->state.view());
    }
    const size_t mark = whole->state.mark();
    return recursion.prove(recursion.enter(0, std::move(whole), mark, Rational(0)));
}
