// Section 11: lines.
#include <algorithm>

#include "bounds.h"
#include "moments.h"

namespace {

int varying_feature(const Data& data) {
    int varying = -1;
    for (int j = 0; j < data.d; ++j)
        for (int p = 1; p < data.n; ++p)
            if (data.point(p, j) != data.point(0, j)) {
                require(varying < 0, "line: two features vary");
                varying = j;
                break;
            }
    return std::max(varying, 0);
}

// Sums of w, w x and w x^2 over the points of the first super-points, and F.
struct Prefix {
    Integer weight, moment, square, least;
};

class Line {
  public:
    Line(const Data&, const View&, double penalty);
    Rational bound(int k);

  private:
    bool no_worse(int later, int earlier, int end);

    std::vector<Prefix> sums_;
    int unit_;
    Integer penalty_;
    double comparison_;  // what one costs
};

Line::Line(const Data& data, const View& view, double penalty) {
    Data line{data.n, 1, {}, data.weights};
    for (int p = 0, j = varying_feature(data); p < data.n; ++p) line.points.push_back(data.point(p, j));
    Sums sums(line, view.groups);
    const int length = std::min(sums.length_unit, 0) - 32, weight = std::min(sums.weight_unit, 0);
    unit_ = 2 * length + weight;
    penalty_ = floor_of(times_power(Rational(penalty), -unit_));
    Integer origin, total = 0;
    set_units(origin, line.points[0], length);
    std::vector<Prefix> parts;
    for (int i = 0; i < view.size(); ++i) {
        const Sum& sum = sums.of(i);
        const int finer = sums.length_unit - length, lighter = sums.weight_unit - weight;
        Prefix part{sum.weight << lighter, sum.moments[0] << (lighter + finer), sum.square << (lighter + 2 * finer), 0};
        // Costs do not depend on the origin: from the first point, numbers are short.
        part.square -= origin * (2 * part.moment - origin * part.weight);
        part.moment -= origin * part.weight;
        total += part.square + part.weight;
        parts.push_back(std::move(part));
    }
    const double words = 1 + static_cast<double>(bits(total)) / 64;
    comparison_ = 200 + 4 * words * words;
    spend(data.n * 300.0 + 4 * comparison_ * view.size(), "line");
    std::sort(parts.begin(), parts.end(), [](const Prefix& a, const Prefix& b) {
        return a.weight == b.weight ? a.moment < b.moment : a.moment * b.weight < b.moment * a.weight;
    });
    sums_.resize(parts.size() + 1);
    for (size_t i = 0; i < parts.size(); ++i) {
        sums_[i + 1].weight = sums_[i].weight + parts[i].weight;
        sums_[i + 1].moment = sums_[i].moment + parts[i].moment;
        sums_[i + 1].square = sums_[i].square + parts[i].square;
    }
}

// Whether an interval that ends there costs no more with the later start: F - Q - (S_end - S)^2 / (W_end - W) compared.
bool Line::no_worse(int later, int earlier, int end) {
    spend(comparison_, "line");
    const Prefix &a = sums_[later], &b = sums_[earlier], &e = sums_[end];
    const Integer weight_a = e.weight - a.weight, weight_b = e.weight - b.weight;
    const Integer moment_a = e.moment - a.moment, moment_b = e.moment - b.moment;
    const Integer ahead = a.least - a.square - b.least + b.square;
    return ahead * weight_a * weight_b <= moment_a * moment_a * weight_b - moment_b * moment_b * weight_a;
}

Rational Line::bound(int k) {
    // Starts that are best for some end to come, and the first end for which each is.
    struct Start {
        int start, from;
    };
    const int s = static_cast<int>(sums_.size()) - 1;
    std::vector<Start> starts;
    size_t first = 0;
    for (int end = 1; end <= s; ++end) {
        const int start = end - 1;
        while (starts.size() > first && starts.back().from >= end &&
               no_worse(start, starts.back().start, starts.back().from))
            starts.pop_back();
        if (starts.size() == first) starts.push_back({start, end});
        else {
            // The first end from which the new start is no worse than the last one: later ones stay so.
            const Start last = starts.back();
            int worse = last.from >= end ? last.from : end - 1, step = 1;
            while (worse + step <= s && !no_worse(start, last.start, worse + step)) worse += step, step *= 2;
            int better = std::min(worse + step, s + 1);
            while (better - worse > 1) {
                const int between = worse + (better - worse) / 2;
                (no_worse(start, last.start, between) ? better : worse) = between;
            }
            if (better <= s) starts.push_back({start, better});
        }
        while (starts.size() > first + 1 && starts[first + 1].from <= end) ++first;
        const Prefix& from = sums_[starts[first].start];
        Prefix& to = sums_[end];
        // F_end = F + Q_end - Q + lambda - (S_end - S)^2 / (W_end - W), rounded down.
        const Integer moment = to.moment - from.moment, weight = to.weight - from.weight;
        to.least = from.least + to.square - from.square + penalty_ - ceil_of(Rational(moment * moment, weight));
    }
    return times_power(Rational(sums_[s].least - k * penalty_), unit_);
}

}  // namespace

Rational line_bound(const Data& data, const View& view, double penalty) {
    spend(20.0 * static_cast<double>(data.points.size()), "line");
    return Line(data, view, penalty).bound(view.k);
}
