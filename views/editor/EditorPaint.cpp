// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How the KernelEditor is colored and painted: a few rows at a time, with the notes behind them.
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"
#include "views/editor/BraceMarks.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/KernelLexer.h"

#include <QPaintEvent>
#include <QPainter>

namespace tilescope::views {

static QFont noteFont() {
  QFont font = codeFont();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  return font;
}

QRect KernelEditor::lineRect(uint32_t line) const {
  const long start = send(SCI_POSITIONFROMLINE, line);
  return {0, static_cast<int>(send(SCI_POINTYFROMPOSITION, 0, start)), viewport()->width(),
          static_cast<int>(send(SCI_TEXTHEIGHT, 0))};
}

QRect KernelEditor::inlineNoteRect(uint32_t line) const {
  const long end = send(SCI_GETLINEENDPOSITION, line);
  const int left = static_cast<int>(send(SCI_POINTXFROMPOSITION, 0, end)) +
                   QFontMetrics(noteFont()).horizontalAdvance(u'0') * 2;
  QRect rect = lineRect(line);
  rect.setLeft(left);
  rect.setRight(viewport()->width() - 7);
  return rect.width() < 24 ? QRect() : rect;
}

int KernelEditor::inlineNoteWidth(const QString &text) {
  return QFontMetrics(noteFont()).horizontalAdvance(text);
}

/// Colors and folds what has changed, which Scintilla would do while it paints.
void KernelEditor::colorText() {
  if (m_plain)
    return;
  const long last =
      send(SCI_DOCLINEFROMVISIBLE,
           static_cast<unsigned long>(send(SCI_GETFIRSTVISIBLELINE) + send(SCI_LINESONSCREEN) + 1));
  const long end = send(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(last));
  const long styled = send(SCI_GETENDSTYLED);
  const auto line =
      static_cast<unsigned long>(send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(styled)));
  if (styled < end)
    m_lexer->styleText(static_cast<int>(send(SCI_POSITIONFROMLINE, line)), static_cast<int>(end));
  // Which brackets belong together depends on their styles.
  markBraces(*this);
}

void KernelEditor::paintEvent(QPaintEvent *event) {
  // The cursor's row is painted first: it is the one that the user looks at while typing.
  const int caret = static_cast<int>(send(SCI_POINTYFROMPOSITION, 0, send(SCI_GETCURRENTPOS)));
  m_slices.paint(event->region(), static_cast<int>(send(SCI_TEXTHEIGHT, 0)), caret,
                 [this](const QRect &part) {
                   QPaintEvent rows(part);
                   QsciScintilla::paintEvent(&rows);
                   paintNotes(part);
                 });
}

void KernelEditor::paintNotes(const QRect &area) {
  if (m_notes.empty())
    return;
  QPainter painter(viewport());
  painter.setFont(noteFont());
  painter.setClipRect(area & viewport()->rect().adjusted(textLeft(), 0, 0, 0));
  const long rowHeight = std::max(1L, send(SCI_TEXTHEIGHT, 0));
  const long top = send(SCI_GETFIRSTVISIBLELINE);
  for (long row = top + area.top() / rowHeight; row <= top + area.bottom() / rowHeight; ++row) {
    const long line = send(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(row));
    const auto note = m_notes.find(static_cast<uint32_t>(line));
    if (note == m_notes.end() || line >= send(SCI_GETLINECOUNT))
      continue;
    const QRect rect = inlineNoteRect(static_cast<uint32_t>(line));
    // A type without its end says another one; the pointer on its line shows it.
    if (rect.isEmpty() || !area.intersects(rect) ||
        (!note->second.isProblem && isNoteCut(static_cast<uint32_t>(line))))
      continue;
    painter.setPen(theme()[note->second.role]);
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(quotedCode(note->second.text), Qt::ElideRight,
                                                      rect.width()));
  }
}

} // namespace tilescope::views
