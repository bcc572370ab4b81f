#include "state.h"

#include <algorithm>
#include <limits>
#include <numeric>

State::State(const Data& data, int k) : data_(data), k_(k), size_(data.n), parent_(data.n) {
    hold(300.0 * data.n, "the state");
    std::iota(parent_.begin(), parent_.end(), 0);
    next_ = parent_;
    blocks_ = {parent_};
    count_.assign(data.n, 1);
    uniform_.assign(data.n, 1);
    apart_.resize(data.n);
}

int State::root(int p) const {
    while (parent_[p] != p) p = parent_[p];  // of logarithmic depth
    return p;
}

int State::point(int64_t number) const {
    if (number < 0 || number >= data_.n) throw Refusal("the number of a point is out of range");
    return static_cast<int>(number);
}

void State::changed(std::function<void()> back) {
    undo_.push_back(std::move(back));
    hold(160.0 * static_cast<double>(undo_.size()), "the pairs of all problems above");
    view_.reset();
}

void State::undo(size_t mark) {
    for (; undo_.size() > mark; undo_.pop_back()) undo_.back()();
    view_.reset();
}

bool State::is_one_place(int a, int b) const {
    const double *x = &data_.points[size_t(a) * data_.d], *y = &data_.points[size_t(b) * data_.d];
    return uniform_[a] && uniform_[b] && std::equal(x, x + data_.d, y);
}

void State::set_broken() {
    if (!broken_) changed([this] { broken_ = false; });
    broken_ = true;
}

void State::separate(int p, int q) {
    const int a = root(p), b = root(q);
    spend(500, "links");
    if (a == b) return set_broken();
    if (!apart_[a].insert(b).second) return;
    apart_[b].insert(a);
    changed([this, a, b] { apart_[a].erase(b), apart_[b].erase(a); });
}

void State::join(int p, int q) {
    int a = root(p), b = root(q);
    spend(500, "links");
    if (a == b) return;
    if (apart(a, b)) set_broken();
    if (count_[a] + apart_[a].size() < count_[b] + apart_[b].size()) std::swap(a, b);
    spend(300.0 * static_cast<double>(apart_[b].size()), "links");
    std::vector<int> gained;
    for (const int other : apart_[b]) {
        if (other != a && parent_[other] == other && apart_[a].insert(other).second) gained.push_back(other);
    }
    for (const int other : gained) apart_[other].insert(a);
    const char was_uniform = uniform_[a];
    uniform_[a] = is_one_place(a, b);
    parent_[b] = a;
    count_[a] += count_[b];
    std::swap(next_[a], next_[b]);  // makes one ring of two, or two of one
    --size_;
    changed([this, a, b, was_uniform, gained = std::move(gained)] {
        ++size_;
        std::swap(next_[a], next_[b]);
        count_[a] -= count_[b];
        parent_[b] = b;
        uniform_[a] = was_uniform;
        for (const int other : gained) apart_[a].erase(other), apart_[other].erase(a);
    });
}

void State::apply(const Change& change) {
    if (change.weight == 0) return add({change.kind == "ML", change.i, change.j});
    bounds_.push_back(change);
    changed([this] { bounds_.pop_back(); });
}

const View& State::view() {
    if (view_) return *view_;
    spend(30.0 * data_.n, "states");
    View& view = view_.emplace();
    view.k = k_, view.broken = broken_, view.blocks = blocks_;
    view.of.assign(data_.n, -1);
    for (int p = 0; p < data_.n; ++p) {
        int& number = view.of[root(p)];  // perhaps before its turn
        if (number < 0) number = view.size(), view.groups.emplace_back();
        view.of[p] = number;
        view.groups[number].push_back(p);
    }
    for (const auto& group : view.groups) {
        const auto& apart = apart_[root(group[0])];
        auto& around = view.around.emplace_back();
        for (const int other : apart) {
            if (parent_[other] == other) around.push_back(view.of[other]);
        }
        std::sort(around.begin(), around.end());
        spend(30.0 * static_cast<double>(apart.size()), "states");
    }
    spend(200.0 * static_cast<double>(bounds_.size()), "states");
    for (const Change& bound : bounds_) {
        const auto none = std::make_pair(0.0, std::numeric_limits<double>::infinity());
        auto& [least, most] = view.bounds.emplace(view.of[bound.i], none).first->second;
        if (bound.kind == "heavier") least = std::max(least, bound.weight);
        else most = std::min(most, bound.weight);
    }
    return view;
}

void State::form_blocks() {
    const View& now = view();
    std::vector<int> left(now.size()), block_of(now.size()), reached;
    std::iota(left.begin(), left.end(), 0);
    std::vector<std::vector<int>> blocks;
    while (!left.empty()) {
        for (reached = {left.back()}, left.pop_back(); !reached.empty();) {
            const auto& around = now.around[reached.back()];  // all others that are left are reached from here
            block_of[reached.back()] = static_cast<int>(blocks.size());
            spend(50 + 60.0 * static_cast<double>(left.size()), "blocks");
            reached.pop_back();
            const auto is_apart = [&](int to) { return std::binary_search(around.begin(), around.end(), to); };
            const auto bound = std::partition(left.begin(), left.end(), is_apart);
            reached.insert(reached.end(), bound, left.end());
            left.erase(bound, left.end());
        }
        blocks.emplace_back();
    }
    for (int p = 0; p < data_.n; ++p) blocks[block_of[now.of[p]]].push_back(p);
    changed([this, before = std::move(blocks_)] { blocks_ = before; });
    blocks_ = std::move(blocks);
}

void State::check_forced(const Decision& pair, const std::vector<int>& clique, const Conditions& conditions) {
    const auto& [together, i, j] = pair;
    if (broken_) return;
    if (!together && clique.empty() && conditions.has_limits) {
        std::vector<int> both = {i, j};
        for (const int start : {i, j}) {
            for (int p = next_[start]; p != start; p = next_[p]) both.push_back(p);
        }
        return require(root(i) != root(j) && conditions.beyond(both), "a forced pair: no limit sets the points apart");
    }
    const size_t needed = together ? k_ - 1 : k_;
    require(clique.size() == needed, "a forced pair has a clique of another size than it needs");
    spend(100.0 * static_cast<double>(needed) * static_cast<double>(needed + 2), "forced pairs");
    for (size_t at = 0; at < needed; ++at) {
        const auto is_apart = [&](int other) { return apart(clique[at], other); };
        require(std::all_of(clique.begin(), clique.begin() + at, is_apart), "a forced pair has a clique that is none");
        const bool holds = together ? is_apart(pair.i) && is_apart(pair.j) : is_apart(pair.i) || is_apart(pair.j);
        require(holds, "a forced pair is not apart from its clique");
    }
}

void State::check_equal(const Decision& pair) {
    const int a = root(pair.i), b = root(pair.j);
    require(pair.together && is_one_place(a, b), "points that are joined as equal are not at one place");
    for (const int one : {a, b}) {
        spend(10.0 * static_cast<double>(apart_[one].size()), "links");
        const bool is_linked = std::any_of(apart_[one].begin(), apart_[one].end(), [&](int other) { return parent_[other] == other; });
        require(!is_linked, "points that are joined as equal have cannot-links");
    }
}

void State::check_search(const std::vector<int64_t>& points) const {
    struct Taken {
        int root, colour, used;  // used: colours before it was taken
    };
    std::vector<Taken> taken;
    std::vector<int> colour_of(data_.n, -1);
    std::vector<size_t> seen(k_ + 1, 0);
    size_t stamp = 0;
    const auto takes_next = [&](Taken& last) {  // the least colour that is left, if there is one
        ++stamp;
        for (const int other : apart_[last.root]) {
            if (colour_of[other] >= 0) seen[colour_of[other]] = stamp;
        }
        const int end = std::min(last.used + 1, k_);
        spend(100 + 30.0 * (static_cast<double>(apart_[last.root].size()) + end - last.colour), "a search");
        do ++last.colour;
        while (last.colour < end && seen[last.colour] == stamp);
        return last.colour < end;
    };
    for (size_t at = 0; at < points.size(); ++at) {
        const int used = taken.empty() ? 0 : std::max(taken.back().used, taken.back().colour + 1);
        taken.push_back({root(point(points[at])), -1, used});
        require(colour_of[taken.back().root] < 0, "the search takes a point that has a colour");
        while (!takes_next(taken.back())) {
            taken.pop_back();
            if (taken.empty()) return require(at + 1 == points.size(), "the search goes on after its end");
            colour_of[taken.back().root] = -1;
        }
        colour_of[taken.back().root] = taken.back().colour;
    }
    throw Refusal("the search ends before the state is refuted");
}
