// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/DockTitle.h"

#include "app/ide/docks/DockTabs.h"
#include "views/common/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace tilescope::app {

/// A narrower title has no buttons for what keys and menus do as well.
static constexpr int kAllButtonsPx = 260;
static constexpr int kLeastWidth = 40;
static constexpr int kNumButtons = 4, kBeforeHeaderPx = 8, kRightMarginPx = 4;

DockTitle::DockTitle(QDockWidget *dock)
    : QWidget(dock), m_dock(dock), m_row(new QHBoxLayout(this)), m_tabs(new DockTabs(this)),
      m_name(new QLabel(dock->windowTitle(), this)) {
  setProperty("dockTitle", true);
  setAttribute(Qt::WA_StyledBackground);
  m_name->setProperty("title", true);
  m_name->setContentsMargins(10, 0, 4, 0);
  m_tabs->hide();
  m_row->setContentsMargins(0, 0, kRightMarginPx, 0);
  m_row->setSpacing(0);
  m_row->addWidget(m_tabs);
  m_row->addWidget(m_name);
  m_row->addStretch(1);
  m_split = addButton(QStringLiteral("split"), tr("Split right (Ctrl+\\)"));
  m_split->hide();
  QToolButton *maximize = addButton(QStringLiteral("maximize"), tr("Maximize or restore (Ctrl+M)"));
  m_float = addButton(QStringLiteral("float"), tr("Float, or dock again"));
  m_close = addButton(QStringLiteral("close"), tr("Close (Ctrl+Shift+W)"));
  connect(m_split, &QToolButton::clicked, this, &DockTitle::splitRequested);
  connect(maximize, &QToolButton::clicked, this, &DockTitle::maximizeRequested);
  connect(m_float, &QToolButton::clicked, this, &DockTitle::floatRequested);
  connect(m_close, &QToolButton::clicked, dock, &QWidget::close);
  connect(m_tabs, &DockTabs::dockChosen, this, &DockTitle::tabChosen);
  connect(m_tabs, &DockTabs::doubleClicked, this, &DockTitle::maximizeRequested);
}

QToolButton *DockTitle::addButton(const QString &icon, const QString &tip) {
  auto *button = new QToolButton(this);
  button->setIcon(views::themedIcon(icon, views::ColorRole::TextFaint));
  button->setProperty("small", true);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::NoFocus);
  m_row->addWidget(button);
  // The view moves away from under the pointer, which Qt tells the button too late or never.
  connect(button, &QToolButton::clicked, button, [button] {
    button->setAttribute(Qt::WA_UnderMouse, false);
    button->update();
  });
  return button;
}

void DockTitle::setHeader(QWidget *header) {
  m_header = header;
  header->setProperty("bar", false);
  // In place of the empty room behind the name.
  delete m_row->takeAt(2);
  m_row->insertSpacing(2, kBeforeHeaderPx);
  m_row->insertWidget(3, header, 1);
}

void DockTitle::setSplittable(bool isSplittable) {
  m_isSplittable = isSplittable;
  fitButtons();
}

void DockTitle::setBeside(const QList<QDockWidget *> &docks) {
  const bool isTabbed = docks.size() > 1;
  m_name->setText(isTabbed ? QString() : m_dock->windowTitle());
  m_name->setVisible(!isTabbed);
  if (isTabbed)
    m_tabs->setDocks(docks, m_dock);
  m_tabs->setVisible(isTabbed);
  if (property("floating").toBool() != m_dock->isFloating())
    views::setStyleProperty(this, "floating", m_dock->isFloating());
}

QSize DockTitle::minimumSizeHint() const {
  return {kLeastWidth, QWidget::minimumSizeHint().height()};
}

QString DockTitle::name() const { return m_name->text(); }

/// Text that ends where the room does asks for none.
static int wantedWidth(const QWidget &part) {
  return part.sizePolicy().horizontalPolicy() == QSizePolicy::Ignored ? part.minimumWidth()
                                                                      : part.sizeHint().width();
}

int DockTitle::wholeWidth() const {
  int whole = m_tabs->isHidden() ? m_name->sizeHint().width() : m_tabs->minimumSizeHint().width();
  whole += m_header ? wantedWidth(*m_header) + kBeforeHeaderPx : 0;
  return whole + kNumButtons * m_close->sizeHint().width() + kRightMarginPx;
}

void DockTitle::fitButtons() {
  const bool hasRoom = width() >= std::max(views::scaledPx(kAllButtonsPx), wholeWidth());
  m_split->setVisible(m_isSplittable && hasRoom && !m_dock->isFloating());
  m_float->setVisible(hasRoom);
  m_close->setVisible(hasRoom);
}

void DockTitle::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  fitButtons();
}

/// The view's part may need another width now.
bool DockTitle::event(QEvent *event) {
  if (event->type() == QEvent::LayoutRequest)
    fitButtons();
  return QWidget::event(event);
}

void DockTitle::mouseDoubleClickEvent(QMouseEvent *) { Q_EMIT maximizeRequested(); }

} // namespace tilescope::app
