// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What the KernelEditor shows on top of the text: squiggles, messages, hints, focus.
#include "views/common/Theme.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/Decorations.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/TypingHold.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tilescope::views {

using compiler::Diagnostic;
using compiler::Severity;

void KernelEditor::setDiagnostics(std::vector<Diagnostic> diagnostics) {
  m_diagnostics = std::move(diagnostics);
  showDiagnostics();
}

std::vector<Diagnostic> KernelEditor::visibleDiagnostics() const {
  std::vector<Diagnostic> visible = m_diagnostics;
  std::erase_if(visible, [this](const Diagnostic &each) { return m_hold->holds(each); });
  return visible;
}

bool KernelEditor::isOffering() const {
  const auto at = static_cast<unsigned long>(send(SCI_GETCURRENTPOS));
  const bool isInEmptyCall =
      at > 0 && send(SCI_GETCHARAT, at - 1) == '(' && send(SCI_GETCHARAT, at) == ')';
  return isInEmptyCall || m_completion->isVisible();
}

void KernelEditor::showDiagnostics() {
  std::vector<Diagnostic> shown = visibleDiagnostics();
  std::erase_if(shown, [](const Diagnostic &each) { return each.range.file != 0; });
  // Every stage of a compile brings the same ones again.
  if (shown == m_shown)
    return;
  // A card beside the pointer must not tell of a problem that is gone.
  const auto isToldOfGone = [&](const Diagnostic &each) {
    const QString told = diagnosticsText({each});
    return m_hover->text().contains(told) &&
           std::ranges::none_of(
               shown, [&](const Diagnostic &other) { return diagnosticsText({other}) == told; });
  };
  if (m_hover->isVisible() && std::ranges::any_of(m_shown, isToldOfGone))
    m_hover->hide();
  m_shown = std::move(shown);
  markDiagnostics();
}

void KernelEditor::setDiagnosticsOutdated(bool areOutdated) {
  if (std::exchange(m_areDiagnosticsOutdated, areOutdated) != areOutdated)
    markDiagnostics();
}

void KernelEditor::markDiagnostics() {
  const long length = send(SCI_GETLENGTH);
  std::map<int, std::vector<ByteRange>> underlined;
  // One icon for a line.
  std::map<uint32_t, Severity> worst;
  for (const Diagnostic &diagnostic : m_shown) {
    if (m_areDiagnosticsOutdated)
      break;
    const int indicator = diagnostic.severity == Severity::Error     ? kErrorIndicator
                          : diagnostic.severity == Severity::Warning ? kWarningIndicator
                                                                     : kNoteIndicator;
    long begin = byteOffset(diagnostic.range.begin);
    long end = byteOffset(diagnostic.range.end);
    // Something must be underlined even when the place is a point, or the end of a line.
    if (end <= begin) {
      end = std::min(length, begin + 1);
      begin = std::max(0L, end - 1);
    }
    underlined[indicator].push_back({begin, end});
    if (diagnostic.severity != Severity::Note)
      worst[diagnostic.range.begin.line] =
          std::max(worst[diagnostic.range.begin.line], diagnostic.severity);
  }
  for (const int indicator : {kErrorIndicator, kWarningIndicator, kNoteIndicator})
    setIndicator(*this, indicator, std::move(underlined[indicator]));
  std::map<int, std::set<int>> marked;
  for (const auto &[line, severity] : worst) {
    const bool isFixable = fixPlaceOn(line).has_value();
    const int marker = severity == Severity::Error
                           ? (isFixable ? kErrorFixMarker : kErrorMarker)
                           : (isFixable ? kWarningFixMarker : kWarningMarker);
    marked[marker].insert(static_cast<int>(line));
  }
  for (const int marker : {kErrorMarker, kWarningMarker, kErrorFixMarker, kWarningFixMarker})
    setMarker(*this, marker, marked[marker]);
  markPerformanceHints();
  updateInlineNotes();
}

void KernelEditor::setValues(std::vector<compiler::ValueFacts> values) {
  m_values = std::move(values);
  updateInlineNotes();
}

void KernelEditor::setHintsVisible(bool visible) {
  m_hintsVisible = visible;
  updateInlineNotes();
}

void KernelEditor::updateInlineNotes() {
  std::map<uint32_t, InlineNote> notes;
  std::map<uint32_t, Severity> worst;
  std::map<uint32_t, int> numProblems;
  for (const Diagnostic &diagnostic : m_shown) {
    const uint32_t line = diagnostic.range.begin.line;
    const auto known = worst.find(line);
    if (diagnostic.severity == Severity::Note)
      continue;
    ++numProblems[line];
    if (known != worst.end() && known->second >= diagnostic.severity)
      continue;
    worst[line] = diagnostic.severity;
    notes[line] = {QString::fromStdString(diagnostic.message),
                   m_areDiagnosticsOutdated                 ? ColorRole::TextFaint
                   : diagnostic.severity == Severity::Error ? ColorRole::Error
                                                            : ColorRole::Warning,
                   true};
  }
  // In front, since what does not fit is cut at the end.
  for (const auto &[line, number] : numProblems)
    if (number > 1)
      notes[line].text = tr("%1 problems: %2").arg(number).arg(notes[line].text);
  if (m_hintsVisible)
    for (const compiler::ValueFacts &value : m_values)
      if (const uint32_t line = value.range.begin.line;
          value.isDefinition && value.range.file == 0 && !notes.contains(line))
        notes[line].text = hintText(m_values, line);
  if (notes == m_notes)
    return;
  const std::map<uint32_t, InlineNote> before = std::exchange(m_notes, std::move(notes));
  for (const auto &[line, note] : before)
    if (const auto now = m_notes.find(line); now == m_notes.end() || now->second != note)
      viewport()->update(lineRect(line));
  for (const auto &[line, note] : m_notes)
    if (!before.contains(line))
      viewport()->update(lineRect(line));
}

void KernelEditor::setTintedLines(std::map<int32_t, int32_t> tints) {
  if (tints == m_tintedLines)
    return;
  m_tintedLines = std::move(tints);
  std::vector<std::set<int>> tinted(kNumTintMarkers);
  for (const auto &[line, tint] : m_tintedLines)
    tinted[static_cast<size_t>(tint)].insert(line);
  for (int i = 0; i < kNumTintMarkers; ++i)
    setMarker(*this, kFirstTintMarker + i, tinted[static_cast<size_t>(i)]);
}

void KernelEditor::setFocusRanges(const std::vector<SourceRange> &ranges) {
  std::vector<ByteRange> focused;
  std::set<int> lines;
  for (const SourceRange &range : ranges) {
    if (range.file != 0)
      continue;
    focused.push_back({byteOffset(range.begin), byteOffset(range.end)});
    lines.insert(static_cast<int>(range.begin.line));
  }
  setIndicator(*this, kFocusIndicator, std::move(focused));
  setMarker(*this, kFocusLineMarker, lines);
}

QString hintText(const std::vector<compiler::ValueFacts> &values, uint32_t line) {
  QStringList types;
  for (const compiler::ValueFacts &value : values) {
    if (!value.isDefinition || value.range.file != 0 || value.range.begin.line != line)
      continue;
    const QString type = QString::fromStdString(value.type);
    if (!types.contains(type))
      types << type;
  }
  return types.join(QStringLiteral(", "));
}

std::optional<uint32_t> KernelEditor::inlineNoteAt(QPoint point) const {
  const long offset = send(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(point.x()), point.y());
  const uint32_t line = positionAt(offset).line;
  const auto note = m_notes.find(line);
  if (note == m_notes.end())
    return std::nullopt;
  QRect rect = inlineNoteRect(line);
  rect.setWidth(std::min(rect.width(), inlineNoteWidth(note->second.text)));
  return rect.contains(point) ? std::optional(line) : std::nullopt;
}

bool KernelEditor::isNoteCut(uint32_t line) const {
  const auto note = m_notes.find(line);
  return note != m_notes.end() && inlineNoteRect(line).width() < inlineNoteWidth(note->second.text);
}

std::optional<uint32_t> KernelEditor::cutNoteAt(QPoint point) const {
  const long offset = send(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(point.x()), point.y());
  const uint32_t line = positionAt(offset).line;
  return isNoteCut(line) && lineRect(line).contains(point) ? std::optional(line) : std::nullopt;
}

int KernelEditor::textLeft() const {
  long left = 0;
  for (unsigned long margin = 0; margin < static_cast<unsigned long>(send(SCI_GETMARGINS));
       ++margin)
    left += send(SCI_GETMARGINWIDTHN, margin);
  return static_cast<int>(left);
}

std::optional<uint32_t> KernelEditor::problemLineAt(QPoint point) const {
  const long offset = send(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(point.x()), point.y());
  const uint32_t line = positionAt(offset).line;
  const auto note = m_notes.find(line);
  const bool isProblem = note != m_notes.end() && note->second.isProblem;
  return isProblem || !performanceHintsOn(line).empty() || breakpoints().contains(line) ||
                 !heatText(line).isEmpty()
             ? std::optional(line)
             : std::nullopt;
}

} // namespace tilescope::views
