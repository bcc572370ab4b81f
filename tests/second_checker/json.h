// JSON as the page asks for it: values, and a reader that refuses what is none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model.h"

struct Json {
    enum Kind { Null, Bool, Whole, Real, Text, List, Object } kind = Null;
    bool truth = false;
    Integer whole;       // of numbers without fraction and exponent, however large
    double real = 0;     // of all other numbers, as the nearest double
    std::string text;    // UTF-8
    std::vector<Json> list;
    std::map<std::string, Json> object;
};

Json parse_json(const std::string& text, const char* name);
