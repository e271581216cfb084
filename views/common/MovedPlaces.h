// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// Where the places of one text are in another one that edits made of it.
///
///     before:  a     after:  a        line 2 (`c`) is unchanged and in line 3 now;
///              b             new      line 1 (`b`) is gone: nothing shows whether
///              c             B        `new` or `B` came from it
///                            c
///
/// A line that one line replaced is there, changed: places before and behind what differs move
/// along with their letters.
class MovedPlaces {
public:
  MovedPlaces(std::string_view before, std::string_view after);

  /// The line in the text after; nothing: it is changed or gone.
  std::optional<uint32_t> unchangedLine(uint32_t line) const;
  /// The place in the text after; nothing: its line is gone.
  std::optional<Position> moved(Position position) const;
  /// The same range where no letter of it or beside it is another one; nothing for others.
  std::optional<SourceRange> unchanged(const SourceRange &range) const;
  /// Places in other files stay; nothing: it begins or ends in a line that is gone.
  std::optional<SourceRange> moved(const SourceRange &range) const;

private:
  struct Line {
    int32_t after = -1;
    bool isChanged = false;
    /// Of a changed line: the columns of what was replaced, and the end of what replaced it.
    uint32_t begin = 0;
    uint32_t oldEnd = 0;
    uint32_t newEnd = 0;
  };

  void pair(std::string_view before, std::string_view after, Line &line) const;
  const Line *at(uint32_t line) const;

  /// Of the text before, with one for the place behind its last line feed.
  std::vector<Line> m_lines;
};

} // namespace tilescope::views
