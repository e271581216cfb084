// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/TensorModel.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tilescope::views {

static constexpr int64_t kWrap = 16;

std::pair<int64_t, int64_t> tableShape(const profiler::Tensor &tensor) {
  const int64_t count = tensor.numElements();
  if (tensor.shape.size() > 1 && tensor.shape.back() > 0)
    return {count / tensor.shape.back(), tensor.shape.back()};
  const int64_t columns = std::max<int64_t>(1, std::min(count, kWrap));
  return {(count + columns - 1) / columns, columns};
}

static QString numberText(double value, int digits) {
  return value == std::floor(value) && std::abs(value) < 1e9 ? QString::number(value, 'f', 0)
                                                             : QString::number(value, 'g', digits);
}

QString elementText(const TensorDigest &digest, int64_t element, int digits) {
  if (digest.isUnwritten(element))
    return digest.isMasked ? TensorModel::tr("undefined") : TensorModel::tr("unwritten");
  return numberText(digest.tensor.at(element), digits);
}

QString expectedText(const TensorDigest &digest, int64_t element) {
  return digest.differs(element)
             ? TensorModel::tr("expected %1").arg(numberText(digest.expected->at(element), 8))
             : QString();
}

void TensorModel::setTensor(TensorDigestPointer digest) {
  beginResetModel();
  m_digest = std::move(digest);
  m_rows = m_columns = m_firstRow = m_firstColumn = 0;
  if (m_digest) {
    std::tie(m_rows, m_columns) = tableShape(m_digest->tensor);
    m_wrapped = m_digest->tensor.shape.size() <= 1;
  }
  endResetModel();
}

int TensorModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(std::min<int64_t>(m_rows - m_firstRow, kMaxRows));
}

int TensorModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid()
             ? 0
             : static_cast<int>(std::min<int64_t>(m_columns - m_firstColumn, kMaxColumns));
}

/// Where a window of `size` of `count` begins that has `at` in its middle; as it is when it has it
/// already.
static int64_t windowAround(int64_t at, int64_t count, int64_t size, int64_t begin) {
  if (at >= begin && at < begin + size)
    return begin;
  return std::clamp<int64_t>(at - size / 2, 0, std::max<int64_t>(0, count - size));
}

QModelIndex TensorModel::reveal(int64_t element) {
  if (!m_digest || element < 0 || element >= m_digest->tensor.numElements())
    return {};
  const int64_t row = element / m_columns, column = element % m_columns;
  const int64_t firstRow = windowAround(row, m_rows, kMaxRows, m_firstRow);
  const int64_t firstColumn = windowAround(column, m_columns, kMaxColumns, m_firstColumn);
  if (firstRow != m_firstRow || firstColumn != m_firstColumn) {
    beginResetModel();
    m_firstRow = firstRow;
    m_firstColumn = firstColumn;
    endResetModel();
  }
  return index(static_cast<int>(row - m_firstRow), static_cast<int>(column - m_firstColumn));
}

QVariant TensorModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || !m_digest)
    return {};
  const int64_t element = (m_firstRow + index.row()) * m_columns + m_firstColumn + index.column();
  if (element >= m_digest->tensor.numElements())
    return {};
  if (role == Qt::DisplayRole)
    return elementText(*m_digest, element, 6);
  if (role == DiffersRole)
    return m_digest->differs(element);
  if (role == Qt::ToolTipRole)
    return expectedText(*m_digest, element);
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

/// Of a tensor with more than two axes: the index of a row in all of them but the last, `2, 5`.
static QString rowIndexText(const std::vector<int64_t> &shape, int64_t row) {
  QStringList index;
  for (size_t axis = shape.size() - 1; axis-- > 0; row /= shape[axis])
    index.prepend(QString::number(row % shape[axis]));
  return index.join(QStringLiteral(", "));
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole)
    return {};
  if (orientation == Qt::Horizontal)
    return static_cast<qlonglong>(m_firstColumn + section);
  if (m_digest && m_digest->tensor.shape.size() > 2)
    return rowIndexText(m_digest->tensor.shape, m_firstRow + section);
  return static_cast<qlonglong>((m_firstRow + section) * (m_wrapped ? m_columns : 1));
}

} // namespace tilescope::views
