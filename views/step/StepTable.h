// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QTableView>

namespace tilescope::views {

/// A table of a StepModel: what has changed stands out, watch expressions can be removed and
/// edited.
class StepTable : public QTableView {
  Q_OBJECT
public:
  explicit StepTable(QWidget *parent = nullptr);
  void setModel(QAbstractItemModel *model) override;

Q_SIGNALS:
  /// Delete on a watch expression, or F2.
  void removeRequested(int row);
  void editRequested(int row);

protected:
  void keyPressEvent(QKeyEvent *event) override;
  /// Names have the room that they need, up to a part of the table.
  void fitNames();
  void resizeEvent(QResizeEvent *event) override;
};

} // namespace tilescope::views
