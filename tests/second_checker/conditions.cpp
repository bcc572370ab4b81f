#include "conditions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "moments.h"

namespace {

Rational number(const Json& value, const char* what) {
    if (value.kind == Json::Whole) return Rational(value.whole);
    require(value.kind == Json::Real && std::isfinite(value.real),
            std::string("conditions: ") + what + " is no finite number");
    return Rational(value.real);
}

Rational not_negative(const Json& value, const char* what) {
    const Rational result = number(value, what);
    require(result >= 0, std::string("conditions: ") + what + " is negative");
    return result;
}

long whole(const Json& value, long least, long most, const char* what) {
    require(value.kind == Json::Whole && least <= value.whole && value.whole <= most,
            std::string("conditions: ") + what + " is out of range");
    return value.whole.get_si();
}

const std::vector<Json>& list(const Json& value, const char* what) {
    require(value.kind == Json::List, std::string("conditions: ") + what + " is no list");
    return value.list;
}

// The least of s u / (s + u), what the cluster that is divided adds with s points in the set and u outside.
struct Least {
    long top = 1, bottom = 0;  // infinity
    void count(long s, long u) {
        if (s * u * bottom < top * (s + u)) top = s * u, bottom = s + u;  // products are below 2^43
    }
    Rational value() const {  // without any there is no partition, and 0 is as good as another bound
        Rational result = bottom == 0 ? Rational(0) : Rational(top, bottom);
        result.canonicalize();
        return result;
    }
};

}  // namespace

Conditions::Conditions(const Json& stated, const Data& data, int clusters) : k(clusters) {
    require(stated.kind == Json::Object, "conditions: they are no object");
    bare_.n = data.n;
    bare_.weights = data.weights;
    const Extent masses = extent(data.weights);
    weight_unit_ = masses.unit, words_ = 100 + 4 * masses.words();
    weights_.resize(data.weights.size());
    for (size_t p = 0; p < weights_.size(); ++p) set_units(weights_[p], data.weights[p], weight_unit_);
    high = weight_of(all_points(data));
    share_of_.assign(data.weights.size(), 0);
    for (const auto& [key, value] : stated.object) {
        if (key == "limits") read_limits(value);
        else if (key == "soft") read_soft(value);
        else throw Refusal("conditions: neither limits nor soft pairs");
    }
    stated_any = has_limits || !soft.empty();
    require(outliers == 0 || !stated_any, "conditions: outliers beside limits or soft pairs");
}

void Conditions::read_limits(const Json& limits) {
    require(limits.kind == Json::Object, "conditions: limits are no object");
    const long n = bare_.n;
    const std::set<std::string> keys = {"size_min", "size_max", "weight_min", "weight_max",
                                        "sizes",    "groups",   "group_min",  "group_max",  "outliers",
                                        "loads",    "load_min",   "load_max"};
    Share& all = shares_[0];
    Rational weight_min = 0, weight_max = high;
    const Rational miss = times_power(Rational(1), -30);  // a weight may miss its limit by that much of it
    for (const auto& [key, value] : limits.object) {
        require(keys.count(key), "conditions: there is no such limit");
        if (value.kind == Json::Null) continue;
        if (key == "outliers") {
            outliers = whole(value, 0, n - k, "outliers");
            continue;
        }
        has_limits = true;
        if (key == "size_min") all.min = whole(value, 1, n, "size_min");
        else if (key == "size_max") all.max = whole(value, 1, n, "size_max");
        else if (key == "weight_min") weight_min = not_negative(value, "weight_min") * (1 - miss);
        else if (key == "weight_max") weight_max = not_negative(value, "weight_max") * (1 + miss);
        else if (key == "sizes") {
            for (const Json& size : list(value, "sizes")) sizes_.push_back(whole(size, 1, n, "one of sizes"));
            std::sort(sizes_.begin(), sizes_.end());
            require(sizes_.size() == static_cast<size_t>(k) && std::accumulate(sizes_.begin(), sizes_.end(), 0L) == n,
                    "conditions: sizes are not the numbers of points of all clusters");
        }
    }
    read_group_limits(limits);
    read_loads(limits);
    if (has_limits) find_range(weight_min, weight_max);
}

void Conditions::read_group_limits(const Json& limits) {
    std::map<std::string, int> shares;  // of each group; 0 where it has no limit
    std::vector<const std::string*> group_of;
    const auto given = [&](const auto& at) { return at != limits.object.end() && at->second.kind != Json::Null; };
    const auto groups = limits.object.find("groups");
    if (given(groups)) {
        for (const Json& group : list(groups->second, "groups")) {
            require(group.kind == Json::Text, "conditions: the name of a group is no text");
            group_of.push_back(&group.text);
            shares[group.text] = 0;
        }
        require(group_of.size() == weights_.size(), "conditions: not one group for each point");
    }
    for (const char* key : {"group_min", "group_max"}) {
        const auto stated = limits.object.find(key);
        if (!given(stated)) continue;
        for (const Json& row : list(stated->second, key)) {
            require(row.kind == Json::List && row.list.size() == 2 && row.list[0].kind == Json::Text,
                    "conditions: a limit of a group is no group and number");
            const auto share = shares.find(row.list[0].text);
            require(share != shares.end(), "conditions: a group that is limited has no point");
            if (share->second == 0) {
                share->second = static_cast<int>(shares_.size());
                shares_.emplace_back();
            }
            Share& limited = shares_[static_cast<size_t>(share->second)];
            std::optional<long>& limit = key == std::string("group_min") ? limited.min : limited.max;
            require(!limit, "conditions: a group is limited twice");
            limit = whole(row.list[1], 0, bare_.n, "a limit of a group");
        }
    }
    for (size_t p = 0; p < group_of.size(); ++p) share_of_[p] = shares[*group_of[p]];
}

void Conditions::read_loads(const Json& limits) {
    const auto given = [&](const char* key) -> const Json* {
        const auto at = limits.object.find(key);
        return at == limits.object.end() || at->second.kind == Json::Null ? nullptr : &at->second;
    };
    if (const Json* rows = given("loads")) {
        require(list(*rows, "loads").size() == weights_.size(), "conditions: not loads of each point");
        for (const Json& row : rows->list) {
            const std::vector<Json>& own = list(row, "the loads of a point");
            if (loads_.empty()) loads_.resize(own.size());
            require(!own.empty() && own.size() == loads_.size(), "conditions: not as many loads of each point");
            for (size_t at = 0; at < own.size(); ++at) {
                loads_[at].brought.push_back(not_negative(own[at], "a load"));
                loads_[at].total += loads_[at].brought.back();
            }
        }
    }
    const Rational miss = times_power(Rational(1), -30);
    for (Load& load : loads_) load.max = load.total;
    for (const char* key : {"load_min", "load_max"}) {
        const Json* stated = given(key);
        if (!stated) continue;
        require(list(*stated, key).size() == loads_.size(), "conditions: not a limit for each load");
        for (size_t at = 0; at < loads_.size(); ++at) {
            const Json& end = stated->list[at];
            if (end.kind == Json::Null) continue;
            if (key == std::string("load_min")) loads_[at].min = not_negative(end, key) * (1 - miss);
            else loads_[at].max = not_negative(end, key) * (1 + miss);
        }
    }
    for (Load& load : loads_) {
        words_ += 100 + static_cast<double>(mpz_size(load.total.get_num_mpz_t()) + mpz_size(load.total.get_den_mpz_t()));
        load.fewest = std::max<Rational>(load.min, load.total - (k - 1) * load.max);
        load.most = std::min<Rational>(load.max, load.total - (k - 1) * load.min);
    }
}

// What points weigh at most that bring no more than `room`, if they may be divided.
Rational Conditions::heaviest(const Load& load, Rational room) const {
    std::vector<std::pair<Rational, int>> order;  // load by weight
    for (const int p : all_points(bare_)) order.emplace_back(load.brought[p] / weight_of({p}), p);
    std::sort(order.begin(), order.end());
    Rational sum = 0;
    if (room < 0) room = 0;
    for (const auto& [ratio, p] : order) {
        if (load.brought[p] > room) return sum + room / ratio;
        sum += weight_of({p}), room -= load.brought[p];
    }
    return sum;
}

// Range, and the numbers of points.
void Conditions::find_range(const Rational& weight_min, const Rational& weight_max) {
    const long n = bare_.n;
    std::vector<int> by_weight(weights_.size());
    std::iota(by_weight.begin(), by_weight.end(), 0);
    std::stable_sort(by_weight.begin(), by_weight.end(), [&](int p, int q) { return weights_[p] < weights_[q]; });
    for (int p : by_weight) {
        shares_[0].lightest.push_back(p);
        if (share_of_[p] > 0) shares_[share_of_[p]].lightest.push_back(p);
    }
    Rational light_groups, kept = high, light, heavy;
    for (size_t at = 0; at < shares_.size(); ++at) {
        Share& share = shares_[at];
        share.size = static_cast<long>(share.lightest.size());
        share.fewest = share.min.value_or(0), share.most = share.max.value_or(n);
        if (at == 0) {
            share.fewest = std::max(share.fewest, 1L);
            if (!sizes_.empty()) {
                share.fewest = std::max(share.fewest, sizes_.front());
                share.most = std::min(share.most, sizes_.back());
            }
        }
        const long fewest = std::min(share.fewest, share.size);
        const long others = share.size - std::min(share.most, share.size);
        const auto first = share.lightest.begin();
        (at == 0 ? light : light_groups) += weight_of({first, first + fewest});
        if (at == 0) heavy = weight_of({first + others, share.lightest.end()});
        else kept -= weight_of({first, first + others});
        // Narrowed with the numbers as they are stated, both at once.
        const long least = std::max(share.fewest, share.size - (k - 1) * share.most);
        share.most = std::min(share.most, share.size - (k - 1) * share.fewest);
        share.fewest = least;
        if (at > 0 && least > 0) ++needed_groups_;
    }
    const Rational total = high;
    Rational first_low = std::max({weight_min, light, light_groups});
    Rational first_high = std::min({weight_max, heavy, kept});
    for (const Load& load : loads_) {
        first_low = std::max<Rational>(first_low, total - heaviest(load, load.total - load.min));
        first_high = std::min(first_high, heaviest(load, load.max));
    }
    low = std::max<Rational>(first_low, total - (k - 1) * first_high);
    high = std::min<Rational>(first_high, total - (k - 1) * first_low);
}

void Conditions::read_soft(const Json& stated) {
    for (const Json& row : list(stated, "soft")) {
        require(row.kind == Json::List && row.list.size() == 4, "conditions: a soft pair has no four entries");
        const int i = static_cast<int>(whole(row.list[0], 0, bare_.n - 1, "the point of a soft pair"));
        const int j = static_cast<int>(whole(row.list[1], 0, bare_.n - 1, "the point of a soft pair"));
        require(i != j, "conditions: a soft pair has twice the same point");
        soft.push_back({i, j, not_negative(row.list[2], "a penalty"), not_negative(row.list[3], "a penalty")});
    }
}

Rational Conditions::weight_of(const std::vector<int>& points) const {
    Integer sum = 0;
    for (int p : points) sum += weights_[p];
    return times_power(Rational(sum), weight_unit_);
}

bool Conditions::beyond(const std::vector<int>& points) const {
    if (!has_limits) return false;
    spend(words_ * static_cast<double>(points.size()), "limits");
    std::map<int, long> counts;
    for (int p : points)
        if (share_of_[p] > 0 && ++counts[share_of_[p]] > shares_[share_of_[p]].most) return true;
    for (const Load& load : loads_)
        if (load.of(points) > load.most) return true;
    return static_cast<long>(points.size()) > shares_[0].most || weight_of(points) > high;
}

bool Conditions::within(const std::vector<int>& cluster) const {
    if (beyond(cluster) || static_cast<long>(cluster.size()) < shares_[0].fewest) return false;
    std::map<int, long> counts;
    long enough = 0;  // groups of which there are just enough, or more
    for (int p : cluster)
        if (share_of_[p] > 0 && ++counts[share_of_[p]] == shares_[share_of_[p]].fewest) ++enough;
    for (const Load& load : loads_)
        if (load.of(cluster) < load.fewest) return false;
    return enough == needed_groups_ && low <= weight_of(cluster);
}

bool Conditions::hold(const std::vector<std::vector<int>>& clusters) const {
    if (!has_limits) return true;
    std::vector<long> sizes;
    for (const std::vector<int>& cluster : clusters) {
        if (!within(cluster)) return false;
        sizes.push_back(static_cast<long>(cluster.size()));
    }
    std::sort(sizes.begin(), sizes.end());
    return sizes_.empty() || sizes == sizes_;
}

std::pair<std::vector<Rational>, std::vector<Rational>> Conditions::cluster_weights(const View& view) const {
    std::vector<Rational> least(view.groups.size(), low), most = largest_clusters(bare_, view);
    for (Rational& weight : most) weight = std::min(weight, high);
    std::vector<int> order, anchors;
    for (const auto& [i, bounds] : view.bounds) {
        order.push_back(i);
        least[i] = std::max(least[i], Rational(bounds.first));
        if (std::isfinite(bounds.second)) most[i] = std::min(most[i], Rational(bounds.second));
    }
    for (int i = 0; i < view.size(); ++i)
        if (!order.empty() && !view.bounds.count(i)) order.push_back(i);
    spend(300.0 * k * static_cast<double>(order.size()), "bounds of weights");
    for (const int i : order) {
        const auto is_apart = [&](int q) { return view.apart(i, q); };
        if (static_cast<int>(anchors.size()) < k && std::all_of(anchors.begin(), anchors.end(), is_apart)) anchors.push_back(i);
    }
    if (static_cast<int>(anchors.size()) < k) return {least, most};
    // Every cluster holds one anchor, and weighs what the others leave of E.
    Rational spare = weight_of(all_points(bare_)), lacking = spare;
    std::vector<std::pair<Rational, Rational>> narrowed;
    for (const int q : anchors) {
        narrowed.emplace_back(std::max(least[q], weight_of(view.groups[q])), most[q]);
        spare -= narrowed.back().first, lacking -= narrowed.back().second;
    }
    for (auto& [low_end, high_end] : narrowed) {
        const Rational from = lacking + high_end, to = spare + low_end;
        low_end = std::max(low_end, from), high_end = std::min(high_end, to);
    }
    for (int i = 0; i < view.size(); ++i) {
        const Rational *lowest = nullptr, *highest = nullptr;
        for (size_t at = 0; at < anchors.size(); ++at) {
            if (view.apart(i, anchors[at])) continue;
            const auto& [low_end, high_end] = narrowed[at];
            if (!lowest || low_end < *lowest) lowest = &low_end;
            if (!highest || *highest < high_end) highest = &high_end;
        }
        if (lowest) least[i] = std::max(least[i], *lowest), most[i] = std::min(most[i], *highest);
    }
    return {least, most};
}

bool Conditions::refutes(const View& view) const {
    if (!has_limits && view.bounds.empty()) return false;
    const auto [least, most] = cluster_weights(view);
    for (int i = 0; i < view.size(); ++i)
        if (most[i] < least[i] || most[i] < weight_of(view.groups[i])) return true;
    if (!has_limits) return false;
    for (const std::vector<int>& group : view.groups)
        if (beyond(group)) return true;
    if (view.size() == k && !hold(view.groups)) return true;
    if (k == 1 && !hold({all_points(bare_)})) return true;
    std::vector<long> left;  // of each share, not apart from a super-point
    for (const Share& share : shares_) {
        left.push_back(share.size);
        if (share.size < share.fewest) return true;
    }
    for (const Load& load : loads_) {
        if (load.total < load.fewest) return true;
        for (const std::vector<int>& around : view.around) {
            Rational near = load.total;
            for (int j : around) {
                spend(words_ * static_cast<double>(view.groups[j].size()), "limits");
                near -= load.of(view.groups[j]);
            }
            if (near < load.fewest) return true;
        }
    }
    for (const std::vector<int>& around : view.around) {
        bool short_of = false;
        double others = 0;
        for (int j : around) others += 10 + static_cast<double>(view.groups[j].size());
        spend(20 * others, "limits");
        for (int sign : {-1, 1})
            for (int j : around)
                for (int p : view.groups[j]) {
                    left[0] += sign;
                    if (share_of_[p] > 0) left[share_of_[p]] += sign;
                    short_of |= left[0] < shares_[0].fewest || left[share_of_[p]] < shares_[share_of_[p]].fewest;
                }
        if (short_of) return true;
    }
    return false;
}

Rational Conditions::paid(const std::vector<int>& cluster_of) const {
    spend(300.0 * static_cast<double>(soft.size()), "soft pairs");
    Rational sum = 0;
    for (const SoftPair& pair : soft) sum += cluster_of[pair.i] == cluster_of[pair.j] ? pair.together : pair.apart;
    return sum;
}

// What the state decides of the pairs, and of the others as much as `open` says.
template <class Open> Rational Conditions::decided(const View& view, Open open) const {
    spend(500.0 * static_cast<double>(soft.size()), "soft pairs");
    Rational sum = 0;
    for (const SoftPair& pair : soft) {
        if (view.of[pair.i] == view.of[pair.j]) sum += pair.together;
        else sum += view.apart(view.of[pair.i], view.of[pair.j]) ? pair.apart : open(pair);
    }
    return sum;
}

Rational Conditions::paid(const View& view) const {
    return decided(view, [](const SoftPair&) { return Rational(0); });
}

Rational Conditions::most_paid(const View& view) const {
    return decided(view, [](const SoftPair& pair) { return std::max(pair.apart, pair.together); });
}

Penalties Conditions::open(const View& view) const {
    Penalties result;
    for (const SoftPair& pair : soft) {
        spend(500, "soft pairs");
        const int i = view.of[pair.i], j = view.of[pair.j];
        if (i == j || view.apart(i, j)) continue;
        auto& [apart, together] = result[std::minmax(i, j)];
        apart += pair.apart, together += pair.together;
    }
    return result;
}

Rational Conditions::crossing(int q) const {
    const bool all_one = std::all_of(bare_.weights.begin(), bare_.weights.end(), [](double w) { return w == 1; });
    require(all_one && bare_.n <= most_set_points, "set cuts: not all points weigh 1, or there are too many");
    require(0 <= q && q <= bare_.n, "set cuts: no such number of points");
    const auto known = crossings_.find(q);
    if (known != crossings_.end()) return known->second;
    return crossings_[q] = sizes_.empty() ? crossing_of_range(q) : crossing_of_sizes(q);
}

// All sums of sizes, one of w points left out: a bit for each.
const Conditions::Sums& Conditions::sums_without(long w) const {
    const auto [at, is_new] = sums_without_.try_emplace(w);
    Sums& sums = at->second;
    if (!is_new) return sums;
    sums[0] = true;
    std::map<long, long> counts;
    for (const long size : sizes_) ++counts[size];
    --counts[w];
    for (auto [size, count] : counts)
        for (long part = 1; count > 0; count -= part, part *= 2) {  // none to all of them, as sums of parts
            part = std::min(part, count);
            sums |= sums << static_cast<size_t>(size * part);
        }
    return sums;
}

Rational Conditions::crossing_of_sizes(long q) const {
    const long n = bare_.n;
    Least least;
    for (size_t at = 0; at < sizes_.size(); ++at) {
        const long w = sizes_[at];
        if (at > 0 && sizes_[at - 1] == w) continue;
        const Sums& sums = sums_without(w);
        for (long s = std::max(0L, q + w - n); s <= std::min(w, q); ++s) {
            if (sums[static_cast<size_t>(q - s)]) least.count(s, w - s);
        }
    }
    return least.value();
}

Rational Conditions::crossing_of_range(long q) const {
    const long n = bare_.n;
    const Integer lowest = ceil_of(low), highest = floor_of(high);
    if (lowest > n || highest < 1) return 0;  // there is no partition
    const long f = std::max(1L, lowest.get_si()), g = std::min(n, highest.get_si());
    Least least;
    for (long t = 0; t < k; ++t) {
        const long outside = n - q, empty = k - 1 - t;
        const long s = std::max(0L, q - t * g), most_s = q - t * f;
        const long u = std::max(0L, outside - empty * g), most_u = outside - empty * f;
        if (s > most_s || u > most_u || s + u > g) continue;
        if (s + u >= f) least.count(s, u);
        else {
            const long first = std::max(s, f - most_u), last = std::min(most_s, f - u);
            if (first <= last) least.count(first, f - first), least.count(last, f - last);
        }
    }
    return least.value();
}
