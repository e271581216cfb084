// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where matrices are that movements cut out of another tensor.
#include "compiler/model/emit/StridedMatrix.h"

#include "compiler/model/canonical/TensorOps.h"

#include "mlir/IR/MLIRContext.h"

#include <catch2/catch.hpp>

namespace tilescope::model {

using namespace mlir;

namespace {
/// Movements of one tensor.
class Movements {
public:
  explicit Movements(ArrayRef<int64_t> shape) : m_builder(&m_context) {
    m_context.loadDialect<tm::TMDialect>();
    m_body = ModuleOp::create(UnknownLoc::get(&m_context));
    m_builder.setInsertionPointToStart(m_body->getBody());
    const auto type = RankedTensorType::get(shape, m_builder.getF16Type());
    tensor = tm::WeightOp::create(m_builder, m_builder.getUnknownLoc(), type, "x", "", 0);
  }
  TensorOps ops() { return {m_builder, m_builder.getUnknownLoc()}; }

  /// From the matrices to the tensor.
  std::optional<StridedMatrix> walk(Value matrices) const {
    MatrixWalk walk(TensorOps::shapeOf(matrices));
    for (Value value = matrices; value != tensor; value = value.getDefiningOp()->getOperand(0))
      if (!walk.goThrough(value.getDefiningOp()))
        return std::nullopt;
    return walk.matrix();
  }

  Value tensor;

private:
  MLIRContext m_context;
  OpBuilder m_builder;
  OwningOpRef<ModuleOp> m_body;
};
} // namespace

static void check(const std::optional<StridedMatrix> &found, const IndexMap &batches, int64_t row,
                  int64_t column) {
  REQUIRE(found);
  CHECK(found->batches.extents == batches.extents);
  CHECK(found->batches.strides == batches.strides);
  CHECK(found->batches.offset == batches.offset);
  CHECK(found->row == row);
  CHECK(found->column == column);
}

TEST_CASE("heads that are cut out of rows are read where the rows are", "[model]") {
  Movements x({2, 128, 2304});
  TensorOps ops = x.ops();
  const auto heads = [&](int64_t begin) {
    const Value rows = ops.slice(x.tensor, 2, begin, 768);
    return ops.transpose(ops.reshape(rows, {2, 128, 12, 64}), {0, 2, 1, 3});
  };
  check(x.walk(heads(0)), {{2, 12}, {294912, 64}, 0}, 2304, 1);
  check(x.walk(heads(768)), {{2, 12}, {294912, 64}, 768}, 2304, 1);
  // Turned, so that rows follow each other.
  check(x.walk(ops.transpose(heads(1536), {0, 1, 3, 2})), {{2, 12}, {294912, 64}, 1536}, 1, 2304);
}

TEST_CASE("an axis that was split before a slice is joined again", "[model]") {
  Movements x({2, 128, 2304});
  TensorOps ops = x.ops();
  const Value parts = ops.transpose(ops.reshape(x.tensor, {2, 128, 3, 12, 64}), {2, 0, 3, 1, 4});
  const Value second = ops.reshape(ops.slice(parts, 0, 1, 1), {24, 128, 64});
  check(x.walk(second), {{2, 12}, {294912, 64}, 768}, 2304, 1);
}

TEST_CASE("rows of one tensor behind each other are cut after all", "[model]") {
  Movements x({6, 8, 4});
  TensorOps ops = x.ops();
  // Once the first axis has lost its begin, only the place of each element is known.
  const Value cut = ops.reshape(ops.slice(x.tensor, 0, 2, 4), {4, 2, 4, 4});
  check(x.walk(cut), {{4, 2}, {32, 16}, 64}, 4, 1);
  const Value again = ops.slice(ops.reshape(ops.slice(x.tensor, 0, 2, 4), {32, 4}), 0, 8, 8);
  check(x.walk(again), {{}, {}, 96}, 4, 1);
}

TEST_CASE("a row with two strides is not a matrix", "[model]") {
  Movements x({4, 6, 8});
  TensorOps ops = x.ops();
  CHECK_FALSE(x.walk(ops.reshape(ops.transpose(x.tensor, {1, 0, 2}), {24, 8})));
  CHECK(x.walk(ops.reshape(x.tensor, {24, 8})));
}

} // namespace tilescope::model
