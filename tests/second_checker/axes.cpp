#include "axes.h"

Axes read_axes(Arrays& arrays, int features) {
    Axes axes;
    const auto [shape, entries] = arrays.integers(2, 16 * static_cast<size_t>(features));
    if (shape[0] == 0) return axes;
    const bool fits = shape[0] <= 16 && shape[0] <= static_cast<size_t>(features) && shape[1] == static_cast<size_t>(features);
    require(fits, "axes: as many columns as features, and up to 16 rows, are needed");
    axes.entries = entries;
    axes.rows = static_cast<int>(shape[0]);
    axes.features = features;
    constexpr int64_t one = int64_t{1} << 30;
    for (int64_t u : axes.entries) require(-one <= u && u <= one, "axes: they lengthen something");
    for (int a = 0; a < axes.rows; ++a) {
        Wide sum = 0;  // at most 16 products of 2^60 for each feature
        const int64_t* u = &axes.entries[static_cast<size_t>(a) * features];
        for (int b = 0; b < axes.rows; ++b) {
            const int64_t* v = &axes.entries[static_cast<size_t>(b) * features];
            Wide product = 0;
            for (int j = 0; j < features; ++j) product += u[j] * v[j];
            sum += product < 0 ? -product : product;
        }
        require(sum <= Wide{1} << 60, "axes: they lengthen something");
    }
    return axes;
}

std::vector<Rational> Places::find(int super_point) {
    sum_ = sums_.of(static_cast<size_t>(super_point));
    std::vector<Integer> moments = sum_.moments;
    if (axes_.rows > 0) moments.assign(axes_.rows, 0);
    spend(static_cast<double>(300 * moments.size()) + 10 * sums_.words * static_cast<double>(axes_.entries.size()), "places");
    for (size_t at = 0; at < axes_.entries.size(); ++at) {
        const long u = axes_.entries[at];
        moments[at / axes_.features] += u * sum_.moments[at % axes_.features];
    }
    std::vector<Rational> place;
    for (const Integer& moment : moments) place.emplace_back(moment, sum_.weight), place.back().canonicalize();
    return place;
}
