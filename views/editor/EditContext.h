// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::views {

/// The call whose argument list contains the cursor.
///
/// Example: in `tl.load(ptr + |, mask=m)` the callee is `tl.load` and the argument index 0.
struct CallContext {
  /// Dotted name; empty: the cursor is in no call.
  std::string callee;
  uint32_t calleeOffset = 0;
  /// Byte of the opening parenthesis.
  uint32_t openOffset = 0;
  int argument = 0;
  /// Name of the keyword argument the cursor is in, if any.
  std::string keyword;
};

/// What is being typed at the cursor.
struct CompletionContext {
  /// Letters already there, e.g. `lo` in `tl.lo|`.
  std::string prefix;
  uint32_t prefixOffset = 0;
  /// What stands before the dot, e.g. `tl`; empty: a plain name.
  std::string object;
  /// Inside a comment or string: nothing to complete.
  bool inert = false;
};

CallContext callAt(std::string_view text, uint32_t offset);
CompletionContext completionAt(std::string_view text, uint32_t offset);
/// The dotted name up to the part at a byte, e.g. `tl` or `tl.math` or all of `tl.math.exp`.
std::string dottedNameAt(std::string_view text, uint32_t offset);
/// The whole dotted name around a byte, whichever of its parts that is in.
std::string wholeDottedNameAt(std::string_view text, uint32_t offset);

} // namespace tilescope::views
