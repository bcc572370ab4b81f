// Section 1: the digest of an instance.
#pragma once

#include "json.h"

struct Links {
    std::vector<std::pair<int, int>> together, apart;
};

std::string sha256(std::string message);
std::string digest(const Data&, int k, const Links&, const Json& conditions, const std::vector<double>* gram);
