// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/ModelPackage.h"

namespace tilescope::profiler {

/// For each step the earlier ones that must be over before it begins; what follows from others is left out.
/// Two steps keep their order where they use the same bytes and one of them writes: the second reads what
/// the first wrote, or takes the place of what the first still reads.
///
///     step     writes        reads          waits for
///     0        a at [0, 4)   input          -
///     1        b at [4, 8)   input          -
///     2        c at [8, 12)  a, b           0, 1
///     3        d at [0, 4)   b              2: `d` takes the place of `a`. Not 1, since 2 waits for it
///
/// The package is one that was read, or has the same bounds.
std::vector<std::vector<size_t>> stepOrder(const ModelPackage &package);

} // namespace tilescope::profiler
