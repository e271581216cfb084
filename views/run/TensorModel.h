// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

#include <QAbstractTableModel>

#include <memory>

namespace tilescope::views {

/// A tensor as a table: the last dimension across, all others (row-major) downwards. Tensors of one
/// dimension are wrapped.
class TensorModel : public QAbstractTableModel {
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  void setTensor(std::shared_ptr<const profiler::Tensor> tensor);
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  QModelIndex indexOf(int64_t element) const;

private:
  std::shared_ptr<const profiler::Tensor> m_tensor;
  int m_rows = 0;
  int m_columns = 0;
  bool m_wrapped = false;
};

/// Rows and columns a tensor is shown in.
std::pair<int64_t, int64_t> tableShape(const profiler::Tensor &tensor);

} // namespace tilescope::views
