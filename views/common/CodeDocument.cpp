// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/CodeDocument.h"

#include <algorithm>

namespace tilescope::views {

size_t CodeDocument::LineSet::count(int32_t line) const {
  return std::binary_search(sorted.begin(), sorted.end(), line) ? 1 : 0;
}

CodeDocument::CodeDocument(std::string text) : m_text(std::move(text)) {
  uint32_t start = 0;
  while (start < m_text.size()) {
    m_starts.push_back(start);
    const size_t feed = m_text.find('\n', start);
    const size_t end = feed == std::string::npos ? m_text.size() : feed;
    const std::string_view content(m_text.data() + start, end - start);
    const auto tabs = std::count(content.begin(), content.end(), '\t');
    m_maxColumns = std::max(m_maxColumns, static_cast<int32_t>(content.size() + 7 * tabs));
    start = static_cast<uint32_t>(end + 1);
  }
  findFolds();
  updateRows();
}

std::string_view CodeDocument::line(int32_t index) const {
  if (index < 0 || index >= numLines())
    return {};
  const size_t begin = m_starts[index];
  size_t end = index + 1 < numLines() ? m_starts[index + 1] : m_text.size();
  while (end > begin && (m_text[end - 1] == '\n' || m_text[end - 1] == '\r'))
    --end;
  return std::string_view(m_text).substr(begin, end - begin);
}

void CodeDocument::findFolds() {
  std::vector<std::pair<int32_t, char>> open;
  for (int32_t index = 0; index < numLines(); ++index) {
    bool inString = false;
    for (char c : line(index)) {
      if (c == '"')
        inString = !inString;
      if (inString)
        continue;
      if (c == '{' || c == '(' || c == '[') {
        open.emplace_back(index, c);
      } else if (c == '}' || c == ')' || c == ']') {
        const char opener = c == '}' ? '{' : c == ')' ? '(' : '[';
        if (open.empty() || open.back().second != opener)
          continue;
        const int32_t first = open.back().first;
        open.pop_back();
        if (index > first + 1 && (m_folds.empty() || m_folds.back().first != first))
          m_folds.push_back({first, index});
      }
    }
  }
  std::sort(m_folds.begin(), m_folds.end(), [](const FoldRange &a, const FoldRange &b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  auto sameLine = [](const FoldRange &a, const FoldRange &b) { return a.first == b.first; };
  m_folds.erase(std::unique(m_folds.begin(), m_folds.end(), sameLine), m_folds.end());
}

const FoldRange *CodeDocument::foldAt(int32_t line) const {
  auto fold = std::lower_bound(m_folds.begin(), m_folds.end(), line,
                               [](const FoldRange &range, int32_t at) { return range.first < at; });
  return fold != m_folds.end() && fold->first == line ? &*fold : nullptr;
}

void CodeDocument::setCollapsed(int32_t line, bool collapsed) {
  auto &lines = m_collapsed.sorted;
  auto place = std::lower_bound(lines.begin(), lines.end(), line);
  const bool present = place != lines.end() && *place == line;
  if (present == collapsed || !foldAt(line))
    return;
  if (collapsed)
    lines.insert(place, line);
  else
    lines.erase(place);
  updateRows();
}

void CodeDocument::updateRows() {
  m_rows.clear();
  m_rows.reserve(m_starts.size());
  for (int32_t index = 0; index < numLines(); ++index) {
    m_rows.push_back(index);
    if (!isCollapsed(index))
      continue;
    if (const FoldRange *fold = foldAt(index))
      index = fold->last - 1;
  }
}

int32_t CodeDocument::rowOf(int32_t line) const {
  auto row = std::upper_bound(m_rows.begin(), m_rows.end(), line);
  return std::max<int32_t>(0, static_cast<int32_t>(row - m_rows.begin()) - 1);
}

} // namespace tilescope::views
