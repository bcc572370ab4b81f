#include "axes.h"

#include <algorithm>

#include "exact.h"

Axes read_axes(Arrays& arrays, int features) {
    Shape shape;
    Axes axes;
    axes.entries = arrays.integers(2, 16 * static_cast<size_t>(features), shape);
    require(shape.sizes.size() == 2 && 1 <= shape.sizes[0] && shape.sizes[0] <= 16 &&
                shape.sizes[0] <= static_cast<uint32_t>(features) && shape.sizes[1] == static_cast<uint32_t>(features),
            "axes: as many columns as features, and 1 to 16 rows, are needed");
    axes.rows = static_cast<int>(shape.sizes[0]);
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

Places::Places(const Data& data, const View& view, const Axes* axes)
    : data_(data), view_(view), axes_(axes), length_unit_(common_unit(data.points)),
      weight_unit_(common_unit(data.weights)), unit_(length_unit_ - (axes ? 30 : 0)), means_(data.d) {
    Integer x, most = 0;
    for (double point : data.points) {
        set_units(x, point, length_unit_);
        if (mpz_cmpabs(x.get_mpz_t(), most.get_mpz_t()) > 0) most = x;
    }
    const double words = static_cast<double>(1 + mpz_sizeinbase(most.get_mpz_t(), 2) / 64);
    work_ = words * data.d * (50 + 10 * (axes ? axes->rows : 0));
}

Integer Places::weight(int super_point) const {
    Integer total = 0, w;
    for (int p : view_.groups[super_point]) {
        set_units(w, data_.weights[p], weight_unit_);
        total += w;
    }
    return total;
}

void Places::find(int super_point, std::vector<Integer>& numerators, Integer& denominator) {
    const std::vector<int>& points = view_.groups[super_point];
    spend(work_ * static_cast<double>(points.size()), "places");
    Integer x, w;
    denominator = points.size() == 1 ? Integer(1) : weight(super_point);
    for (Integer& mean : means_) mean = 0;
    for (int p : points) {
        if (points.size() == 1) w = 1;
        else set_units(w, data_.weights[p], weight_unit_);
        for (int j = 0; j < data_.d; ++j) {
            set_units(x, data_.point(p, j), length_unit_);
            mpz_addmul(means_[j].get_mpz_t(), w.get_mpz_t(), x.get_mpz_t());
        }
    }
    numerators.resize(features());
    if (!axes_) {
        std::copy(means_.begin(), means_.end(), numerators.begin());
        return;
    }
    for (int a = 0; a < axes_->rows; ++a) {
        numerators[a] = 0;
        for (int j = 0; j < data_.d; ++j) {
            const int64_t u = axes_->entries[static_cast<size_t>(a) * data_.d + j];
            if (u >= 0) mpz_addmul_ui(numerators[a].get_mpz_t(), means_[j].get_mpz_t(), static_cast<unsigned long>(u));
            else mpz_submul_ui(numerators[a].get_mpz_t(), means_[j].get_mpz_t(), static_cast<unsigned long>(-u));
        }
    }
}
