// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a CodeView does with keys and the mouse.
#include "views/common/CodeView.h"
#include "views/common/QuotedCode.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

namespace tilescope::views {

bool CodeView::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Leave)
    setHovered(-1);
  if (event->type() == QEvent::ToolTip && showTip(static_cast<QHelpEvent *>(event)))
    return true;
  return QAbstractScrollArea::viewportEvent(event);
}

bool CodeView::showTip(QHelpEvent *event) {
  const int x = event->pos().x() - numbersRight();
  const int32_t line = lineAt(event->pos().y());
  if (const auto breakpoint = m_breakpoints.find(line);
      breakpoint != m_breakpoints.end() && event->pos().x() < m_lineHeight) {
    QToolTip::showText(
        event->globalPos(),
        breakpoint->second.empty()
            ? tr("Programs stop here")
            : tr("Programs stop here if %1").arg(QString::fromStdString(breakpoint->second)),
        viewport());
    return true;
  }
  if (m_asideWidth == 0 || line < 0 || x < 0 || x >= m_asideWidth)
    return showWordTip(*event);
  const QString tip = m_aside->tip(line, x, QFontMetricsF(m_font));
  if (tip.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(event->globalPos(), wrappedTip(tip), viewport());
  return true;
}

bool CodeView::showWordTip(const QHelpEvent &event) const {
  const int32_t line = lineAt(event.pos().y());
  if (!m_wordHelp || line < 0 || event.pos().x() < m_gutterWidth)
    return false;
  const QString tip = m_wordHelp(display(m_document.line(line)), placeAt(event.pos()).column);
  if (tip.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(event.globalPos(), wrappedTip(tip), viewport());
  return true;
}

void CodeView::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  const QPoint point = event->position().toPoint();
  const int32_t line = lineAt(point.y());
  if (point.x() < m_gutterWidth && line >= 0 && m_document.foldAt(line)) {
    toggleFold(line);
    return;
  }
  // In front of the numbers.
  if (point.x() < m_lineHeight && line >= 0) {
    Q_EMIT breakpointToggled(line);
    return;
  }
  m_caret = placeAt(point);
  if (!(event->modifiers() & Qt::ShiftModifier))
    m_anchor = m_caret;
  m_selecting = true;
  if (line >= 0)
    activate(line, m_caret.column);
}

void CodeView::mouseMoveEvent(QMouseEvent *event) {
  const QPoint point = event->position().toPoint();
  viewport()->setCursor(point.x() < m_gutterWidth ? Qt::ArrowCursor : Qt::IBeamCursor);
  if (m_selecting) {
    m_caret = placeAt(point);
    viewport()->update();
    return;
  }
  setHovered(lineAt(point.y()));
}

void CodeView::mouseReleaseEvent(QMouseEvent *) { m_selecting = false; }

void CodeView::mouseDoubleClickEvent(QMouseEvent *event) {
  const Place place = placeAt(event->position().toPoint());
  const QString text = display(m_document.line(place.line));
  auto isName = [&](int32_t i) {
    const QChar c = text[i];
    return c.isLetterOrNumber() || c == u'_' || c == u'.' || c == u'%' || c == u'$' || c == u'#' ||
           c == u'@';
  };
  int32_t begin = place.column;
  int32_t end = place.column;
  while (begin > 0 && isName(begin - 1))
    --begin;
  while (end < text.size() && isName(end))
    ++end;
  m_anchor = {place.line, begin};
  m_caret = {place.line, end};
  viewport()->update();
}

static bool isEditing(const QKeyEvent &event) {
  const bool isCommand =
      event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  const bool isRemoval = event.key() == Qt::Key_Backspace || event.key() == Qt::Key_Delete;
  return !isCommand && event.key() != Qt::Key_Escape && event.key() != Qt::Key_Tab &&
         (isRemoval || !event.text().isEmpty());
}

void CodeView::keyPressEvent(QKeyEvent *event) {
  if (event == QKeySequence::Copy)
    return copy();
  if (event == QKeySequence::SelectAll)
    return selectAll();
  const auto &rows = m_document.rows();
  if (rows.empty())
    return QAbstractScrollArea::keyPressEvent(event);
  const int row = m_current < 0 ? verticalScrollBar()->value() : m_document.rowOf(m_current);
  int next = row;
  switch (event->key()) {
  case Qt::Key_Up:
    next = row - 1;
    break;
  case Qt::Key_Down:
    next = row + 1;
    break;
  case Qt::Key_PageUp:
    next = row - verticalScrollBar()->pageStep();
    break;
  case Qt::Key_PageDown:
    next = row + verticalScrollBar()->pageStep();
    break;
  case Qt::Key_Home:
    next = 0;
    break;
  case Qt::Key_End:
    next = static_cast<int>(rows.size()) - 1;
    break;
  case Qt::Key_Left:
  case Qt::Key_Right:
    if (m_current >= 0 && m_document.foldAt(m_current) &&
        m_document.isCollapsed(m_current) == (event->key() == Qt::Key_Right)) {
      toggleFold(m_current);
      return;
    }
    horizontalScrollBar()->triggerAction(event->key() == Qt::Key_Left
                                             ? QAbstractSlider::SliderSingleStepSub
                                             : QAbstractSlider::SliderSingleStepAdd);
    return;
  default:
    if (isEditing(*event))
      Q_EMIT typedInto();
    return QAbstractScrollArea::keyPressEvent(event);
  }
  next = std::clamp(next, 0, static_cast<int>(rows.size()) - 1);
  if (!(event->modifiers() & Qt::ShiftModifier))
    m_anchor = {rows[next], 0};
  m_caret = {rows[next], 0};
  const int top = verticalScrollBar()->value();
  const int page = verticalScrollBar()->pageStep();
  if (next < top)
    verticalScrollBar()->setValue(next);
  else if (next >= top + page)
    verticalScrollBar()->setValue(next - page + 1);
  if (event->key() == Qt::Key_Home)
    horizontalScrollBar()->setValue(0);
  else
    showLineBegin(rows[next]);
  activate(rows[next], 0);
}

void CodeView::contextMenuEvent(QContextMenuEvent *event) {
  QMenu menu(this);
  QAction *copyAction = menu.addAction(tr("Copy"), QKeySequence::Copy, this, &CodeView::copy);
  copyAction->setEnabled(m_anchor != m_caret);
  menu.addAction(tr("Select all"), QKeySequence::SelectAll, this, &CodeView::selectAll);
  menu.addSeparator();
  menu.addAction(tr("Fold all"), this, [this] { setAllFolded(true); });
  menu.addAction(tr("Unfold all"), this, [this] { setAllFolded(false); });
  menu.exec(event->globalPos());
}

} // namespace tilescope::views
