// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/NoticeBar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilescope::app {

NoticeBar::NoticeBar(QWidget *parent)
    : QWidget(parent), m_text(new QLabel(this)), m_buttons(new QHBoxLayout) {
  setProperty("bar", true);
  setAttribute(Qt::WA_StyledBackground);
  m_text->setWordWrap(true);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  // Below each other: an editor may be narrow.
  auto *rows = new QVBoxLayout(this);
  rows->setContentsMargins(10, 4, 10, 4);
  rows->addWidget(m_text);
  rows->addLayout(m_buttons);
  m_buttons->addStretch(1);
  hide();
}

void NoticeBar::present(const QString &text, std::vector<Choice> choices) {
  for (QPushButton *old : findChildren<QPushButton *>()) {
    old->hide();
    // Later: it may be the one that was pressed.
    old->setParent(nullptr);
    old->deleteLater();
  }
  m_text->setText(text);
  for (Choice &choice : choices) {
    auto *button = new QPushButton(choice.label, this);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    connect(button, &QPushButton::clicked, this, [this, choice = std::move(choice)] {
      // What is done next may show another notice.
      if (choice.closes)
        hide();
      if (choice.take)
        choice.take();
      if (choice.closes)
        Q_EMIT answered();
    });
  }
  show();
}

QString NoticeBar::text() const { return isHidden() ? QString() : m_text->text(); }

} // namespace tilescope::app
