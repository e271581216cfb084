// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/TensorAccess.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// The sides of a matrix that one block covers, where two constexprs say them and nothing else does:
/// `i[:, None] * N + i` covers N x N elements. Nothing for all other accesses.
std::vector<std::string> matrixSides(const TensorAccess &access,
                                     const std::map<std::string, std::string> &constexprs);

} // namespace tilescope::compiler
