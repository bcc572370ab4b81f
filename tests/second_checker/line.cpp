// Section 11: lines.
#include <deque>

#include "bounds.h"
#include "moments.h"

namespace {

int varying_feature(const Data& data) {
    int varying = -1;
    for (size_t at = 0; at < data.points.size(); ++at) {
        const int j = static_cast<int>(at % data.d);
        if (data.points[at] == data.points[j]) continue;
        require(varying < 0 || varying == j, "line: two features vary");
        varying = j;
    }
    return std::max(varying, 0);
}

// Sums of w, w x and w x^2 over the points of the first super-points, and F where it is there.
struct Prefix {
    Integer weight, moment, square;
    std::optional<Integer> least = {};
};

class Line {
  public:
    Line(const Data&, const View&, const Conditions&, double penalty);
    Rational bound(int k);

  private:
    bool no_worse(int later, int earlier, int end);
    int overtaken(int earlier, int later, int end);
    std::vector<Prefix> sums_{{0, 0, 0, 0}};
    int fewest_ = 1, most_;  // pieces of an interval
    int unit_;
    Integer penalty_;
    double comparison_;  // what one costs
};

Line::Line(const Data& data, const View& view, const Conditions& conditions, double penalty) {
    Data line{data.n, 1, {}, data.weights};
    for (int p = 0, j = varying_feature(data); p < data.n; ++p) line.points.push_back(data.point(p, j));
    Sums sums(line, view.groups);
    const int length = std::min(sums.length_unit, 0) - 32, weight = std::min(sums.weight_unit, 0);
    const int finer = sums.length_unit - length, lighter = sums.weight_unit - weight;
    unit_ = 2 * length + weight;
    penalty_ = floor_of(times_power(Rational(penalty), -unit_));
    const Weights weights(data, view);
    Integer each = 0;
    for (const auto& own : weights.each) each = gcd(each, own);
    const bool is_cut = conditions.has_limits && weights.total <= each * data.n;
    for (int i = 0; i < view.size(); ++i) {
        const auto& [moments, own_weight, square] = sums.of(i);
        Prefix rest{own_weight << lighter, moments[0] << (lighter + finer), square << (lighter + 2 * finer)};
        for (Integer left = is_cut ? Integer(weights.each[i] / each) : Integer(1); left > 0; --left) {
            sums_.push_back({rest.weight / left, floor_of(Rational(rest.moment, left)), rest.square / left});
            rest.weight -= sums_.back().weight, rest.moment -= sums_.back().moment, rest.square -= sums_.back().square;
        }
    }
    most_ = static_cast<int>(sums_.size()) - 1;
    std::sort(sums_.begin() + 1, sums_.end(), [](const Prefix& a, const Prefix& b) {
        return a.weight == b.weight ? a.moment < b.moment : a.moment * b.weight < b.moment * a.weight;
    });
    if (is_cut) {
        const Rational one = weights.value(each);
        fewest_ = static_cast<int>(std::clamp(ceil_of(conditions.low / one), Integer(1), Integer(most_ + 1)).get_si());
        most_ = static_cast<int>(std::clamp(floor_of(conditions.high / one), Integer(0), Integer(most_ + 1)).get_si());
    }
    for (size_t j = 1; j < sums_.size(); ++j) {
        sums_[j].weight += sums_[j - 1].weight;
        sums_[j].moment += sums_[j - 1].moment;
        sums_[j].square += sums_[j - 1].square;
    }
    comparison_ = 200 + 16 * sums.words * sums.words;
    spend(data.n * 300.0 + 4 * comparison_ * static_cast<double>(sums_.size()), "line");
}

// Whether an interval that ends there costs no more with the later start: F - Q - (S_end - S)^2 / (W_end - W) compared.
bool Line::no_worse(int later, int earlier, int end) {
    spend(comparison_, "line");
    const Prefix &a = sums_[later], &b = sums_[earlier], &e = sums_[end];
    const Integer weight_a = e.weight - a.weight, weight_b = e.weight - b.weight;
    const Integer moment_a = e.moment - a.moment, moment_b = e.moment - b.moment;
    const Integer ahead = *a.least - a.square - *b.least + b.square;
    return ahead * weight_a * weight_b <= moment_a * moment_a * weight_b - moment_b * moment_b * weight_a;
}

// The first end, not before this one, from which the later start is no worse, or the earlier one too far: it stays so.
int Line::overtaken(int earlier, int later, int end) {
    int found = std::min(static_cast<int>(sums_.size()) - 1, earlier + most_) + 1;
    for (long step = 1; end < found;) {
        const int between = end + static_cast<int>(std::min<long>(step, (found - end) / 2));
        if (no_worse(later, earlier, between)) found = between;
        else end = between + 1, step *= 2;
    }
    return found;
}

Rational Line::bound(int k) {
    // Starts that are best for some end to come, and the first end for which each is; that of the first one has passed.
    struct Start { int start, from; };
    const int s = static_cast<int>(sums_.size()) - 1;
    std::deque<Start> starts;
    for (int end = fewest_; end <= s; ++end) {
        const int start = end - fewest_;
        if (sums_[start].least) {
            while (starts.size() > 1 && no_worse(start, starts.back().start, starts.back().from)) starts.pop_back();
            const int from = starts.empty() ? end : overtaken(starts.back().start, start, end);
            if (from <= s) starts.push_back({start, from});
        }
        while (starts.size() > 1 && starts[1].from <= end) starts.pop_front();
        if (!starts.empty() && end - starts[0].start > most_) starts.pop_front();
        if (starts.empty()) continue;
        const Prefix& from = sums_[starts[0].start];
        Prefix& to = sums_[end];
        // F_end = F + Q_end - Q + lambda - (S_end - S)^2 / (W_end - W), rounded down.
        const Integer moment = to.moment - from.moment, weight = to.weight - from.weight;
        to.least = *from.least + to.square - from.square + penalty_ - ceil_of(Rational(moment * moment, weight));
    }
    require(sums_[s].least.has_value(), "line: no intervals keep the limits");
    return times_power(Rational(*sums_[s].least - k * penalty_), unit_);
}

}  // namespace

Rational line_bound(const Data& data, const View& view, const Conditions& conditions, double penalty) {
    spend(20.0 * static_cast<double>(data.points.size()), "line");
    return Line(data, view, conditions, penalty).bound(view.k);
}
