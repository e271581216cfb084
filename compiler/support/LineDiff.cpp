// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/LineDiff.h"

#include "compiler/support/Text.h"
#include "compiler/support/ValueNames.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace tilescope {

/// Beyond this many edits the exact script costs more than it helps.
static constexpr int32_t kMaxEdits = 2000;

using Lines = std::vector<std::string_view>;

/// Appends the script for `before[b0, b1)` against `after[a0, a1)`, which differ at both ends.
static void diffMiddle(const Lines &before, int32_t b0, int32_t b1, const Lines &after, int32_t a0,
                       int32_t a1, std::vector<DiffLine> &out) {
  const int32_t n = b1 - b0;
  const int32_t m = a1 - a0;
  const int32_t limit = std::min(n + m, kMaxEdits);
  // frontier[k]: furthest line of `before` reached on diagonal k = x - y after d edits.
  std::vector<std::vector<int32_t>> history;
  std::vector<int32_t> frontier(2 * limit + 3, 0);
  const int32_t zero = limit + 1;
  for (int32_t d = 0; d <= limit; ++d) {
    for (int32_t k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && frontier[zero + k - 1] < frontier[zero + k + 1]);
      int32_t x = down ? frontier[zero + k + 1] : frontier[zero + k - 1] + 1;
      int32_t y = x - k;
      while (x < n && y < m && before[b0 + x] == after[a0 + y]) {
        ++x;
        ++y;
      }
      frontier[zero + k] = x;
      if (x < n || y < m)
        continue;
      // Walk back from the end.
      std::vector<DiffLine> reversed;
      for (int32_t e = d; e > 0; --e) {
        const std::vector<int32_t> &past = history[e - 1];
        const int32_t pastZero = e;
        auto at = [&](int32_t diagonal) { return past[pastZero + diagonal]; };
        const int32_t diagonal = x - y;
        const bool wentDown =
            diagonal == -e || (diagonal != e && at(diagonal - 1) < at(diagonal + 1));
        const int32_t from = wentDown ? diagonal + 1 : diagonal - 1;
        const int32_t fromX = at(from);
        const int32_t fromY = fromX - from;
        while (x > fromX + (wentDown ? 0 : 1) && y > fromY + (wentDown ? 1 : 0)) {
          --x;
          --y;
          reversed.push_back({DiffKind::Same, b0 + x, a0 + y});
        }
        if (wentDown)
          reversed.push_back({DiffKind::Added, -1, a0 + --y});
        else
          reversed.push_back({DiffKind::Removed, b0 + --x, -1});
      }
      while (x > 0) {
        --x;
        --y;
        reversed.push_back({DiffKind::Same, b0 + x, a0 + y});
      }
      out.insert(out.end(), reversed.rbegin(), reversed.rend());
      return;
    }
    // Only diagonals -d-1 … d+1 are read when walking back over this step.
    history.emplace_back(frontier.begin() + zero - d - 1, frontier.begin() + zero + d + 2);
  }
  for (int32_t i = b0; i < b1; ++i)
    out.push_back({DiffKind::Removed, i, -1});
  for (int32_t i = a0; i < a1; ++i)
    out.push_back({DiffKind::Added, -1, i});
}

std::vector<DiffLine> diffLines(const Lines &before, const Lines &after) {
  const auto numBefore = static_cast<int32_t>(before.size());
  const auto numAfter = static_cast<int32_t>(after.size());
  int32_t head = 0;
  while (head < numBefore && head < numAfter && before[head] == after[head])
    ++head;
  int32_t tail = 0;
  while (tail < numBefore - head && tail < numAfter - head &&
         before[numBefore - 1 - tail] == after[numAfter - 1 - tail])
    ++tail;
  std::vector<DiffLine> result;
  for (int32_t i = 0; i < head; ++i)
    result.push_back({DiffKind::Same, i, i});
  diffMiddle(before, head, numBefore - tail, after, head, numAfter - tail, result);
  for (int32_t i = tail; i > 0; --i)
    result.push_back({DiffKind::Same, numBefore - i, numAfter - i});
  return result;
}

/// What a line does, e.g. `tt.load`: its first word, or the one behind `=`.
static std::string_view operationOf(std::string_view line) {
  const size_t equals = line.find(" = ");
  const size_t at =
      line.find_first_not_of(" \t", equals == std::string_view::npos ? 0 : equals + 3);
  if (at == std::string_view::npos)
    return {};
  return line.substr(at, line.find_first_of(" \t(<,:;", at) - at);
}

/// Which of the new lines replaces which of the old ones, by their places: one that does the same,
/// and between these the first by the first, and so on.
static std::vector<std::pair<size_t, size_t>> pairLines(const Lines &before, const Lines &after) {
  Lines oldOperations, newOperations;
  std::ranges::transform(before, std::back_inserter(oldOperations), operationOf);
  std::ranges::transform(after, std::back_inserter(newOperations), operationOf);
  std::vector<std::pair<size_t, size_t>> pairs;
  std::vector<size_t> removed, added;
  const auto pairRest = [&] {
    for (size_t i = 0; i < std::min(removed.size(), added.size()); ++i)
      pairs.emplace_back(removed[i], added[i]);
    removed.clear();
    added.clear();
  };
  for (const DiffLine &line : diffLines(oldOperations, newOperations)) {
    if (line.kind == DiffKind::Removed)
      removed.push_back(static_cast<size_t>(line.oldLine));
    else if (line.kind == DiffKind::Added)
      added.push_back(static_cast<size_t>(line.newLine));
    else {
      pairRest();
      pairs.emplace_back(line.oldLine, line.newLine);
    }
  }
  pairRest();
  return pairs;
}

/// Marks words in lines that were replaced.
static void markWords(std::vector<DiffLine> &all, const Lines &before, const Lines &after) {
  for (size_t begin = 0; begin < all.size(); ++begin) {
    std::vector<DiffLine *> removed, added;
    for (; begin < all.size() && all[begin].kind != DiffKind::Same; ++begin)
      (all[begin].kind == DiffKind::Removed ? removed : added).push_back(&all[begin]);
    Lines oldLines, newLines;
    for (const DiffLine *line : removed)
      oldLines.push_back(before[line->oldLine]);
    for (const DiffLine *line : added)
      newLines.push_back(after[line->newLine]);
    for (const auto &[from, to] : pairLines(oldLines, newLines))
      std::tie(removed[from]->words, added[to]->words) = changedWords(oldLines[from], newLines[to]);
  }
}

static UnifiedDiff unified(const Lines &oldLines, const Lines &newLines, std::vector<DiffLine> all,
                           int context) {
  markWords(all, oldLines, newLines);
  std::vector<bool> keep(all.size(), false);
  UnifiedDiff result;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == DiffKind::Same)
      continue;
    (all[i].kind == DiffKind::Added ? result.numAdded : result.numRemoved) += 1;
    const size_t first = i < static_cast<size_t>(context) ? 0 : i - context;
    const size_t last = std::min(all.size() - 1, i + context);
    std::fill(keep.begin() + first, keep.begin() + last + 1, true);
  }
  size_t skipped = 0;
  auto flushSkipped = [&] {
    if (skipped == 0)
      return;
    result.text += "\u22ef " + std::to_string(skipped) +
                   (skipped == 1 ? " unchanged line\n" : " unchanged lines\n");
    result.lines.push_back({DiffKind::Same, -1, -1});
    skipped = 0;
  };
  for (size_t i = 0; i < all.size(); ++i) {
    if (!keep[i]) {
      ++skipped;
      continue;
    }
    flushSkipped();
    const DiffLine &line = all[i];
    result.text += line.kind == DiffKind::Removed ? oldLines[line.oldLine] : newLines[line.newLine];
    result.text += '\n';
    result.lines.push_back(line);
  }
  flushSkipped();
  return result;
}

UnifiedDiff unifiedDiff(std::string_view before, std::string_view after, int context) {
  const Lines oldLines = splitLines(before), newLines = splitLines(after);
  return unified(oldLines, newLines, diffLines(oldLines, newLines), context);
}

UnifiedDiff unifiedIrDiff(std::string_view before, std::string_view after) {
  static constexpr int kContext = 3;
  const Lines oldLines = splitLines(before), newLines = splitLines(after);
  return unified(oldLines, newLines, diffRenumbered(oldLines, newLines), kContext);
}

} // namespace tilescope
