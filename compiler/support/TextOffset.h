// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <cstddef>
#include <string_view>

namespace tilescope {

/// Where a position lies in a text, in bytes. A place behind the end of a line, or of the text, is that end.
size_t offsetOf(std::string_view text, Position position);

} // namespace tilescope
