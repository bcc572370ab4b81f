// The proofs of bounds, one section each; all of them are exact, or rounded to the safe side.
#pragma once

#include <functional>
#include <optional>

#include "arrays.h"
#include "conditions.h"

// Section 11: what a penalty proves; refuses a state that is no line, or has no intervals within the range of weights.
Rational line_bound(const Data&, const View&, const Conditions&, double penalty);

// Section 12: refuses a bound that prices, with knots and axes, do not prove; section 15: `lost` is G of prices. What no
// cluster weighs more than is U where there are limits.
using Lost = std::function<Rational(const std::vector<double>& prices)>;
void check_prices(const Data&, const View&, Arrays&, double claimed, const Lost& lost,
                  const std::optional<Rational>& capacity);

// Section 14: costs of inner products K (n times n, row by row), and what those of the points may differ from them by.
Rational gram_cost(const std::vector<double>& inner, const Data&, const Groups& clusters);
Rational gram_error(const std::vector<double>& inner, const Data&, int k);
