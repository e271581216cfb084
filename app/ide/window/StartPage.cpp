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
  auto *scroll = new QScrollArea(this);
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);
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
  auto *grid = new QGridLayout(m_sections);
  grid->setContentsMargins(0, 0, 0, 0);
  for (size_t i = 0; i < sections.size(); ++i) {
    QWidget *part = createSection(sections[i]);
    // The last one has the left column's height.
    if (i == 0)
      grid->addWidget(part, 0, 0, static_cast<int>(std::max<size_t>(1, sections.size() - 1)), 1);
    else
      grid->addWidget(part, static_cast<int>(i) - 1, 1);
  }
  grid->setColumnStretch(2, 1);
  delete column->replaceWidget(old, m_sections);
  // A command of the old page may be the one that is being carried out.
  old->hide();
  old->deleteLater();
}

void StartPage::takeFocus() {
  if (auto *first = m_sections->findChild<QPushButton *>())
    first->setFocus();
}

bool StartPage::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::Resize)
    setGeometry(static_cast<QWidget *>(watched)->rect());
  return false;
}

} // namespace tilescope::app
