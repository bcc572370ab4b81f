// Section 3: the tree of the whole instance, or of one part of a cover; section 10: a cover.
#pragma once

#include "database.h"
#include "sha256.h"
#include "state.h"

// What the tree of a part (0: of the whole) proves. It is 0 without nodes, and for a part with too few super-points.
Lower check_tree(Database&, int64_t part, const Data&, int k, const Links&, const Conditions&);
Lower check_cover(Database&, const Row& cover, const Data&, int k, const Links&, int threads);
