// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The KernelEditor's breakpoints, and the line at which a program has stopped.
#include "views/common/Theme.h"
#include "views/editor/Decorations.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"

#include <algorithm>

namespace tilescope::views {

void KernelEditor::defineStepMarkers() {
  const Theme &t = theme();
  const auto define = [&](int marker, MarkerSymbol symbol, ColorRole role,
                          std::optional<ColorRole> inside = std::nullopt) {
    markerDefine(symbol, marker);
    setMarkerForegroundColor(t[role], marker);
    setMarkerBackgroundColor(t[inside.value_or(role)], marker);
  };
  // Full, and not in the color of errors, whose mark is round, too.
  define(kBreakpointMarker, Circle, ColorRole::Accent);
  // Another shape, not only another color.
  define(kConditionMarker, SmallRectangle, ColorRole::Accent);
  // An arrow is hard to see on either.
  define(kBreakpointStepMarker, Circle, ColorRole::Accent, ColorRole::Base);
  define(kConditionStepMarker, SmallRectangle, ColorRole::Accent, ColorRole::Base);
  define(kStepMarker, RightTriangle, ColorRole::Success);
  markerDefine(Background, kStepLineMarker);
  setMarkerBackgroundColor(t[ColorRole::FocusStrong], kStepLineMarker);
}

QString KernelEditor::breakpointText(uint32_t line) const {
  const std::map<uint32_t, std::string> all = breakpoints();
  const auto found = all.find(line);
  if (found == all.end())
    return {};
  const QString condition = QString::fromStdString(found->second);
  return condition.isEmpty()
             ? tr("Breakpoint: F9 or a click removes it")
             : tr("Breakpoint where %1: F9 or a click removes it")
                   .arg(QStringLiteral("<code>%1</code>").arg(condition.toHtmlEscaped()));
}

void KernelEditor::setBreakpoints(const std::map<uint32_t, std::string> &breakpoints) {
  m_breakpoints.set(breakpoints);
  Q_EMIT breakpointsChanged();
}

void KernelEditor::toggleBreakpoint(uint32_t line) {
  if (!m_breakpoints.remove(line))
    m_breakpoints.put(line, {});
  Q_EMIT breakpointsChanged();
}

void KernelEditor::setCondition(uint32_t line, const std::string &condition) {
  m_breakpoints.put(line, condition);
  Q_EMIT breakpointsChanged();
}

void KernelEditor::setStepLine(std::optional<uint32_t> line) {
  // What was looked at elsewhere must not cover where the program is.
  if (line && line != stepLine())
    m_hover->hide();
  std::set<int> lines;
  if (line)
    lines.insert(static_cast<int>(*line));
  const std::optional<uint32_t> before = stepLine();
  setMarker(*this, kStepMarker, lines);
  setMarker(*this, kStepLineMarker, lines);
  if (before == line)
    return;
  const std::map<uint32_t, std::string> all = breakpoints();
  for (const std::optional<uint32_t> each : {before, line})
    if (const auto found = each ? all.find(*each) : all.end(); found != all.end())
      m_breakpoints.put(found->first, found->second);
}

std::optional<uint32_t> KernelEditor::stepLine() const {
  const int line = markerFindNext(0, 1U << kStepMarker);
  return line >= 0 ? std::optional(static_cast<uint32_t>(line)) : std::nullopt;
}

void KernelEditor::revealLine(uint32_t line) {
  send(SCI_ENSUREVISIBLE, line);
  const long row = send(SCI_VISIBLEFROMDOCLINE, line);
  const long top = send(SCI_GETFIRSTVISIBLELINE), rows = send(SCI_LINESONSCREEN);
  if (row < top || row >= top + rows)
    send(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, row - rows / 3)));
  const long first = send(SCI_GETLINEINDENTPOSITION, line);
  if (send(SCI_POINTXFROMPOSITION, 0, first) < textLeft())
    send(SCI_SETXOFFSET, 0);
}

} // namespace tilescope::views
