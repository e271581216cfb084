// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/TensorModel.h"

#include <cmath>

namespace tilescope::views {

static constexpr int64_t kWrap = 16;

std::pair<int64_t, int64_t> tableShape(const profiler::Tensor &tensor) {
  const int64_t count = tensor.numElements();
  if (tensor.shape.size() > 1 && tensor.shape.back() > 0)
    return {count / tensor.shape.back(), tensor.shape.back()};
  const int64_t columns = std::max<int64_t>(1, std::min(count, kWrap));
  return {(count + columns - 1) / columns, columns};
}

void TensorModel::setTensor(std::shared_ptr<const profiler::Tensor> tensor) {
  beginResetModel();
  m_tensor = std::move(tensor);
  m_rows = m_columns = 0;
  if (m_tensor) {
    const auto [rows, columns] = tableShape(*m_tensor);
    m_rows = static_cast<int>(rows);
    m_columns = static_cast<int>(columns);
    m_wrapped = m_tensor->shape.size() <= 1;
  }
  endResetModel();
}

int TensorModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_rows; }
int TensorModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : m_columns;
}

QModelIndex TensorModel::indexOf(int64_t element) const {
  return m_columns > 0
             ? index(static_cast<int>(element / m_columns), static_cast<int>(element % m_columns))
             : QModelIndex();
}

QVariant TensorModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || !m_tensor)
    return {};
  const int64_t element = static_cast<int64_t>(index.row()) * m_columns + index.column();
  if (element >= m_tensor->numElements())
    return {};
  if (role == Qt::DisplayRole) {
    const double value = m_tensor->at(element);
    return value == std::floor(value) && std::abs(value) < 1e9 ? QString::number(value, 'f', 0)
                                                               : QString::number(value, 'g', 6);
  }
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole)
    return {};
  if (orientation == Qt::Vertical && m_wrapped)
    return section * m_columns;
  return section;
}

} // namespace tilescope::views
