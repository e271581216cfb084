// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The elements of each thread's vector as values of their own, and values as the elements of a vector.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::model {

/// Lines that split a vector, whose last axes have two elements each, into `x1`, `x2`, …: a value for each of these columns.
std::string splitText(const std::string &vector, const std::vector<int64_t> &columns);
/// The vector of these values, its last axes having two elements each.
std::string joinedText(const std::vector<std::string> &names);

} // namespace tilescope::model
