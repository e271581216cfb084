// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <set>
#include <vector>

class QsciScintilla;

namespace tilescope::views {

/// Bytes of the text, from `begin` up to but not including `end`.
struct ByteRange {
  long begin = 0;
  long end = 0;
  bool operator==(const ByteRange &) const = default;
};

// The editor repaints marked or cleared text, even if it was marked like that before: at every key
// that would be most of its text. These change only the differences.

/// Puts an indicator under these ranges, and nowhere else.
void setIndicator(QsciScintilla &editor, int indicator, std::vector<ByteRange> ranges);
/// Puts a marker on these lines, and on no others.
void setMarker(QsciScintilla &editor, int marker, const std::set<int> &lines);

} // namespace tilescope::views
