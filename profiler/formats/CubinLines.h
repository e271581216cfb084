// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/LineSums.h"

#include <string>
#include <string_view>

namespace tilescope::profiler {

struct CubinLines {
  /// The file in which the function begins.
  std::string path;
  LineByOffset lineAt;
};

/// The lines of a cubin with one function, from its table of lines (DWARF 2, section 6.2): a row holds
/// up to the next one. Instructions of other files, such as those of inlined library functions, have
/// no line. Empty where the cubin has no table, more than one function, or cannot be read.
CubinLines linesOfCubin(std::string_view cubin);

} // namespace tilescope::profiler
