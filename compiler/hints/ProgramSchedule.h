// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// When the last of many programs ends, each of which runs for as long as it has work.
//
// Worked example (asserted by the unit test "the longest program last ends late"): two places, work
// 1, 1, 1, 1, 4. In this order the places are free at 2, and the last program ends at 6; beginning
// with the longest, all end at 4.
#pragma once

#include <cstddef>
#include <vector>

namespace tilescope::compiler {

/// Programs begin in their order, each at the place that is free first. `places` is at least 1.
double endOf(const std::vector<double> &work, size_t places);

} // namespace tilescope::compiler
