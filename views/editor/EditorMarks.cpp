// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What the KernelEditor shows on top of the text: squiggles, messages, hints, focus.
#include "views/common/Theme.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/KernelEditor.h"

#include <QPainter>

#include <map>

namespace tilescope::views {

using compiler::Diagnostic;
using compiler::Severity;

void KernelEditor::setDiagnostics(std::vector<Diagnostic> diagnostics) {
  m_diagnostics = std::move(diagnostics);
  const long length = send(SCI_GETLENGTH);
  for (int indicator : {kErrorIndicator, kWarningIndicator, kNoteIndicator}) {
    send(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
    send(SCI_INDICATORCLEARRANGE, 0, length);
  }
  markerDeleteAll(kErrorMarker);
  markerDeleteAll(kWarningMarker);
  for (const Diagnostic &diagnostic : m_diagnostics) {
    if (diagnostic.range.file != 0)
      continue;
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
    send(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
    send(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), end - begin);
    if (diagnostic.severity != Severity::Note)
      markerAdd(static_cast<int>(diagnostic.range.begin.line),
                diagnostic.severity == Severity::Error ? kErrorMarker : kWarningMarker);
  }
  viewport()->update();
}

void KernelEditor::setValues(std::vector<compiler::ValueFacts> values) {
  m_values = std::move(values);
  viewport()->update();
}

void KernelEditor::setHintsVisible(bool visible) {
  m_hintsVisible = visible;
  viewport()->update();
}

void KernelEditor::setTintedLines(const std::vector<int32_t> &lines) {
  for (int i = 0; i < kNumTintMarkers; ++i)
    markerDeleteAll(kFirstTintMarker + i);
  for (int32_t line : lines)
    if (line >= 0)
      markerAdd(line, kFirstTintMarker + line % kNumTintMarkers);
}

void KernelEditor::setFocusRanges(const std::vector<SourceRange> &ranges) {
  send(SCI_SETINDICATORCURRENT, kFocusIndicator);
  send(SCI_INDICATORCLEARRANGE, 0, send(SCI_GETLENGTH));
  markerDeleteAll(kFocusLineMarker);
  for (const SourceRange &range : ranges) {
    if (range.file != 0)
      continue;
    const long begin = byteOffset(range.begin);
    const long end = byteOffset(range.end);
    if (end > begin)
      send(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), end - begin);
    markerAdd(static_cast<int>(range.begin.line), kFocusLineMarker);
  }
}

QString hintText(const std::vector<compiler::ValueFacts> &values, uint32_t line) {
  QStringList types;
  for (const compiler::ValueFacts &value : values) {
    if (!value.isDefinition || value.range.file != 0 || value.range.begin.line != line)
      continue;
    QString type = QString::fromStdString(value.type);
    if (type.startsWith(QStringLiteral("tensor<"))) {
      type.remove(0, 7);
      const qsizetype close = type.lastIndexOf(u'>');
      if (close >= 0)
        type.remove(close, 1);
    }
    if (!types.contains(type))
      types << type;
  }
  return types.join(QStringLiteral(", "));
}

void KernelEditor::paintEvent(QPaintEvent *event) {
  QsciScintilla::paintEvent(event);
  std::map<uint32_t, const Diagnostic *> worst;
  for (const Diagnostic &diagnostic : m_diagnostics) {
    if (diagnostic.range.file != 0 || diagnostic.severity == Severity::Note)
      continue;
    const Diagnostic *&known = worst[diagnostic.range.begin.line];
    if (!known || diagnostic.severity > known->severity)
      known = &diagnostic;
  }
  QPainter painter(viewport());
  QFont font = codeFont();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  painter.setFont(font);
  const int height = static_cast<int>(send(SCI_TEXTHEIGHT, 0));
  const long first = send(SCI_GETFIRSTVISIBLELINE);
  const long numShown = send(SCI_LINESONSCREEN) + 1;
  for (long row = first; row <= first + numShown; ++row) {
    const long line = send(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(row));
    if (line >= send(SCI_GETLINECOUNT))
      break;
    auto diagnostic = worst.find(static_cast<uint32_t>(line));
    const QString hint = m_hintsVisible && diagnostic == worst.end()
                             ? hintText(m_values, static_cast<uint32_t>(line))
                             : QString();
    if (diagnostic == worst.end() && hint.isEmpty())
      continue;
    const long end = send(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(line));
    const int x = static_cast<int>(send(SCI_POINTXFROMPOSITION, 0, end));
    const int y = static_cast<int>(send(SCI_POINTYFROMPOSITION, 0, end));
    const int left = x + painter.fontMetrics().horizontalAdvance(u'0') * 2;
    const QRect rect(left, y, viewport()->width() - left - 6, height);
    if (rect.width() < 24 || !event->rect().intersects(rect))
      continue;
    const QString text =
        diagnostic != worst.end() ? QString::fromStdString(diagnostic->second->message) : hint;
    const ColorRole role = diagnostic == worst.end()                         ? ColorRole::TextFaint
                           : diagnostic->second->severity == Severity::Error ? ColorRole::Error
                                                                             : ColorRole::Warning;
    painter.setPen(theme()[role]);
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
  }
}

} // namespace tilescope::views
