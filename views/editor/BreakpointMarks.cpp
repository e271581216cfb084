// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/BreakpointMarks.h"

#include "views/editor/EditorIndicators.h"
#include "views/editor/Scintilla.h"

#include <algorithm>
#include <utility>

namespace tilescope::views {

using Sci = QsciScintillaBase;

static constexpr size_t kMostTaken = 1000;

BreakpointMarks::BreakpointMarks(QsciScintilla *editor) : m_editor(editor) {
  connect(
      editor, &Sci::SCN_MODIFIED, this,
      [this](int position, int type, const char *, int length) { follow(position, type, length); });
}

std::map<uint32_t, std::string> BreakpointMarks::lines() const {
  std::map<uint32_t, std::string> lines;
  for (const auto &[handle, condition] : m_conditions)
    if (const int line = m_editor->markerLine(handle); line >= 0)
      lines[static_cast<uint32_t>(line)] = condition;
  return lines;
}

void BreakpointMarks::set(const std::map<uint32_t, std::string> &lines) {
  if (lines.empty())
    m_taken.clear();
  for (const auto &[handle, condition] : std::exchange(m_conditions, {}))
    m_editor->markerDeleteHandle(handle);
  for (const auto &[line, condition] : lines)
    put(line, condition);
}

void BreakpointMarks::put(uint32_t line, const std::string &condition) {
  if (static_cast<int>(line) >= m_editor->lines())
    return;
  remove(line);
  const bool isStep = m_editor->markersAtLine(static_cast<int>(line)) & (1U << kStepMarker);
  const int marker = condition.empty() ? (isStep ? kBreakpointStepMarker : kBreakpointMarker)
                                       : (isStep ? kConditionStepMarker : kConditionMarker);
  const int handle = m_editor->markerAdd(static_cast<int>(line), marker);
  if (handle >= 0)
    m_conditions[handle] = condition;
}

bool BreakpointMarks::remove(uint32_t line) {
  // Lines that became one may have brought several.
  return std::erase_if(m_conditions, [&](const auto &each) {
           const bool isHere = m_editor->markerLine(each.first) == static_cast<int>(line);
           if (isHere)
             m_editor->markerDeleteHandle(each.first);
           return isHere;
         }) > 0;
}

// Scintilla moves the marks of lines that go to the line that stays, drops them with the whole text,
// and does not undo either.
void BreakpointMarks::follow(int position, int type, int length) {
  if (m_conditions.empty() && m_taken.empty())
    return;
  if (type & Sci::SC_MOD_DELETETEXT)
    std::erase_if(m_conditions,
                  [&](const auto &each) { return m_editor->markerLine(each.first) < 0; });
  if (!(type & (Sci::SC_MOD_BEFOREDELETE | Sci::SC_MOD_INSERTTEXT)))
    return;
  const auto lineOf = [&](int offset) {
    return static_cast<uint32_t>(m_editor->SendScintilla(
        Sci::SCI_LINEFROMPOSITION, static_cast<unsigned long>(position + offset)));
  };
  const uint32_t first = lineOf(0), last = lineOf(length);
  if (first == last)
    return;
  reportMove();
  std::map<uint32_t, std::string> here = lines();
  std::erase_if(here, [&](const auto &each) { return each.first < first || each.first > last; });
  if (type & Sci::SC_MOD_BEFOREDELETE) {
    if (m_taken.size() == kMostTaken)
      m_taken.erase(m_taken.begin());
    if (!here.empty())
      m_taken.push_back({position, length, (type & Sci::SC_PERFORMED_UNDO) != 0, std::move(here)});
    return;
  }
  if (!(type & (Sci::SC_PERFORMED_UNDO | Sci::SC_PERFORMED_REDO)))
    return;
  const bool isRedo = type & Sci::SC_PERFORMED_REDO;
  const auto taken = std::find_if(m_taken.rbegin(), m_taken.rend(), [&](const Taken &each) {
    return each.position == position && each.length == length && each.isByUndo == isRedo;
  });
  if (taken == m_taken.rend())
    return;
  bringBack(*taken, here);
  m_taken.erase(std::next(taken).base());
}

void BreakpointMarks::bringBack(const Taken &taken,
                                const std::map<uint32_t, std::string> &replaced) {
  for (const auto &[line, condition] : replaced)
    remove(line);
  for (const auto &[line, condition] : taken.lines)
    put(line, condition);
}

void BreakpointMarks::reportMove() {
  if (std::exchange(m_isMoveReported, false))
    QMetaObject::invokeMethod(
        this,
        [this] {
          m_isMoveReported = true;
          Q_EMIT moved();
        },
        Qt::QueuedConnection);
}

} // namespace tilescope::views
