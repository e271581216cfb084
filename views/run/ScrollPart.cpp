// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/ScrollPart.h"

#include <QApplication>
#include <QScrollArea>
#include <QVBoxLayout>

namespace tilescope::views {

ScrollPart::ScrollPart(QWidget *content, QWidget *parent)
    : QWidget(parent), m_content(content), m_scroll(new QScrollArea(this)) {
  m_scroll->setWidgetResizable(true);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  m_scroll->setWidget(m_content);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_scroll);
  // Qt scrolls only to what Tab goes to.
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
    if (now && m_scroll->widget() && m_content->isAncestorOf(now))
      m_scroll->ensureWidgetVisible(now);
  });
}

void ScrollPart::setScrolling(bool scrolling) {
  if (scrolling == (m_scroll->widget() != nullptr))
    return;
  if (scrolling) {
    layout()->removeWidget(m_content);
    m_scroll->setWidget(m_content);
  } else {
    layout()->addWidget(m_scroll->takeWidget());
  }
  m_scroll->setVisible(scrolling);
  m_content->show();
}

} // namespace tilescope::views
