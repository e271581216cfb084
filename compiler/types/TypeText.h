// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A type of elements in TTGIR as messages and hints call it: `f32` is `fp32`. Others are as they
/// are.
std::string elementTypeText(const std::string &type);
/// `fp32[16, 64]`.
std::string blockTypeText(const std::string &elementType, const std::vector<int64_t> &shape);

} // namespace tilescope::compiler
