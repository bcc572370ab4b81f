// Section 12: prices. The profit f is shown to be at most F everywhere by a search over boxes in whole numbers:
// coordinates in units of about 2^-60 of the extent, money in units of 2^-52 of all positive prices. What is rounded
// is rounded so that more is earned.
#include <algorithm>
#include <cmath>

#include "bounds.h"
#include "prices.h"

namespace {

constexpr int most_features = 16;
constexpr int toll_bits = 30;
constexpr int64_t most_toll = int64_t{1} << 60;
constexpr int64_t no_radius = int64_t{1} << 61;  // as far as nothing is

// What a super-point earns at y: price - e |x - y|^2, with e = weight * 2^(-shift - 2 coarse).
// Invariants: price < 2^54 for all together; radius >= sqrt(price / e), 2^26 <= radius <= 2^61, and 2^coarse is the
// unit in which the radius has 28 digits, or 1; 26 <= shift <= 96; weight < 2^28.
template <int Features> struct Earner {
    int64_t price, radius, heavy;  // heavy: its weight in units of 2^-31 of the heaviest, rounded down
    int32_t weight;
    int16_t shift, coarse;
    int64_t x[Features];
};

int64_t ceil_units(double price, int unit) {  // at most 2^52, at least 1
    const Binary parts = binary(price);
    const int up = parts.exponent - unit;
    if (up >= 0) return parts.mantissa << up;
    return up <= -63 ? 1 : ((parts.mantissa - 1) >> -up) + 1;
}

// Sets all but x. The places were moved by at most root / 2, so the price rises by what that may have taken.
template <int N> void set_money(Earner<N>& earner, int64_t price, const Integer& total, int weight_exponent, int root) {
    const int excess = static_cast<int>(bits(total)) - 28;
    int64_t weight = floor_times_power(total, -excess).get_si();
    int exponent = weight_exponent + excess;  // e = weight * 2^exponent
    auto square = [&](int64_t money) -> Integer { return floor_times_power(money, std::min(-exponent, 200)) / weight; };
    if (exponent > 0 || square(price) < Integer(1) << 52) {  // so heavy that e is lowered to price / 2^52
        weight = floor_times_power(price, 28 - bits(static_cast<UnsignedWide>(price))).get_si();
        exponent = bits(static_cast<UnsignedWide>(price)) - 28 - 52;
    }
    const Integer most = no_radius;
    const Wide radius = Integer(std::min<Integer>(most, sqrt(square(price)))).get_si();  // rounded down
    price += static_cast<int64_t>(price * (root * radius + root * root) / (radius * radius)) + 1;
    earner.price = price;
    earner.radius = Integer(std::min<Integer>(most, sqrt(square(price)) + 1)).get_si();
    earner.coarse = static_cast<int16_t>(std::max(0, bits(static_cast<UnsignedWide>(earner.radius)) - 28));
    const int shift = -exponent - 2 * earner.coarse;
    // Beyond a shift of 96 the radius is 2^61, and e next to nothing: 0 is less.
    earner.weight = shift > 96 ? 0 : static_cast<int32_t>(weight);
    earner.shift = static_cast<int16_t>(std::min(shift, 96));
}

Wide shifted(Wide x, int right) { return right >= 127 ? (x < 0 ? -1 : 0) : x >> right; }

int64_t shifted(int64_t x, int right) { return right >= 63 ? (x < 0 ? -1 : 0) : x >> right; }

// The greatest value of b x - c x^2 for |x| <= 1, rounded up.
int64_t greatest(int64_t b, int64_t c) {
    const int64_t size = b < 0 ? -b : b;
    if (c <= 0 || size / 2 >= c) return size - c;
    return static_cast<int64_t>(static_cast<Wide>(size) * size / (4 * static_cast<Wide>(c))) + 1;
}

// level + sum of slope x - curve x^2, with |x_j| <= 1 in units of half a side, and curve in the longest of them.
template <int N> struct Upper {
    int64_t level = 0, curve = 0, slope[N] = {};
    void add(const Upper& other, int64_t factor = 1) {
        level += factor * other.level;
        curve += factor * other.curve;
        for (int j = 0; j < N; ++j) slope[j] += factor * other.slope[j];
    }
};

// What is said of a super-point in a box: an upper function of its profit, what it earns in the middle of the box (or less
// where it is far), and the slope of what it earns itself.
enum class Kind { never, far, rim, always };
template <int N> struct Look {
    Kind kind = Kind::never;
    Upper<N> upper;
    int64_t middle = 0, low = 0, high = 0, pull[N] = {};
};

// Sides are powers of two. What always earns in the box, and in those that it is a part of, is handed down.
template <int N> struct Box {
    int64_t middle[N];
    int8_t half[N];                    // half a side is 2^half
    int64_t level, slope[N], curve[N];
    int64_t held = 0, least_toll = 0, most_toll = 0;  // weight of those handed down; tolls of all parts of the box
    uint32_t earners, knots;           // the first so many may still earn
};

template <int N> struct KnotOf {
    std::vector<Earner<N>> members;
    std::vector<unsigned> choices;
};

template <int N> class Search {
  public:
    std::vector<Earner<N>> earners;
    std::vector<KnotOf<N>> knots;
    int features = 0;
    int64_t most = 0;                  // F, rounded down
    int size = 0;                      // super-points
    std::optional<Wide> capacity;      // of a cluster, as weights are

    void run(Box<N> box);

  private:
    int count() const { return N <= 4 ? N : features; }
    Look<N> look(const Earner<N>&, const Box<N>&, int64_t charge) const;
    int64_t charge(const Earner<N>& e, int64_t toll) const { return static_cast<int64_t>(static_cast<Wide>(e.heavy) * toll >> toll_bits); }
    int64_t find_toll(Box<N>& box, int64_t least, int64_t greatest);
    bool look(const KnotOf<N>&, const Box<N>&);
    int64_t curve_along(int j, int64_t curve, const Box<N>& box) const { return shifted(curve, 2 * (longest_ - box.half[j])); }
    int64_t greatest_of(const Upper<N>&, const Box<N>&) const;
    void pull(const Look<N>&);
    bool visit(Box<N>&);
    void divide(Box<N>, std::vector<Box<N>>& stack) const;
    void halve(Box<N>&, int j, int side) const;

    // Of the box that is visited: what is not handed down, and what pulls up and down.
    int longest_;
    Upper<N> here_;
    int64_t middle_, up_[N], down_[N], bend_[N];
    bool is_far_, is_fair_ = true;     // whether the toll of the box is the best one in its middle
    int64_t toll_ = 0;
    double points_ = 0;
    std::vector<Look<N>> looks_;
};

template <int N> Look<N> Search<N>::look(const Earner<N>& e, const Box<N>& box, int64_t charge) const {
    Look<N> at;
    uint64_t near = 0, far = 0, middle = 0;  // squares, in units of 2^(2 coarse); all below 2^64
    int64_t difference[N];
    bool is_far = false;
    for (int j = 0; j < count(); ++j) {
        difference[j] = e.x[j] - box.middle[j];
        const int64_t size_j = difference[j] < 0 ? -difference[j] : difference[j], half = int64_t{1} << box.half[j];
        const int64_t least = size_j > half ? size_j - half : 0;
        if (least > e.radius) return at;
        const uint64_t low = static_cast<uint64_t>(least >> e.coarse);                 // below 2^28
        near += low * low;
        is_far |= size_j + half >= 3 * e.radius;
        const uint64_t high = static_cast<uint64_t>((size_j + half) >> e.coarse) + 1;  // below 3 * 2^28 + 2
        const uint64_t centre = static_cast<uint64_t>(size_j >> e.coarse);
        far += high * high;
        middle += centre * centre;
    }
    auto cost = [&](uint64_t square) { return static_cast<UnsignedWide>(e.weight) * square >> e.shift; };
    const int64_t high = at.high = e.price - charge - static_cast<int64_t>(cost(near));
    if (high <= 0) return at;
    at.upper.level = high;
    at.kind = Kind::far;
    if (is_far) return at;
    // No distance along an axis is above three radii, so e |x - y|^2 is below 145 prices: less than 2^61.
    const int64_t low = at.low = e.price - charge - static_cast<int64_t>(cost(far)) - 1;
    at.middle = e.price - charge - static_cast<int64_t>(cost(middle));
    // e |x - y|^2 with exact differences: the slope, rounded down, is off by less than 1.
    const int slope_shift = e.shift + 2 * e.coarse + 4;
    for (int j = 0; j < count(); ++j)
        at.pull[j] = static_cast<int64_t>(
            shifted(static_cast<Wide>(int64_t{e.weight} << 5) * difference[j], slope_shift - box.half[j]));
    // max(v, 0) <= t v + (1 - t) high where t <= high / (high - low), or 1. The quotient of doubles is a proposal.
    at.kind = low >= 0 ? Kind::always : Kind::rim;
    const Wide one = 1 << 16;
    int64_t t = static_cast<int64_t>(65536.0 * static_cast<double>(high) / static_cast<double>(high - low));
    if (t * static_cast<Wide>(high - low) > one * high) --t;
    if (t < 0 || t * static_cast<Wide>(high - low) > one * high) t = 0;
    if (low >= 0) t = one;
    at.upper.level = high - static_cast<int64_t>(static_cast<Wide>(high - at.middle) * t >> 16) + 2 * count();
    for (int j = 0; j < count(); ++j) at.upper.slope[j] = static_cast<int64_t>(static_cast<Wide>(at.pull[j]) * t >> 16);
    const int64_t part = e.weight * t;  // below 2^44
    const int curve_shift = e.shift + 2 * e.coarse - 2 * longest_ + 16;
    at.upper.curve = curve_shift < 0 ? part << -curve_shift : shifted(part, curve_shift);
    return at;
}

template <int N> int64_t Search<N>::greatest_of(const Upper<N>& upper, const Box<N>& box) const {
    int64_t sum = upper.level;
    for (int j = 0; j < count(); ++j) sum += greatest(upper.slope[j], curve_along(j, upper.curve, box));
    return sum;
}

template <int N> void Search<N>::pull(const Look<N>& at) {
    is_far_ |= at.kind == Kind::far;
    for (int j = 0; j < count(); ++j) (at.pull[j] > 0 ? up_ : down_)[j] += at.pull[j];
}

// Knots in a box: L with w = ((16 - t) a + t b) / 16, and the greatest of the differences to it. False: earns nothing.
template <int N> bool Search<N>::look(const KnotOf<N>& knot, const Box<N>& box) {
    const size_t q = knot.members.size();
    looks_.clear();
    for (const Earner<N>& member : knot.members) looks_.push_back(look(member, box, 0));
    const auto is_never = [](const Look<N>& at) { return at.kind == Kind::never; };
    if (std::all_of(looks_.begin(), looks_.end(), is_never)) return false;
    // The choices that earn most in the middle, by their upper functions.
    unsigned first = 0, second = 0;
    int64_t best = -1, next = -1, middle = 0;
    for (unsigned choice : knot.choices) {
        int64_t level = 0, earned = 0;
        for (size_t i = 0; i < q; ++i)
            if (choice >> i & 1) level += looks_[i].upper.level, earned += std::max<int64_t>(looks_[i].middle, 0);
        middle = std::max(middle, earned);
        if (level > best) next = best, second = first, best = level, first = choice;
        else if (level > next) next = level, second = choice;
    }
    if (next < 0) second = first;
    const auto has = [](unsigned choice, size_t i) { return static_cast<int64_t>(choice >> i & 1); };
    // Of members, with these factors.
    const auto sum = [&](auto factor) {
        Upper<N> all;
        for (size_t i = 0; i < q; ++i)
            if (factor(i) != 0 && looks_[i].kind != Kind::never) all.add(looks_[i].upper, factor(i));
        return all;
    };
    const auto difference = [&](unsigned a, unsigned b) {
        return std::max<int64_t>(greatest_of(sum([&](size_t i) { return has(a, i) - has(b, i); }), box), 0);
    };
    const int64_t ahead = difference(first, second), behind = difference(second, first);
    const Wide both = static_cast<Wide>(ahead) + behind;
    const int64_t t = both == 0 ? 0 : static_cast<int64_t>(16 * static_cast<Wide>(behind) / both);
    const auto share = [&](size_t i) { return (16 - t) * has(first, i) + t * has(second, i); };
    int64_t rest = 0;
    for (unsigned choice : knot.choices)
        rest = std::max(rest, greatest_of(sum([&](size_t i) { return 16 * has(choice, i) - share(i); }), box));
    const Upper<N> mixed = sum(share);
    here_.level += ((mixed.level + rest) >> 4) + 1 + count();
    here_.curve += mixed.curve >> 4;
    for (int j = 0; j < count(); ++j) here_.slope[j] += mixed.slope[j] >> 4;
    middle_ += middle;
    for (const Look<N>& at : looks_) {
        pull(at);
        for (int j = 0; j < count(); ++j) bend_[j] += curve_along(j, at.upper.curve, box);
    }
    points_ += static_cast<double>(q * (1 + knot.choices.size() / 4));
    return true;
}

// The toll of a box: what is worth it in the middle weighs what is left of the capacity. Sets those of its parts to where
// somebody earns in one place and not in another.
template <int N> int64_t Search<N>::find_toll(Box<N>& box, int64_t least, int64_t greatest) {
    struct Own {
        double rate;
        Look<N> at;
        const Earner<N>* earner;
    };
    const auto rate = [](int64_t value, const Earner<N>& e) {
        const double found = std::ldexp(static_cast<double>(value), toll_bits) / static_cast<double>(std::max<int64_t>(e.heavy, 1));
        return std::min(std::max(found, 0.0), std::ldexp(1.0, 60));
    };
    std::vector<Own> all;
    bool is_blind = false;
    for (uint32_t i = 0; i < box.earners; ++i) {
        const Look<N> at = look(earners[i], box, 0);
        is_blind |= at.kind == Kind::far;
        if (at.kind == Kind::rim || at.kind == Kind::always) all.push_back({rate(at.middle, earners[i]), at, &earners[i]});
    }
    std::sort(all.begin(), all.end(), [](const Own& a, const Own& b) { return a.rate > b.rate; });
    const Wide slack = size;  // of sums that are rounded
    Wide left = *capacity - box.held - slack;
    double fair = left <= 0 ? std::ldexp(1.0, 60) : 0;
    for (size_t i = 0; i < all.size() && left > 0; ++i) {
        left -= all[i].earner->heavy;
        const double next = i + 1 < all.size() ? all[i + 1].rate : 0;  // if it is just full, halfway to the next
        if (left <= 0) fair = left >= -2 * slack ? (all[i].rate + next) / 2 : all[i].rate;
    }
    const int64_t wanted = static_cast<int64_t>(fair), toll = std::min(std::max(wanted, least), greatest);
    is_fair_ = toll == wanted;
    if (is_blind) return toll;
    double lowest = static_cast<double>(toll), highest = lowest;
    for (const Own& own : all) {
        const int64_t own_charge = charge(*own.earner, toll);
        if (own.at.low >= own_charge || own.at.high <= own_charge) continue;
        lowest = std::min(lowest, rate(own.at.low, *own.earner));
        highest = std::max(highest, rate(own.at.high, *own.earner));
    }
    box.least_toll = std::min(std::max(least, static_cast<int64_t>(lowest)), toll);
    box.most_toll = std::max(std::min(greatest, static_cast<int64_t>(highest)), toll);
    return toll;
}

// True if the box is done. What always earns there is joined to what is handed down; what never does is put behind.
template <int N> bool Search<N>::visit(Box<N>& box) {
    const int d = count();
    longest_ = *std::max_element(box.half, box.half + d);
    here_ = {}, middle_ = 0, is_far_ = false;
    std::fill(up_, up_ + N, 0), std::fill(down_, down_ + N, 0), std::fill(bend_, bend_ + N, 0);
    const int64_t least = box.least_toll, most_now = box.most_toll;
    if (capacity) toll_ = find_toll(box, least, most_now);
    Upper<N> always;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < box.earners; ++i) {
        Look<N> at = look(earners[i], box, 0);
        if (at.kind == Kind::never || (capacity && at.high <= charge(earners[i], least))) continue;
        if (at.kind == Kind::always && at.low >= charge(earners[i], most_now) + (capacity ? 1 : 0)) {
            always.add(at.upper);
            box.held += earners[i].heavy;
            continue;
        }
        if (capacity) {
            at = look(earners[i], box, charge(earners[i], toll_));
            for (int j = 0; j < d; ++j) bend_[j] += curve_along(j, at.upper.curve, box);
        }
        here_.add(at.upper);
        middle_ += std::max<int64_t>(at.middle, 0);
        pull(at);
        if (i != kept) std::swap(earners[i], earners[kept]);
        ++kept;
    }
    box.earners = kept;
    box.level += always.level;
    for (int j = 0; j < d; ++j) {
        box.slope[j] += always.slope[j];
        box.curve[j] += curve_along(j, always.curve, box);
    }
    kept = 0;
    for (uint32_t i = 0; i < box.knots; ++i)
        if (look(knots[i], box)) std::swap(knots[i], knots[kept++]);
    box.knots = kept;
    int64_t paid = 0;
    if (capacity) {
        const Wide exact = -((-static_cast<Wide>(toll_) * (*capacity - box.held)) >> toll_bits);
        paid = static_cast<int64_t>(std::min<Wide>(std::max<Wide>(exact, -most_toll), most_toll));
    }
    int64_t total = box.level + here_.level + paid;
    for (int j = 0; j < d; ++j)
        total += greatest(box.slope[j] + here_.slope[j], box.curve[j] + curve_along(j, here_.curve, box));
    require(!is_fair_ || box.level + middle_ + paid <= most, "the bound: prices prove less, a cluster may earn more");
    return total <= most;
}

// One half along axis j, the upper (side = 1) or the lower one (-1): x = side / 2 + x' / 2. Rounding a slope down costs
// less than 1 of the level.
template <int N> void Search<N>::halve(Box<N>& box, int j, int side) const {
    require(box.half[j] > 0, "the bound: prices leave too little room for rounding");
    --box.half[j];
    box.middle[j] += side * (int64_t{1} << box.half[j]);
    box.level += ((2 * side * box.slope[j] - box.curve[j]) >> 2) + 2;
    box.slope[j] = (box.slope[j] - side * box.curve[j]) >> 1;
    box.curve[j] >>= 2;
}

// Narrowing, or two halves. Slopes are off by less than 1 for each super-point and, those that are handed down, by 4
// more (with m super-points, slopes by m + 4 and curves by m + 2 at most: halving makes (m + 4 + m + 2) / 2 + 1 of it).
template <int N> void Search<N>::divide(Box<N> box, std::vector<Box<N>>& stack) const {
    const int64_t margin = int64_t{size} + 8;
    bool narrowed = false;
    Box<N> part = box;
    for (int j = 0; j < count() && !is_far_ && !capacity; ++j) {
        if (box.half[j] == 0) continue;
        if (box.slope[j] + up_[j] + margin < 0) halve(part, j, -1), narrowed = true;
        else if (box.slope[j] + down_[j] - margin > 0) halve(part, j, 1), narrowed = true;
    }
    if (!narrowed) {
        int axis = 0;
        int64_t strongest = 0;
        for (int j = 1; j < count(); ++j)
            if (box.half[j] > box.half[axis]) axis = j;
        for (int j = 0; j < count() && !is_far_; ++j) {
            const int64_t pull = up_[j] - down_[j] + bend_[j];
            if (pull > strongest) strongest = pull, axis = j;
        }
        halve(part, axis, -1);
        halve(box, axis, 1);
        stack.push_back(box);
    }
    stack.push_back(part);
}

template <int N> void Search<N>::run(Box<N> first) {
    const double limit = std::min(16777216.0 + 65536.0 * size, 1073741824.0);
    std::vector<Box<N>> stack = {first};
    while (!stack.empty()) {
        Box<N> box = stack.back();
        stack.pop_back();
        const double before = points_;
        points_ += 16.0 + box.earners;
        const bool done = visit(box);
        spend((points_ - before) * (8 + 4 * count()), "prices");
        require(points_ <= limit, "the bound: the search that prices ask for is too long");
        if (!done) divide(box, stack);
    }
}

// The instance as the search sees it.
struct Rounding {
    const View& view;
    Places& places;
    const std::vector<double>& prices;
    std::vector<int> earners, alone;  // super-points with positive prices, and those of them in no knot
    std::vector<int> axes;            // along which their places differ
    int money = 0, length = 0;        // units of money and of lengths: 2^money, 2^length
    std::vector<Integer> least;       // of each of these axes, in units of lengths
    std::vector<int64_t> extent;

    std::optional<Rational> capacity;  // of a cluster
    int heaviest = 0;                  // weights are below 2^heaviest
    void measure();
    Integer rounded(const Rational&) const;
    template <int N> Earner<N> earner(int i);
    template <int N> void search(const std::vector<Knot>&, int64_t most);
    Wide weighed(const Rational&, bool up) const;
};

// In units of 2^-31 of the heaviest.
Wide Rounding::weighed(const Rational& weight, bool up) const {
    const Rational units = times_power(weight, 31 - heaviest);
    const Integer whole = up ? Integer(-floor_of(-units)) : floor_of(units);
    return Integer(std::min<Integer>(whole, Integer(1) << 61)).get_si();
}

Integer Rounding::rounded(const Rational& x) const {  // to the nearest
    return floor_times_power(floor_of(times_power(x, places.unit() - length + 1L)) + 1, -1);
}

// Extents, and a unit of which the longest has 2^60 to 2^61.
void Rounding::measure() {
    std::vector<Rational> low, high;
    bool is_first = true;
    for (const int i : earners) {
        const std::vector<Rational> place = places.find(i);
        const int own = static_cast<int>(bits(places.weight())) + places.weight_unit();
        heaviest = is_first ? own : std::max(heaviest, own), is_first = false;
        if (low.empty()) low = high = place;
        for (size_t j = 0; j < place.size(); ++j) {
            low[j] = std::min(low[j], place[j]);
            high[j] = std::max(high[j], place[j]);
        }
    }
    Rational longest = 0;
    for (size_t j = 0; j < low.size(); ++j) {
        if (low[j] == high[j]) continue;
        axes.push_back(static_cast<int>(j));
        require(axes.size() <= most_features, "prices: the points differ in more than 16 features");
        longest = std::max<Rational>(longest, high[j] - low[j]);
    }
    if (axes.empty()) return;
    length = places.unit() + static_cast<int>(bits(longest.get_num()) - bits(longest.get_den())) - 60;
    if (times_power(longest, places.unit() - length) < times_power(Rational(1), 60)) --length;
    for (const int j : axes) {
        least.push_back(rounded(low[j]));
        extent.push_back(Integer(rounded(high[j]) - least.back()).get_si());
    }
}

template <int N> Earner<N> Rounding::earner(int i) {
    Earner<N> result{};
    const std::vector<Rational> place = places.find(i);
    for (size_t j = 0; j < axes.size(); ++j) result.x[j] = Integer(rounded(place[axes[j]]) - least[j]).get_si();
    const int root = axes.size() <= 1 ? 1 : axes.size() <= 4 ? 2 : axes.size() <= 9 ? 3 : 4;
    result.heavy = static_cast<int64_t>(weighed(times_power(Rational(places.weight()), places.weight_unit()), false));
    set_money(result, ceil_units(prices[i], money), places.weight(), places.weight_unit() + 2 * length - money, root);
    return result;
}

template <int N> void Rounding::search(const std::vector<Knot>& knots, int64_t most) {
    hold(static_cast<double>(earners.size()) * sizeof(Earner<N>), "prices");
    Search<N> search;
    search.features = static_cast<int>(axes.size());
    search.most = most;
    search.size = view.size();
    for (int i : alone) search.earners.push_back(earner<N>(i));
    for (const Knot& knot : knots) {
        search.knots.push_back({{}, knot.choices});
        for (int i : knot.members) search.knots.back().members.push_back(earner<N>(i));
    }
    if (capacity && knots.empty()) search.capacity = weighed(*capacity, true);
    Box<N> first{};
    first.most_toll = search.capacity ? most_toll : 0;
    for (size_t j = 0; j < axes.size(); ++j) {
        first.middle[j] = extent[j] / 2;
        while ((int64_t{1} << first.half[j]) < extent[j] - first.middle[j]) ++first.half[j];
    }
    first.earners = static_cast<uint32_t>(search.earners.size());
    first.knots = static_cast<uint32_t>(search.knots.size());
    search.run(first);
}

}  // namespace

void check_prices(const Data& data, const View& view, Arrays& arrays, double claimed, const Lost& lost,
                  const std::optional<Rational>& capacity) {
    const Prices given(arrays, view, data.d);
    const auto& [prices, knots, rows, axes] = given;
    const int unit = common_unit(prices);
    std::vector<Integer> in_units(prices.size());
    for (size_t i = 0; i < prices.size(); ++i) set_units(in_units[i], prices[i], unit);
    Integer sum = 0, positive = 0, together = 0;  // together: what is earned if all are at one place; nowhere is it more
    std::vector<int> earners, alone;
    std::vector<char> in_knot(prices.size(), 0);
    for (const Knot& knot : knots) {
        Integer best = 0;
        for (const unsigned choice : knot.choices) {
            Integer earned = 0;
            for (size_t a = 0; a < knot.members.size(); ++a)
                if (choice >> a & 1) earned += in_units[knot.members[a]];
            best = std::max(best, earned);
        }
        together += best;
        for (const int i : knot.members) in_knot[i] = 1;
    }
    for (int i = 0; i < view.size(); ++i) {
        sum += in_units[i];
        if (in_units[i] <= 0) continue;
        positive += in_units[i];
        earners.push_back(i);
        if (in_knot[i]) continue;
        together += in_units[i];
        alone.push_back(i);
    }
    spend(300.0 * static_cast<double>(data.points.size() + prices.size()), "prices");
    const Rational paid = cost_below(data, view.groups) + times_power(sum, unit) - lost(prices);
    const Rational most = (paid - Rational(claimed)) / view.k;  // F
    require(most >= 0, "the bound: prices prove less, F is negative");
    if (times_power(Rational(together), unit) <= most) return;

    Places places(data, view, given);
    Rounding rounding{view, places, prices, earners, alone, {}, 0, 0, {}, {}, capacity, 0};
    rounding.measure();
    require(!rounding.axes.empty(), "the bound: prices prove less, all are at one place");
    rounding.money = unit + static_cast<int>(bits(positive)) - 52;
    const int64_t whole = floor_of(times_power(most, -rounding.money)).get_si();  // below what all prices are, 2^52
    switch (rounding.axes.size()) {
        case 1: return rounding.search<1>(knots, whole);
        case 2: return rounding.search<2>(knots, whole);
        case 3: return rounding.search<3>(knots, whole);
        case 4: return rounding.search<4>(knots, whole);
        default: return rounding.search<most_features>(knots, whole);
    }
}
