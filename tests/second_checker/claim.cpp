#include "claim.h"

#include <algorithm>

#include "bounds.h"
#include "decimal.h"
#include "exact.h"
#include "proof.h"
#include "sha256.h"

namespace {

struct Instance {
    std::shared_ptr<Scope> whole;
    Links links;
    double gap = 0;
    std::optional<std::vector<double>> gram;
    std::string digest;
};

std::vector<std::pair<int, int>> read_pairs(const Blob& blob, int n) {
    const size_t most = size_t(n) * (size_t(n) + 1);
    const auto [shape, numbers] = read_integers(blob, "pairs of points", 2, most);
    require(shape[1] == 2, "an array of pairs has another shape");
    const bool are_points = std::all_of(numbers.begin(), numbers.end(), [&](int64_t p) { return p >= 0 && p < n; });
    require(are_points, "a constraint names a point that does not exist");
    std::vector<std::pair<int, int>> pairs;
    for (size_t i = 0; i < numbers.size(); i += 2) pairs.emplace_back(numbers[i], numbers[i + 1]);
    return pairs;
}

double read_gap(const std::string& options) {
    const Json json = parse_json(options, "options");
    const auto found = json.object.find("gap");
    require(found != json.object.end(), "the options have no gap");
    const Json& gap = found->second;
    const bool is_whole = gap.kind == Json::Whole && gap.whole == 0;
    require(is_whole || (gap.kind == Json::Real && gap.real >= 0 && gap.real < 1), "the gap is no number from 0 to less than 1");
    return gap.real;
}

std::vector<double> read_gram(const Blob& blob, size_t n) {
    const auto [shape, gram] = read_doubles(blob, "the gram matrix", 2);
    require(shape[0] == n && shape[1] == n, "the gram matrix has another shape");
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < i; ++j) require(gram[i * n + j] == gram[j * n + i], "the gram matrix is not symmetric");
    }
    return gram;
}

Data read_data(const Row& row) {
    const auto [shape, points] = read_doubles(row.need<Blob>("points"), "points", 2);
    const bool is_empty = points.empty() || std::max(shape[0], shape[1]) >= INT32_MAX;
    require(!is_empty, "there are no points, or too many");
    const auto weights = read_doubles(row.need<Blob>("weights"), "weights", 1).numbers;
    require(weights.size() == shape[0], "there are not as many weights as points");
    require(*std::min_element(weights.begin(), weights.end()) > 0, "a weight is not positive");
    return {static_cast<int>(shape[0]), static_cast<int>(shape[1]), points, weights};
}

Instance read_instance(const Row& row) {
    Instance instance;
    Data data = read_data(row);
    const int64_t k = row.need<int64_t>("n_clusters");
    require(k >= 1 && k <= data.n, "the number of clusters is out of range");
    Links& links = instance.links;
    links.together = read_pairs(row.need<Blob>("must_link"), data.n);
    links.apart = read_pairs(row.need<Blob>("cannot_link"), data.n);
    instance.gap = read_gap(row.need<std::string>("options"));
    const Json conditions = parse_json(row.need<std::string>("conditions"), "conditions");
    const Blob* const gram = row.get<Blob>("gram");
    if (gram) instance.gram = read_gram(*gram, data.n);
    instance.digest = digest(data, static_cast<int>(k), links, conditions, instance.gram ? &*instance.gram : nullptr);
    instance.whole = std::make_shared<Scope>(std::move(data), conditions, static_cast<int>(k));
    require(!gram || instance.whole->conditions.outliers == 0, "outliers beside a gram matrix");
    for (const auto& [i, j] : links.together) instance.whole->state.add({true, i, j});
    for (const auto& [i, j] : links.apart) instance.whole->state.add({false, i, j});
    return instance;
}

// Section 7: the cost of the labels; refuses what is no partition, or breaks a constraint.
Rational check_labels(const Instance& instance, const Blob& blob) {
    const auto& [data, conditions, state, dearest, whole_size, held] = *instance.whole;
    const auto labels = read_integers(blob, "labels", 1, data.n).numbers;
    require(labels.size() == data.weights.size(), "there are not as many labels as points");
    const auto is_left_out = [&](int64_t label) { return conditions.outliers > 0 && label == -1; };
    const long num_out = std::count_if(labels.begin(), labels.end(), is_left_out);
    require(num_out <= conditions.outliers, "the labels leave out too many points");
    auto names = labels;
    names.erase(std::remove_if(names.begin(), names.end(), is_left_out), names.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    require(names.size() == size_t(conditions.k), "the labels are not of k clusters");
    std::vector<int> cluster_of(data.n);
    std::vector<std::vector<int>> clusters(names.size());
    for (int p = 0; p < data.n; ++p) {
        if (is_left_out(labels[p])) {  // with whom must-links connect it, and with nobody else
            cluster_of[p] = -1 - instance.whole->state.view().of[p];
            continue;
        }
        cluster_of[p] = static_cast<int>(std::lower_bound(names.begin(), names.end(), labels[p]) - names.begin());
        clusters[cluster_of[p]].push_back(p);
    }
    const Links& links = instance.links;
    const auto share = [&](const std::pair<int, int>& pair) { return cluster_of[pair.first] == cluster_of[pair.second]; };
    require(std::all_of(links.together.begin(), links.together.end(), share), "the labels break a must-link");
    require(std::none_of(links.apart.begin(), links.apart.end(), share), "the labels break a cannot-link");
    require(conditions.hold(clusters), "the labels break a limit");
    const Rational bare = instance.gram ? gram_cost(*instance.gram, data, clusters) : cost(data, clusters);
    return bare + conditions.paid(cluster_of);
}

void check_objective(const Rational& cost, double objective) {
    const Rational most = std::max(times_power(abs(cost), -40), times_power(1, -1074));
    const bool holds = cost == 0 ? objective == 0 : abs(Rational(objective) - cost) <= most;
    require(holds, "the objective is not the cost of the labels");
}

}  // namespace

Verdict check_file(const std::string& path, std::optional<double> gap, int threads) {
    Database database(path);
    // Two minutes, and for a large file as many nanoseconds for each byte as it takes to read it some thousand times.
    budget = {0x1p37 + 0x1p16 * database.bytes(), 120e6 + 120 * database.bytes(), threads};
    const Row claim = database.only("claim");
    const Instance instance = read_instance(database.only("instance"));
    Verdict verdict{claim.need<std::string>("status"), instance.digest, {}, {}, {}};
    const std::string& status = verdict.status;
    const bool is_optimal = status == "OPTIMAL", has_labels = is_optimal || status == "FEASIBLE";
    require(has_labels || status == "INFEASIBLE" || status == "UNKNOWN", "the claim has a status that is not known");
    require(!gap || status != "UNKNOWN", "a gap is asked for, and the claim has none");
    if (has_labels) {
        verdict.cost = check_labels(instance, claim.need<Blob>("labels"));
        check_objective(*verdict.cost, claim.need<double>("objective"));
    }
    Lower& bound = verdict.bound = prove(database, instance.whole);
    const Scope& whole = *instance.whole;
    if (bound && instance.gram) *bound -= gram_error(*instance.gram, whole.data, whole.conditions.k);
    if (status == "INFEASIBLE") {
        require(!bound, "it is not proved that there is no partition");
        return verdict;
    }
    const double* const stated = is_optimal ? &claim.need<double>("lower_bound") : claim.get<double>("lower_bound");
    if (stated && bound && Rational(*stated) > *bound) throw Refusal(claimed_but_proved(*stated, *bound));
    if (!has_labels) return verdict;
    const Rational& cost = *verdict.cost;
    require(bound && *bound <= cost, "more is proved than the labels cost");
    if (cost > 0) verdict.gap = (cost - *bound) / cost;
    else if (cost == *bound) verdict.gap = 0;
    const auto check_gap = [&](double most) {
        const std::string wanted = decimal(Rational(most), true, ""), proved = decimal(verdict.gap, true, "inf");
        require(verdict.gap && *verdict.gap <= Rational(most), "the gap should be at most " + wanted + ", but only " + proved + " is proved");
    };
    if (is_optimal) check_gap(instance.gap);
    if (gap) check_gap(*gap);
    return verdict;
}
