// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/WordDiff.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope {

enum class DiffKind : uint8_t { Same, Added, Removed };

/// One line of a unified listing of two texts.
struct DiffLine {
  DiffKind kind = DiffKind::Same;
  /// Line in the old text (for Same and Removed) and in the new one (for Same and Added), 0-based;
  /// -1: none.
  int32_t oldLine = -1;
  int32_t newLine = -1;
  /// The words that differ from the line it replaces or is replaced by.
  std::vector<TextSpan> words = {};
  bool operator==(const DiffLine &) const = default;
};

/// Shortest edit script by lines (Myers), e.g. `a b c` to `a x c` is `=a -b +x =c`. Where the texts
/// differ in more than a few thousand lines the middle part is given as removed then added.
std::vector<DiffLine> diffLines(const std::vector<std::string_view> &before,
                                const std::vector<std::string_view> &after);

/// `@@ n unchanged lines @@` folding: keeps `context` lines around every change.
struct UnifiedDiff {
  /// Text to show, one line per entry of `lines`.
  std::string text;
  std::vector<DiffLine> lines;
  int numAdded = 0;
  int numRemoved = 0;
};

UnifiedDiff unifiedDiff(std::string_view before, std::string_view after, int context = 3);
/// Of two texts of IR or PTX, where other numbers of values are not changes.
UnifiedDiff unifiedIrDiff(std::string_view before, std::string_view after);

} // namespace tilescope
