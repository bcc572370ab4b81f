// Numbers for people: the shortest decimal of the nearest double that is not on the wrong side.
#pragma once

#include "model.h"

std::string decimal(const std::optional<Rational>& value, bool upwards, const char* without);

// What is said of a bound that is larger than what is proved.
std::string claimed_but_proved(double claimed, const Rational& proved);
