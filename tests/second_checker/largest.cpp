#include <algorithm>
#include <numeric>

#include "conditions.h"
#include "moments.h"

std::vector<Rational> largest_clusters(const Data& data, const View& view) {
    const Weights weights(data, view);
    const size_t s = view.groups.size();
    std::vector<size_t> lightest(s);
    std::iota(lightest.begin(), lightest.end(), size_t{0});
    std::sort(lightest.begin(), lightest.end(), [&](size_t i, size_t j) { return weights.each[i] < weights.each[j]; });
    std::vector<Rational> result(s);
    std::vector<char> outside(s);
    const double words = extent(data.weights).words();
    for (size_t i = 0; i < s; ++i) {
        spend(20 * (2 + words) * (view.k + static_cast<double>(view.around[i].size())), "largest clusters");
        Integer left = weights.total;
        for (const int j : view.around[i]) left -= weights.each[j], outside[j] = 1;
        long missing = static_cast<long>(view.k) - 1 - static_cast<long>(view.around[i].size());
        for (size_t at = 0; at < s && missing > 0; ++at) {
            const size_t j = lightest[at];
            if (j == i || outside[j]) continue;
            left -= weights.each[j];
            --missing;
        }
        for (const int j : view.around[i]) outside[j] = 0;
        result[i] = weights.value(left);
    }
    return result;
}
