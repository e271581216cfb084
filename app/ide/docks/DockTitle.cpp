// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/DockTitle.h"

#include "views/common/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QToolButton>

namespace tilescope::app {

DockTitle::DockTitle(QDockWidget *dock)
    : QWidget(dock), m_dock(dock), m_name(new QLabel(dock->windowTitle(), this)) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  m_name->setProperty("title", true);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 3, 4, 0);
  layout->setSpacing(0);
  layout->addWidget(m_name, 1);
  auto addButton = [&](const QString &icon, const QString &tip) {
    auto *button = new QToolButton(this);
    button->setIcon(views::themedIcon(icon, views::ColorRole::TextFaint));
    button->setProperty("small", true);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(button);
    return button;
  };
  connect(dock, &QDockWidget::visibilityChanged, this, &DockTitle::showName);
  connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::showName);
  connect(dock, &QDockWidget::dockLocationChanged, this, &DockTitle::showName);
  connect(dock, &QDockWidget::windowTitleChanged, this, &DockTitle::showName);
  connect(addButton(QStringLiteral("maximize"), tr("Maximize or restore (Ctrl+M)")),
          &QToolButton::clicked, this, &DockTitle::maximizeRequested);
  connect(addButton(QStringLiteral("float"), tr("Float, or dock again")), &QToolButton::clicked,
          this, &DockTitle::floatRequested);
  connect(addButton(QStringLiteral("close"), tr("Close (Ctrl+Shift+W)")), &QToolButton::clicked,
          dock, &QWidget::close);
}

void DockTitle::showName() {
  const auto *window = qobject_cast<QMainWindow *>(m_dock->parentWidget());
  const QList<QDockWidget *> beside = window && !m_dock->isFloating()
                                          ? window->tabifiedDockWidgets(m_dock)
                                          : QList<QDockWidget *>();
  const bool tabbed = std::any_of(beside.begin(), beside.end(),
                                  [](const QDockWidget *other) { return !other->isHidden(); });
  m_name->setText(tabbed ? QString() : m_dock->windowTitle());
  if (property("floating").toBool() != m_dock->isFloating())
    views::setStyleProperty(this, "floating", m_dock->isFloating());
}

void DockTitle::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  showName();
}

void DockTitle::mouseDoubleClickEvent(QMouseEvent *) { Q_EMIT maximizeRequested(); }

} // namespace tilescope::app
