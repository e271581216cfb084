// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QTableView>

namespace tilescope::views {

/// A table of a TensorModel. Its columns share its width evenly, so that none is cut; elements that
/// differ from what is expected have a frame.
class NumberTable : public QTableView {
  Q_OBJECT
public:
  explicit NumberTable(QWidget *parent = nullptr);

  /// Goes to a cell, in the middle of the table where it is out of sight; keys go on from there.
  void goTo(const QModelIndex &cell);

  void setModel(QAbstractItemModel *model) override;

protected:
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  /// As wide as the numbers that are in sight need.
  void fitColumns();
};

} // namespace tilescope::views
