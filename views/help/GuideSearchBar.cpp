// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/help/GuideSearchBar.h"

#include "views/common/Theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

/// Places that are listed without scrolling.
static constexpr int kMostRows = 7;

GuideSearchBar::GuideSearchBar(std::function<std::vector<std::vector<GuidePart>>()> pages,
                               std::function<QString(int page)> titleOf, QWidget *parent)
    : QWidget(parent), m_read(std::move(pages)), m_titleOf(std::move(titleOf)),
      m_field(new QLineEdit(this)), m_list(new QListWidget(this)) {
  m_field->setPlaceholderText(tr("Search all pages (Ctrl+F)"));
  m_field->setAccessibleName(tr("Search the guide"));
  m_field->setClearButtonEnabled(true);
  m_field->installEventFilter(this);
  m_list->setAccessibleName(tr("Places found in the guide"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setUniformItemSizes(true);
  m_list->setTextElideMode(Qt::ElideRight);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->hide();
  auto *rows = new QVBoxLayout(this);
  rows->setContentsMargins({});
  rows->addWidget(m_field);
  rows->addWidget(m_list);
  connect(m_field, &QLineEdit::textChanged, this, &GuideSearchBar::search);
  connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row >= 0 && row < static_cast<int>(m_hits.size()))
      Q_EMIT hitChosen(m_hits[static_cast<size_t>(row)]);
  });
}

QStringList GuideSearchBar::words() const { return searchedWords(m_field->text()); }

void GuideSearchBar::open() {
  if (m_pages.empty())
    m_pages = m_read();
  m_field->setFocus(Qt::ShortcutFocusReason);
  m_field->selectAll();
}

void GuideSearchBar::search() {
  if (m_pages.empty())
    m_pages = m_read();
  const QStringList wanted = words();
  m_hits = searchGuide(m_pages, wanted);
  {
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    for (const GuideHit &hit : m_hits)
      m_list->addItem(QStringLiteral("%1: %2").arg(m_titleOf(hit.page), hit.excerpt));
    if (m_hits.empty()) {
      m_list->addItem(tr("No page has “%1”").arg(m_field->text().trimmed()));
      m_list->item(0)->setFlags(Qt::NoItemFlags);
    }
  }
  m_list->setVisible(!wanted.isEmpty());
  fitList();
  Q_EMIT searched();
  if (!m_hits.empty())
    m_list->setCurrentRow(0);
}

/// As high as its rows, up to a few.
void GuideSearchBar::fitList() {
  const int numRows = std::clamp(m_list->count(), 1, kMostRows);
  m_list->setFixedHeight(numRows * std::max(1, m_list->sizeHintForRow(0)) + scaledPx(4));
}

void GuideSearchBar::step(bool isForward) {
  const int count = static_cast<int>(m_hits.size());
  if (count > 0)
    m_list->setCurrentRow((m_list->currentRow() + (isForward ? 1 : count - 1)) % count);
}

bool GuideSearchBar::handleKey(int key) {
  switch (key) {
  case Qt::Key_Down:
  case Qt::Key_Return:
  case Qt::Key_Enter:
    step(true);
    return true;
  case Qt::Key_Up:
    step(false);
    return true;
  case Qt::Key_Escape:
    // An empty field leaves the key to the window, which it closes.
    if (m_field->text().isEmpty())
      return false;
    m_field->clear();
    return true;
  default:
    return false;
  }
}

bool GuideSearchBar::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_field && event->type() == QEvent::KeyPress &&
      handleKey(static_cast<QKeyEvent *>(event)->key()))
    return true;
  return QWidget::eventFilter(watched, event);
}

void GuideSearchBar::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  fitList();
}

} // namespace tilescope::views
