// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/EditHistory.h"

namespace tilescope::views {

static constexpr size_t kMaxSteps = 4000;
static constexpr size_t kMaxStepBytes = 4 << 20;

/// False when the edit reaches beyond the text.
static bool applyTo(std::string &text, const Edit &edit) {
  if (edit.offset > text.size() || edit.numRemoved > text.size() - edit.offset)
    return false;
  text.replace(edit.offset, edit.numRemoved, edit.inserted);
  return true;
}

static size_t sizeOf(const EditHistory::Step &step) {
  size_t size = 0;
  for (const Edit &edit : step)
    size += edit.inserted.size() + sizeof(Edit);
  return size;
}

std::optional<EditHistory> EditHistory::fromParts(std::string base, std::vector<Step> steps,
                                                  size_t numApplied, std::optional<size_t> saved,
                                                  std::set<size_t> stops) {
  if (numApplied > steps.size())
    return std::nullopt;
  EditHistory history(std::move(base));
  for (const Step &step : steps)
    history.m_stepBytes += sizeOf(step);
  history.m_steps = std::move(steps);
  history.m_numApplied = numApplied;
  history.m_saved = saved;
  history.m_stops = std::move(stops);
  return history;
}

bool EditHistory::apply(EditEvent event) {
  if (event.kind == EditKind::Stop) {
    m_stops.insert(m_numApplied);
    return true;
  }
  if (event.kind == EditKind::Undo || event.kind == EditKind::Redo) {
    const bool undo = event.kind == EditKind::Undo;
    if (m_numApplied == (undo ? 0 : m_steps.size()))
      return false;
    m_numApplied += undo ? size_t(-1) : 1;
    return true;
  }
  // Undone steps are lost for good, and with them the file's text if it was among them.
  while (m_steps.size() > m_numApplied) {
    m_stepBytes -= sizeOf(m_steps.back());
    m_steps.pop_back();
  }
  if (m_saved && *m_saved > m_numApplied)
    m_saved.reset();
  m_stops.erase(m_stops.upper_bound(m_numApplied), m_stops.end());
  const bool begins = event.kind == EditKind::Begin || m_steps.empty();
  // A step that goes on after it was saved ends elsewhere.
  if (!begins && m_saved == m_numApplied)
    m_saved.reset();
  if (!begins)
    m_stops.erase(m_numApplied);
  if (begins)
    m_steps.emplace_back();
  m_numApplied = m_steps.size();
  m_stepBytes += event.edit.inserted.size() + sizeof(Edit);
  m_steps.back().push_back(std::move(event.edit));
  if (m_steps.size() > kMaxSteps || (m_stepBytes > kMaxStepBytes && m_steps.size() > 1))
    forgetOldest();
  return true;
}

void EditHistory::forgetOldest() {
  const size_t numForgotten = (m_steps.size() + 1) / 2;
  for (size_t i = 0; i < numForgotten; ++i) {
    m_stepBytes -= sizeOf(m_steps[i]);
    for (const Edit &edit : m_steps[i])
      applyTo(m_base, edit);
  }
  m_steps.erase(m_steps.begin(), m_steps.begin() + static_cast<std::ptrdiff_t>(numForgotten));
  m_numApplied -= numForgotten;
  if (m_saved)
    m_saved = *m_saved < numForgotten ? std::nullopt : std::optional(*m_saved - numForgotten);
  std::set<size_t> stops;
  for (auto stop = m_stops.lower_bound(numForgotten); stop != m_stops.end(); ++stop)
    stops.insert(*stop - numForgotten);
  m_stops = std::move(stops);
}

std::optional<std::string> EditHistory::text() const {
  std::string text = m_base;
  for (size_t i = 0; i < m_numApplied; ++i)
    for (const Edit &edit : m_steps[i])
      if (!applyTo(text, edit))
        return std::nullopt;
  return text;
}

} // namespace tilescope::views
