// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/step/StepTable.h"

#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/step/StepModel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>

#include <algorithm>

namespace tilescope::views {

namespace {
/// Changed values are bold in the accent's color; what is not a variable is muted.
class ValueDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isFault = index.data(StepModel::FaultRole).toBool();
    const bool isChanged =
        index.column() == StepModel::Value && index.data(StepModel::ChangedRole).toBool();
    const bool isMuted =
        index.column() > StepModel::Value || index.data(StepModel::UnnamedRole).toBool();
    const ColorRole role = isFault     ? ColorRole::Error
                           : isChanged ? ColorRole::Accent
                           : isMuted   ? ColorRole::TextMuted
                                       : ColorRole::Text;
    option->palette.setColor(QPalette::Text, theme()[role]);
    if (!option->state.testFlag(QStyle::State_Selected) || isFault || isChanged)
      option->palette.setColor(QPalette::HighlightedText, theme()[role]);
    option->font.setBold(isChanged);
    option->font.setItalic(index.data(StepModel::WatchRole).toBool() &&
                           index.column() == StepModel::Name);
  }
};
} // namespace

StepTable::StepTable(QWidget *parent) : QTableView(parent) {
  setProperty("code", true);
  setItemDelegate(new ValueDelegate(this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  verticalHeader()->hide();
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setHighlightSections(false);
  fitRowsToFont(this);
}

/// Values have the room that names and types leave.
void StepTable::setModel(QAbstractItemModel *model) {
  QTableView::setModel(model);
  QHeaderView *header = horizontalHeader();
  header->setSectionResizeMode(StepModel::Value, QHeaderView::Stretch);
  connect(model, &QAbstractItemModel::modelReset, this, &StepTable::fitNames);
  fitNames();
  header->resizeSection(StepModel::Ssa, 14 * fontMetrics().horizontalAdvance(u'0'));
}

void StepTable::fitNames() {
  const int least = 14 * fontMetrics().horizontalAdvance(u'0');
  horizontalHeader()->resizeSection(StepModel::Name,
                                    std::clamp(sizeHintForColumn(StepModel::Name), least,
                                               std::max(least, viewport()->width() / 3)));
  // Where a buffer is stands at the end of its type.
  horizontalHeader()->resizeSection(StepModel::Type,
                                    std::clamp(sizeHintForColumn(StepModel::Type), least,
                                               std::max(least, viewport()->width() / 4)));
}

/// What a value is comes before what the IR calls it.
void StepTable::resizeEvent(QResizeEvent *event) {
  QTableView::resizeEvent(event);
  fitNames();
  constexpr int kLeastColumns = 72;
  setColumnHidden(StepModel::Ssa,
                  viewport()->width() < kLeastColumns * fontMetrics().horizontalAdvance(u'0'));
}

void StepTable::keyPressEvent(QKeyEvent *event) {
  const bool isWatch = currentIndex().data(StepModel::WatchRole).toBool();
  if (isWatch && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace))
    Q_EMIT removeRequested(currentIndex().row());
  else if (isWatch && event->key() == Qt::Key_F2)
    Q_EMIT editRequested(currentIndex().row());
  else
    QTableView::keyPressEvent(event);
}

} // namespace tilescope::views
