// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// Lines `first` to `last` can fold away behind `first`; `last` stays visible when it only closes.
struct FoldRange {
  int32_t first = 0;
  int32_t last = 0;
  bool operator==(const FoldRange &) const = default;
};

struct FindOptions {
  bool caseSensitive = false;
  bool regularExpression = false;
  bool wholeWord = false;
  bool operator==(const FindOptions &) const = default;
};

/// The match that is selected among all, from 1; 0: none is.
struct MatchPlace {
  int number = 0;
  int total = 0;
  bool operator==(const MatchPlace &) const = default;
};

/// A read-only text by lines, with its folds. No Qt: lines are bytes.
class CodeDocument {
public:
  CodeDocument() = default;
  explicit CodeDocument(std::string text);

  const std::string &text() const { return m_text; }
  int32_t numLines() const { return static_cast<int32_t>(m_starts.size()); }
  std::string_view line(int32_t index) const;
  /// Longest line in bytes, a tab counted as eight.
  int32_t maxColumns() const { return m_maxColumns; }

  /// By braces and brackets left open at the end of a line. Sorted by first line.
  const std::vector<FoldRange> &folds() const { return m_folds; }
  const FoldRange *foldAt(int32_t line) const;

  bool isCollapsed(int32_t line) const { return m_collapsed.count(line) > 0; }
  void setCollapsed(int32_t line, bool collapsed);

  /// Lines that are visible, in order.
  const std::vector<int32_t> &rows() const { return m_rows; }
  /// Row that shows a line, or the row of the fold that hides it.
  int32_t rowOf(int32_t line) const;

private:
  void findFolds();
  void updateRows();

  struct LineSet {
    std::vector<int32_t> sorted;
    size_t count(int32_t line) const;
  };

  std::string m_text;
  std::vector<uint32_t> m_starts;
  int32_t m_maxColumns = 0;
  std::vector<FoldRange> m_folds;
  LineSet m_collapsed;
  std::vector<int32_t> m_rows;
};

} // namespace tilescope::views
