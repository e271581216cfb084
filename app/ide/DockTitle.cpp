// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/DockTitle.h"

#include "views/common/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QToolButton>

namespace tilescope::app {

DockTitle::DockTitle(QDockWidget *dock) : QWidget(dock) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  auto *label = new QLabel(dock->windowTitle(), this);
  label->setProperty("title", true);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 3, 4, 0);
  layout->setSpacing(0);
  layout->addWidget(label, 1);
  auto addButton = [&](const QString &icon, const QString &tip) {
    auto *button = new QToolButton(this);
    button->setIcon(views::themedIcon(icon, views::ColorRole::TextFaint));
    button->setIconSize(QSize(13, 13));
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(button);
    return button;
  };
  // A dock among tabs has its name on its tab already.
  auto showName = [dock, label] {
    const auto *window = qobject_cast<QMainWindow *>(dock->parentWidget());
    const bool tabbed =
        window && !dock->isFloating() && !window->tabifiedDockWidgets(dock).isEmpty();
    label->setText(tabbed ? QString() : dock->windowTitle());
  };
  connect(dock, &QDockWidget::visibilityChanged, this, showName);
  connect(dock, &QDockWidget::topLevelChanged, this, showName);
  connect(dock, &QDockWidget::dockLocationChanged, this, showName);
  connect(dock, &QDockWidget::windowTitleChanged, this, showName);
  connect(addButton(QStringLiteral("maximize"), tr("Maximize or restore")), &QToolButton::clicked,
          this, &DockTitle::maximizeRequested);
  connect(addButton(QStringLiteral("float"), tr("Make a window of its own, or put it back")),
          &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
  connect(addButton(QStringLiteral("close"), tr("Close")), &QToolButton::clicked, dock,
          &QWidget::close);
}

void DockTitle::mouseDoubleClickEvent(QMouseEvent *) { Q_EMIT maximizeRequested(); }

} // namespace tilescope::app
