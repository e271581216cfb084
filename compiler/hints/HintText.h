// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/BytesText.h"
#include "compiler/support/SourceRange.h"

#include <cstdint>
#include <string>
#include <vector>

/// Numbers and places as hints say them.
namespace tilescope::compiler {

/// `13 %`, of a share from 0 to 1.
std::string percentText(double share);
/// `2.5`, `32`.
std::string numberText(double number);
/// `2.9 µs`, `28 µs`.
std::string microsecondsText(double us);
/// `1 stage`, `3 stages`.
std::string countText(int64_t count, const std::string &noun);
/// `also in line 52`, `also in lines 52 and 64`; the places but the first.
std::string otherLinesText(const std::vector<SourceRange> &places);

} // namespace tilescope::compiler
