// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/model/ShownModel.h"

#include <QAbstractItemModel>

namespace tilescope::views {

/// The kernels of a model in the order in which they run, each with its nodes below it; in the end
/// the nodes that are in no kernel.
class ModelTree : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column { Node, Operator, Shape, Type, Kernel, Bytes, Time, NumColumns };
  using QAbstractItemModel::QAbstractItemModel;

  /// Null empties it.
  void setModel(ShownModelPointer model);
  /// Of a kernel's row or one below it; -1: none.
  int kernelAt(const QModelIndex &index) const;
  /// -1: it is a kernel's row.
  int nodeAt(const QModelIndex &index) const;
  QModelIndex indexOfKernel(int kernel) const;

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &index) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString kernelText(int kernel, int column) const;
  QString nodeText(size_t node, int column) const;
  QString tipOf(const QModelIndex &index) const;

  ShownModelPointer m_model;
};

} // namespace tilescope::views
