// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/StridedMatrix.h"

#include "compiler/dialects/tm/ir/Extents.h"

using namespace mlir;

namespace tilescope::model {

MatrixWalk::MatrixWalk(ArrayRef<int64_t> shape) : m_shape(shape.vec()) {
  for (const auto &[axis, extent] : llvm::enumerate(shape)) {
    Axis &added = m_axes.emplace_back();
    if (extent == 1)
      continue;
    added.digits.push_back(m_digits.size());
    Digits &digits = axis + 1 == shape.size()   ? m_column
                     : axis + 2 == shape.size() ? m_row
                                                : m_batch;
    digits.push_back(m_digits.size());
    m_digits.push_back({extent});
  }
}

int64_t MatrixWalk::extentOf(const Digits &digits) const {
  int64_t extent = 1;
  for (const size_t digit : digits)
    extent *= m_digits[digit].extent;
  return extent;
}

/// The digit keeps its upper part; a new one behind it has the lower one.
void MatrixWalk::splitDigit(size_t digit, int64_t lower) {
  const size_t added = m_digits.size();
  m_digits[digit].extent /= lower;
  m_digits.push_back({lower});
  const auto insertBehind = [&](Digits &digits) {
    if (const auto found = llvm::find(digits, digit); found != digits.end())
      digits.insert(found + 1, added);
  };
  for (Digits *digits : {&m_batch, &m_row, &m_column})
    insertBehind(*digits);
  for (Axis &axis : m_axes)
    insertBehind(axis.digits);
}

/// From axes to one row of elements.
void MatrixWalk::flatten(ArrayRef<int64_t> shape) {
  const std::vector<int64_t> strides = rowStrides(shape);
  for (const auto &[axis, stride] : llvm::zip_equal(m_axes, strides)) {
    int64_t step = stride * axis.step;
    for (const size_t digit : llvm::reverse(axis.digits)) {
      m_digits[digit].stride = step;
      step *= m_digits[digit].extent;
    }
    m_offset += axis.begin * stride;
  }
  m_isFlat = true;
}

bool MatrixWalk::reshape(tm::ReshapeOp op) {
  const ArrayRef<int64_t> to = tensorType(op.getOperand()).getShape();
  const auto isWhole = [&](size_t axis) {
    return m_axes[axis].begin == 0 && m_axes[axis].step == 1 &&
           extentOf(m_axes[axis].digits) == m_shape[axis];
  };
  if (!m_isFlat && !llvm::all_of(llvm::seq<size_t>(0, m_axes.size()), isWhole))
    flatten(m_shape);
  if (m_isFlat) {
    m_shape = to.vec();
    return true;
  }
  // All digits as one axis, from whose end each axis of the operand takes its own.
  Axis rest;
  for (const Axis &axis : m_axes)
    rest.digits.insert(rest.digits.end(), axis.digits.begin(), axis.digits.end());
  m_axes = {rest};
  std::vector<Axis> axes(to.size());
  for (size_t axis = to.size(); axis-- > 0;)
    for (int64_t open = to[axis]; open > 1;) {
      Digits &left = m_axes.front().digits;
      if (left.empty())
        return false;
      const size_t digit = left.back();
      const int64_t extent = m_digits[digit].extent;
      if (open % extent != 0) {
        if (extent % open != 0)
          return false;
        splitDigit(digit, open);
        continue;
      }
      axes[axis].digits.insert(axes[axis].digits.begin(), digit);
      left.pop_back();
      open /= extent;
    }
  m_axes = std::move(axes);
  m_shape = to.vec();
  return true;
}

/// Digits of what is repeated are in no axis of the operand any more: their stride is 0.
bool MatrixWalk::expand(tm::ExpandOp op) {
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape();
  if (m_isFlat)
    return false;
  m_axes.erase(m_axes.begin(), m_axes.end() - ptrdiff_t(from.size()));
  for (size_t axis = 0; axis < from.size(); ++axis)
    if (from[axis] == 1)
      m_axes[axis] = {};
  m_shape = from.vec();
  return true;
}

bool MatrixWalk::slice(tm::SliceOp op) {
  if (!op.getBegins())
    return false;
  if (m_isFlat)
    return sliceFlat(op);
  for (const auto &[axis, begin] : llvm::enumerate(op.getBegins()->getValues())) {
    const auto number = tm::numberOf(begin);
    if (!number)
      return false;
    const int64_t step = (*op.getSteps())[axis];
    m_axes[axis].begin = *number + m_axes[axis].begin * step;
    m_axes[axis].step *= step;
  }
  m_shape = tensorType(op.getOperand()).getShape().vec();
  return true;
}

/// Along one axis: digits go within the rows that it cuts, or from one to another one.
bool MatrixWalk::sliceFlat(tm::SliceOp op) {
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape();
  std::optional<size_t> cut;
  for (size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] == m_shape[axis])
      continue;
    if (cut)
      return false;
    cut = axis;
  }
  if (!cut || (*op.getSteps())[*cut] != 1)
    return false;
  const auto begin = tm::numberOf(op.getBegins()->getValues()[*cut]);
  const int64_t inner = llvm::product_of(from.drop_front(*cut + 1));
  const int64_t row = inner * m_shape[*cut];
  if (!begin)
    return false;
  int64_t furthest = m_offset;
  for (Digit &digit : m_digits)
    if (digit.stride % row == 0)
      digit.stride = digit.stride / row * inner * from[*cut];
    else
      furthest += (digit.extent - 1) * digit.stride;
  if (furthest >= row)
    return false;
  m_offset += *begin * inner;
  m_shape = from.vec();
  return true;
}

bool MatrixWalk::goThrough(Operation *movement) {
  if (auto op = dyn_cast<tm::ReshapeOp>(movement))
    return reshape(op);
  if (auto op = dyn_cast<tm::SliceOp>(movement))
    return slice(op);
  if (auto op = dyn_cast<tm::ExpandOp>(movement))
    return expand(op);
  auto op = dyn_cast<tm::TransposeOp>(movement);
  if (!op || m_isFlat)
    return false;
  std::vector<Axis> axes(m_axes.size());
  for (const auto &[axis, from] : llvm::enumerate(op.getOrder()))
    axes[size_t(from)] = m_axes[axis];
  m_axes = std::move(axes);
  m_shape = tensorType(op.getOperand()).getShape().vec();
  return true;
}

/// Of a number of digits; 0 without any.
std::optional<int64_t> MatrixWalk::strideOf(const Digits &digits) const {
  if (digits.empty())
    return 0;
  const int64_t stride = m_digits[digits.back()].stride;
  int64_t next = stride;
  for (const size_t digit : llvm::reverse(digits)) {
    if (m_digits[digit].stride != next)
      return std::nullopt;
    next *= m_digits[digit].extent;
  }
  return stride;
}

std::optional<StridedMatrix> MatrixWalk::matrix() const {
  MatrixWalk end = *this;
  if (!end.m_isFlat)
    end.flatten(m_shape);
  const auto row = end.strideOf(m_row), column = end.strideOf(m_column);
  if (!row || !column)
    return std::nullopt;
  StridedMatrix matrix{{{}, {}, end.m_offset}, *row, *column};
  for (const size_t digit : m_batch) {
    matrix.batches.extents.push_back(m_digits[digit].extent);
    matrix.batches.strides.push_back(end.m_digits[digit].stride);
  }
  return matrix;
}

} // namespace tilescope::model
