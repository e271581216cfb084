// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/KeptPlace.h"

#include <QApplication>
#include <QCursor>
#include <QScrollArea>
#include <QScrollBar>

namespace tilescope::views {

/// What scrolls the widget; null: nothing.
static QScrollArea *scrollAreaOf(const QWidget &content) {
  for (QWidget *each = content.parentWidget(); each && !each->isWindow();
       each = each->parentWidget())
    if (auto *area = qobject_cast<QScrollArea *>(each))
      return area;
  return nullptr;
}

KeptPlace::KeptPlace(const QWidget &content) : m_scroll(scrollAreaOf(content)) {
  if (!m_scroll)
    return;
  const QPoint pointer = QCursor::pos();
  const QWidget &viewport = *m_scroll->viewport();
  if (viewport.rect().contains(viewport.mapFromGlobal(pointer)))
    m_kept = content.childAt(content.mapFromGlobal(pointer));
  if (QWidget *focus = QApplication::focusWidget(); content.isAncestorOf(focus))
    m_focus = focus;
  if (!m_kept)
    m_kept = m_focus;
  m_yPx = heightInView();
}

int KeptPlace::heightInView() const {
  return m_kept && m_scroll ? m_kept->mapTo(m_scroll, QPoint()).y() : 0;
}

void KeptPlace::restore() const {
  if (!m_scroll)
    return;
  QScrollBar *bar = m_scroll->verticalScrollBar();
  if (m_kept && m_scroll->isAncestorOf(m_kept))
    bar->setValue(bar->value() + heightInView() - m_yPx);
  if (m_focus && m_focus == QApplication::focusWidget() && m_scroll->isAncestorOf(m_focus))
    m_scroll->ensureWidgetVisible(m_focus);
}

} // namespace tilescope::views
