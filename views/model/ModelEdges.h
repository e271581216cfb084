// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/model/ShownModel.h"

#include <QAbstractTableModel>

namespace tilescope::views {

/// The tensors between nodes of which one is in a kernel, and why each is or is not fused.
class ModelEdges : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Fused, From, To, Bytes, Reason, NumColumns };
  using QAbstractTableModel::QAbstractTableModel;

  /// -1: all edges.
  void setKernel(ShownModelPointer model, int kernel);
  const compiler::ModelEdge &edge(int row) const {
    return m_model->result().edges[m_rows[static_cast<size_t>(row)]];
  }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  static QString fusionText(const compiler::ModelEdge &edge);

  ShownModelPointer m_model;
  std::vector<uint32_t> m_rows;
};

} // namespace tilescope::views
