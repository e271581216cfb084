// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/StepOrder.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

namespace tilescope::profiler {

namespace {
/// Bytes that all buffers use alike.
struct Cell {
  std::optional<size_t> writer;
  /// Since it was written.
  std::vector<size_t> readers;
};

class Cells {
public:
  explicit Cells(const ModelPackage &package) {
    for (const ModelBuffer &buffer : package.buffers)
      m_bounds.insert(m_bounds.end(), {buffer.at, buffer.at + buffer.bytes});
    std::ranges::sort(m_bounds);
    m_bounds.erase(std::ranges::unique(m_bounds).begin(), m_bounds.end());
    m_cells.resize(m_bounds.size());
  }

  /// The steps that this one must follow are added to `before`.
  void use(const ModelBuffer &buffer, size_t step, bool isWritten, std::set<size_t> &before) {
    const auto at = std::ranges::lower_bound(m_bounds, buffer.at) - m_bounds.begin();
    for (auto i = static_cast<size_t>(at); m_bounds[i] < buffer.at + buffer.bytes; ++i) {
      Cell &cell = m_cells[i];
      if (cell.writer && *cell.writer != step)
        before.insert(*cell.writer);
      if (!isWritten) {
        if (cell.readers.empty() || cell.readers.back() != step)
          cell.readers.push_back(step);
        continue;
      }
      for (const size_t reader : cell.readers)
        if (reader != step)
          before.insert(reader);
      cell.readers.clear();
      cell.writer = step;
    }
  }

private:
  /// Where one begins, in order, and behind the last.
  std::vector<uint64_t> m_bounds;
  std::vector<Cell> m_cells;
};
} // namespace

std::vector<std::vector<size_t>> stepOrder(const ModelPackage &package) {
  Cells cells(package);
  const size_t count = package.steps.size();
  std::vector<std::vector<size_t>> order(count);
  // Of each step, all that are over when it begins.
  std::vector<std::vector<bool>> past(count);
  for (size_t step = 0; step < count; ++step) {
    std::set<size_t> before;
    // What it reads comes first: it may write there, too.
    for (const bool isWritten : {false, true})
      for (const StepTensor &tensor : package.steps[step].tensors)
        if (tensor.isWritten == isWritten)
          cells.use(package.buffers[tensor.buffer], step, isWritten, before);
    past[step].resize(step);
    // The latest first: what they have waited for follows from them.
    for (auto each = before.rbegin(); each != before.rend(); ++each) {
      if (past[step][*each])
        continue;
      order[step].push_back(*each);
      past[step][*each] = true;
      std::transform(past[*each].begin(), past[*each].end(), past[step].begin(), past[step].begin(),
                     std::logical_or<bool>());
    }
    std::ranges::reverse(order[step]);
  }
  return order;
}

} // namespace tilescope::profiler
