// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Several numbers for symbolic extents, as a command is told them:
//
//   batch=1,8  length=64,128      batch=1 length=64 | batch=1 length=128 | batch=8 length=64 | batch=8 length=128
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// Each choice of one number for each extent, as `NAME=VALUE`, the last one changing fastest. One set without any for an empty list.
/// An error: a number is missing or there twice, or there are more than 64 sets.
Result<std::vector<std::vector<std::string>>> extentSets(const std::vector<std::string> &extents);

/// `batch=8, length=64`.
std::string joinedTexts(const std::vector<std::string> &extents);

} // namespace tilescope::app
