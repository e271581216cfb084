// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/tensor/TensorDigest.h"

#include <QAbstractTableModel>

namespace tilescope::views {

/// A tensor as a table: the last dimension across, all others (row-major) downwards. Tensors of one
/// dimension are wrapped. Of large tensors a window of rows and columns is offered, since views
/// keep something for each; `reveal` moves it.
class TensorModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int kMaxRows = 50'000;
  static constexpr int kMaxColumns = 2'000;
  /// Whether the element differs from what is expected.
  enum Role { DiffersRole = Qt::UserRole + 1 };

  using QAbstractTableModel::QAbstractTableModel;

  void setTensor(TensorDigestPointer digest);
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  /// The place of a flat index, after moving the window there; invalid when there is none.
  QModelIndex reveal(int64_t element);

private:
  TensorDigestPointer m_digest;
  /// Of the whole tensor.
  int64_t m_rows = 0;
  int64_t m_columns = 0;
  /// Of the window.
  int64_t m_firstRow = 0;
  int64_t m_firstColumn = 0;
  bool m_wrapped = false;
};

/// Rows and columns a tensor is shown in.
std::pair<int64_t, int64_t> tableShape(const profiler::Tensor &tensor);
/// An element as it is written in tables and labels, with this many digits.
QString elementText(const TensorDigest &digest, int64_t element, int digits);
/// `expected 3.5`, where the element differs from that; else empty.
QString expectedText(const TensorDigest &digest, int64_t element);

} // namespace tilescope::views
