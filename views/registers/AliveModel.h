// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/registers/RegistersContent.h"

#include <QAbstractTableModel>

namespace tilescope::views {

/// The values that are alive at an instruction, by the line of the source that they were written
/// for, the largest group first.
class AliveModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Line, Name, Registers, Which, kNumColumns };
  using QAbstractTableModel::QAbstractTableModel;

  /// Null empties it.
  void setStep(RegistersContentPointer content, compiler::StageId stage, size_t step);
  const compiler::machine::AliveGroup &group(int row) const {
    return m_groups[static_cast<size_t>(row)];
  }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString text(const compiler::machine::AliveGroup &group, Column column) const;

  RegistersContentPointer m_content;
  compiler::StageId m_stage{};
  std::vector<compiler::machine::AliveGroup> m_groups;
};

} // namespace tilescope::views
