// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PassNames.h"

#include <QAbstractTableModel>

#include <memory>

namespace tilescope::views {

/// The passes of a result in the order they ran.
class PassesModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { NameColumn, StageColumn, TimeColumn, NumColumns };
  enum Role { ChangedRole = Qt::UserRole + 1, FailedRole, ShareRole };
  using QAbstractTableModel::QAbstractTableModel;

  void setResult(std::shared_ptr<const compiler::CompileResult> result);
  /// Leaves out passes that changed nothing.
  void setOnlyChanged(bool onlyChanged);

  const compiler::PassRecord &pass(int row) const;
  PassKey key(int row) const;
  /// The nearest pass before this one whose IR was kept, or null.
  const compiler::PassRecord *recordedBefore(int row) const;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  void update();

  std::shared_ptr<const compiler::CompileResult> m_result;
  bool m_onlyChanged = false;
  /// Positions in the result's list.
  std::vector<size_t> m_rows;
  int64_t m_longestNs = 1;
};

} // namespace tilescope::views
