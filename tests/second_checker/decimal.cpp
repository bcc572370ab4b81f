#include "decimal.h"

#include <cfloat>
#include <charconv>
#include <cmath>

std::string decimal(const std::optional<Rational>& value, bool upwards, const char* without) {
    if (!value) return without;
    double x = value->get_d();  // towards 0
    if (!std::isfinite(x)) x = std::copysign(DBL_MAX, x);
    if (upwards ? Rational(x) < *value : Rational(x) > *value) x = std::nextafter(x, upwards ? HUGE_VAL : -HUGE_VAL);
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

std::string claimed_but_proved(double claimed, const Rational& proved) {
    return "the bound: " + decimal(Rational(claimed), false, "") + " is claimed, but only " + decimal(proved, false, "") +
           " is proved";
}
