// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/lesson/GoalList.h"

#include "views/common/Theme.h"

#include <QEvent>
#include <QFocusEvent>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace tilescope::views {

using State = ShownGoal::State;

/// A mark and what a screen reader says for it.
static std::pair<QString, QString> markOf(State state) {
  switch (state) {
  case State::Met:
    return {QStringLiteral("✓"), GoalList::tr("met")};
  case State::NotMet:
    return {QStringLiteral("○"), GoalList::tr("not met")};
  case State::Unknown:
    return {QStringLiteral("?"), GoalList::tr("cannot be checked here")};
  case State::Open:
    break;
  }
  return {QStringLiteral("…"), GoalList::tr("not checked yet")};
}

static ColorRole roleOf(State state) {
  return state == State::Met      ? ColorRole::Success
         : state == State::NotMet ? ColorRole::Text
                                  : ColorRole::TextMuted;
}

namespace {
/// Lines are broken within the padding that the theme gives rows; heights are asked for without it.
class GoalDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    constexpr int kPaddingPx = 5;
    QStyleOptionViewItem padded = option;
    padded.rect.adjust(0, 0, -2 * kPaddingPx, 0);
    return QStyledItemDelegate::sizeHint(padded, index);
  }
};
} // namespace

GoalList::GoalList(QWidget *parent) : QListWidget(parent) {
  setItemDelegate(new GoalDelegate(this));
  setAccessibleName(tr("Goals"));
  setWordWrap(true);
  setTextElideMode(Qt::ElideNone);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::NoFrame);
  setUniformItemSizes(false);
  setResizeMode(QListView::Adjust);
}

void GoalList::setGoals(const std::vector<ShownGoal> &goals) {
  if (goals == m_goals)
    return;
  m_goals = goals;
  fill();
}

void GoalList::fill() {
  // Where the text above and the words below begin, with the padding that rows have.
  constexpr int kInsetPx = 10, kOfRowPx = 7;
  setViewportMargins(std::max(0, scaledPx(kInsetPx) - kOfRowPx), 0, 0, 0);
  const int row = currentRow();
  clear();
  for (const ShownGoal &goal : m_goals) {
    const auto [mark, words] = markOf(goal.state);
    QString text = mark + QStringLiteral("  ") + QString(goal.text).remove(u'`');
    // What shows that a goal is met is in its tool tip: the others are what is to be done.
    if (!goal.evidence.isEmpty() && goal.state != ShownGoal::State::Met)
      text += u'\n' + QString(goal.evidence).remove(u'`');
    auto *item = new QListWidgetItem(text, this);
    item->setForeground(theme()[goal.isOfBefore ? ColorRole::TextMuted : roleOf(goal.state)]);
    item->setData(Qt::AccessibleTextRole,
                  tr("%1: %2. %3")
                      .arg(goal.isOfBefore ? tr("%1 before the last edit").arg(words) : words,
                           goal.text, goal.evidence));
    item->setToolTip((goal.isOfBefore ? tr("Before the last edit: ") : QString()) + goal.evidence +
                     (goal.hasPlace ? tr("\nEnter or a double-click goes there") : QString()));
  }
  if (row >= 0 && row < count())
    setCurrentRow(row,
                  hasFocus() ? QItemSelectionModel::ClearAndSelect : QItemSelectionModel::NoUpdate);
  // Lines are broken anew for the new texts before anyone asks how high they are.
  doItemsLayout();
  updateGeometry();
}

int GoalList::heightOfRows() const {
  int height = 2 * frameWidth() + scaledPx(4);
  for (int row = 0; row < count(); ++row)
    height += std::max(sizeHintForRow(row), visualItemRect(item(row)).height());
  return height;
}

QSize GoalList::sizeHint() const { return {scaledPx(240), heightOfRows()}; }

QSize GoalList::minimumSizeHint() const {
  return {scaledPx(120), std::min(heightOfRows(), fontMetrics().lineSpacing() * 3)};
}

void GoalList::changeEvent(QEvent *event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    fill();
}

void GoalList::resizeEvent(QResizeEvent *event) {
  QListWidget::resizeEvent(event);
  updateGeometry();
}

/// The row that keys act on is marked while they do, and only then.
void GoalList::focusInEvent(QFocusEvent *event) {
  QListWidget::focusInEvent(event);
  if (currentRow() < 0 && count() > 0)
    setCurrentRow(0);
  else if (currentItem())
    currentItem()->setSelected(true);
}

void GoalList::focusOutEvent(QFocusEvent *event) {
  QListWidget::focusOutEvent(event);
  clearSelection();
}

} // namespace tilescope::views
