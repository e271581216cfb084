// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <compare>
#include <cstdint>

namespace tilescope {

/// A place in a text. Line and column start at 0; columns count UTF-8 bytes.
struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
  auto operator<=>(const Position &) const = default;
};

/// Half-open range [begin, end) of a text. `file` indexes the list of files of the result it
/// belongs to (`CompileResult::files`); 0 is the document that was compiled.
struct SourceRange {
  Position begin;
  Position end;
  uint32_t file = 0;
  auto operator<=>(const SourceRange &) const = default;

  bool empty() const { return begin == end; }
  bool contains(Position position) const { return begin <= position && position < end; }
};

} // namespace tilescope
