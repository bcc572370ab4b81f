// Sections 1, 3, 7 and 14: the instance, the partition, and what is claimed.
#pragma once

#include "model.h"

struct Verdict {
    std::string status, digest;
    std::optional<Rational> cost, gap;  // nothing without labels, and where there is no gap
    Lower bound;
};

// Refuses the file, or says what is proved; `gap` is one that is asked for beside the file's own.
Verdict check_file(const std::string& path, std::optional<double> gap, int threads);
