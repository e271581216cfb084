// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/TypedRun.h"

#include <algorithm>
#include <string_view>

namespace tilescope::views {

/// Longer runs do not come from one line.
static constexpr size_t kMostSteps = 100;

namespace {

/// Where typing has come to.
class TypedRun {
public:
  /// False when the step is not typed, or elsewhere.
  bool add(const EditHistory::Step &step) {
    size_t first = 0;
    // In place of a selection; what was typed before was another text.
    if (!m_hasBegun && step.size() > 1 && step.front().inserted.empty())
      first = 1;
    return !step.empty() && std::all_of(step.begin() + static_cast<ptrdiff_t>(first), step.end(),
                                        [this](const Edit &edit) { return type(edit); });
  }

private:
  bool type(const Edit &edit) {
    const bool isPair = edit.inserted == "()" || edit.inserted == "[]" || edit.inserted == "{}";
    if (edit.numRemoved > 0 || !(isPair || isOneCharacter(edit.inserted)))
      return false;
    // A closing bracket that is there already is typed by passing it.
    if (m_hasBegun && (edit.offset < m_caret || edit.offset - m_caret > m_numOpen))
      return false;
    m_numOpen -= m_hasBegun ? edit.offset - m_caret : 0;
    m_numOpen += isPair ? 1 : 0;
    m_caret = edit.offset + (isPair ? 1 : edit.inserted.size());
    m_hasBegun = true;
    return true;
  }

  static bool isOneCharacter(std::string_view text) {
    const auto isContinued = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    return !text.empty() && text != "\n" && text != "\r" &&
           std::all_of(text.begin() + 1, text.end(), isContinued);
  }

  bool m_hasBegun = false;
  size_t m_caret = 0;
  /// Closing brackets behind the caret that came along with typed ones.
  size_t m_numOpen = 0;
};

} // namespace

/// Whether the steps [begin, end) were typed in one go, without a stop between them.
static bool isRun(const EditHistory &history, size_t begin, size_t end) {
  const auto stop = history.stops().upper_bound(begin);
  if (stop != history.stops().end() && *stop < end)
    return false;
  TypedRun run;
  return std::all_of(history.steps().begin() + static_cast<ptrdiff_t>(begin),
                     history.steps().begin() + static_cast<ptrdiff_t>(end),
                     [&run](const EditHistory::Step &step) { return run.add(step); });
}

size_t stepsToUndo(const EditHistory &history) {
  const size_t end = history.numApplied();
  size_t count = std::min<size_t>(end, 1);
  // Where the run began decides which closing brackets belong to it: a part of it is none by itself.
  for (size_t tried = 2; tried <= std::min(end, kMostSteps); ++tried) {
    if (!isRun(history, end - tried, end - tried + 1))
      break;
    if (isRun(history, end - tried, end))
      count = tried;
  }
  return count;
}

size_t stepsToRedo(const EditHistory &history) {
  const size_t begin = history.numApplied(), left = history.steps().size() - begin;
  size_t count = std::min<size_t>(left, 1);
  while (count > 0 && count < std::min(left, kMostSteps) &&
         isRun(history, begin, begin + count + 1))
    ++count;
  return count;
}

} // namespace tilescope::views
