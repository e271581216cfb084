// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StartPage.h"

#include "views/common/Theme.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace tilescope::app {

/// What a section's words have at least.
static constexpr int kWordsPx = 200;

StartPage::StartPage(QWidget *place) : QWidget(place) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  auto *title = new QLabel(tr("No file is open"), this);
  title->setProperty("title", true);
  auto *words = new QLabel(tr("Open a kernel to see what it compiles to."), this);
  words->setProperty("muted", true);
  words->setWordWrap(true);
  auto *content = new QWidget;
  content->setProperty("panel", true);
  m_sections = new QWidget(content);
  auto *column = new QVBoxLayout(content);
  column->setContentsMargins(24, 24, 8, 24);
  column->setSpacing(8);
  column->addStretch(2);
  column->addWidget(title);
  column->addWidget(words);
  column->addWidget(m_sections);
  column->addStretch(3);
  m_scroll = new QScrollArea(this);
  m_scroll->setWidget(content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_scroll);
  place->installEventFilter(this);
  setGeometry(place->rect());
}

StartPage::Entry StartPage::entryOf(QAction *action) {
  return {action->text(), action->shortcut().toString(QKeySequence::NativeText),
          [action] { action->trigger(); }};
}

QWidget *StartPage::createSection(const Section &section) {
  auto *part = new QWidget(m_sections);
  auto *grid = new QGridLayout(part);
  grid->setContentsMargins(0, 12, 12, 0);
  grid->setVerticalSpacing(2);
  auto *title = new QLabel(section.title, part);
  title->setProperty("title", true);
  grid->addWidget(title, 0, 0, 1, 2);
  int row = 1;
  if (!section.words.isEmpty()) {
    auto *words = new QLabel(section.words, part);
    words->setProperty("muted", true);
    words->setWordWrap(true);
    words->setMinimumWidth(views::scaledPx(kWordsPx));
    grid->addWidget(words, row++, 0, 1, 2);
  }
  for (const Entry &entry : section.entries) {
    auto *button = new QPushButton(entry.name, part);
    button->setProperty("link", true);
    connect(button, &QPushButton::clicked, this, entry.run);
    auto *beside = new QLabel(entry.beside, part);
    beside->setProperty("faint", true);
    grid->addWidget(button, row, 0, Qt::AlignLeft);
    grid->addWidget(beside, row, 1);
    ++row;
  }
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(row, 1);
  return part;
}

void StartPage::setSections(const std::vector<Section> &sections) {
  QWidget *old = m_sections;
  QLayout *column = old->parentWidget()->layout();
  m_sections = new QWidget(old->parentWidget());
  m_grid = new QGridLayout(m_sections);
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setColumnStretch(2, 1);
  m_parts.clear();
  for (const Section &section : sections)
    m_parts.push_back(createSection(section));
  arrange();
  delete column->replaceWidget(old, m_sections);
  // A command of the old page may be the one that is being carried out.
  old->hide();
  old->deleteLater();
}

void StartPage::arrange() {
  int besides = 0;
  for (size_t i = 1; i < m_parts.size(); ++i)
    besides = std::max(besides, m_parts[i]->minimumSizeHint().width());
  const QMargins margins = m_scroll->widget()->layout()->contentsMargins();
  const int room = width() - m_scroll->verticalScrollBar()->sizeHint().width() - margins.left() -
                   margins.right() - m_grid->horizontalSpacing();
  const bool isWide =
      !m_parts.empty() && m_parts.front()->minimumSizeHint().width() + besides <= room;
  for (size_t i = 0; i < m_parts.size(); ++i) {
    const int row = static_cast<int>(i);
    // The last one has the left column's height.
    if (!isWide)
      m_grid->addWidget(m_parts[i], row, 0);
    else if (i == 0)
      m_grid->addWidget(m_parts[i], 0, 0, std::max(1, static_cast<int>(m_parts.size()) - 1), 1);
    else
      m_grid->addWidget(m_parts[i], row - 1, 1);
  }
}

void StartPage::takeFocus() {
  if (auto *first = m_sections->findChild<QPushButton *>())
    first->setFocus();
}

bool StartPage::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::Resize) {
    setGeometry(static_cast<QWidget *>(watched)->rect());
    if (m_grid)
      arrange();
  }
  return false;
}

} // namespace tilescope::app
