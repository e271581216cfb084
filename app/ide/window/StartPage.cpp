// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StartPage.h"

#include "views/palette/CommandPalette.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace tilescope::app {

StartPage::StartPage(const QList<QAction *> &actions, QWidget *place) : QWidget(place) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  auto *title = new QLabel(tr("No file is open"), this);
  title->setProperty("title", true);
  auto *words = new QLabel(tr("Open a kernel to see what it compiles to."), this);
  words->setProperty("muted", true);
  words->setWordWrap(true);
  auto *grid = new QGridLayout;
  grid->setSpacing(8);
  for (QAction *action : actions) {
    auto *button = new QPushButton(views::commandName(*action), this);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    auto *key = new QLabel(action->shortcut().toString(QKeySequence::NativeText), this);
    key->setProperty("faint", true);
    const int row = grid->rowCount();
    grid->addWidget(button, row, 0);
    grid->addWidget(key, row, 1);
  }
  auto *column = new QVBoxLayout;
  column->setSpacing(8);
  column->addStretch(2);
  column->addWidget(title);
  column->addWidget(words);
  column->addLayout(grid);
  column->addStretch(3);
  auto *layout = new QHBoxLayout(this);
  layout->addStretch();
  layout->addLayout(column);
  layout->addStretch();
  place->installEventFilter(this);
  setGeometry(place->rect());
}

bool StartPage::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::Resize)
    setGeometry(static_cast<QWidget *>(watched)->rect());
  return false;
}

} // namespace tilescope::app
