// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of matrices: a tile of the result for each program, the batch in the grid's second axis.
#include "compiler/model/emit/EmittedKernel.h"

using namespace mlir;

namespace tilescope::model {

static constexpr const char *kBody =
    "    rows = tl.program_id(0) // tl.cdiv(N, BLOCK_N) * BLOCK_M + tl.arange(0, BLOCK_M)\n"
    "    columns = tl.program_id(0) % tl.cdiv(N, BLOCK_N) * BLOCK_N + tl.arange(0, BLOCK_N)\n"
    "    batch = tl.program_id(1)\n"
    "    a_row = a_ptr + batch * a_batch + rows[:, None] * K\n"
    "    b_column = b_ptr + batch * b_batch + columns[None, :]\n"
    "    total = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)\n"
    "    for begin in range(0, K, BLOCK_K):\n"
    "        at = begin + tl.arange(0, BLOCK_K)\n"
    "        a = tl.load(a_row + at[None, :], mask=(rows[:, None] < M) & (at[None, :] < K), "
    "other=0.0)\n"
    "        b = tl.load(b_column + at[:, None] * N, mask=(at[:, None] < K) & (columns[None, :] < "
    "N), other=0.0)\n"
    "        total = tl.dot(a, b, total, input_precision=\"ieee\")\n"
    "    result = out_ptr + batch * M * N + rows[:, None] * N + columns[None, :]\n"
    "    tl.store(result, total, mask=(rows[:, None] < M) & (columns[None, :] < N))\n";

/// The product of the extents before the last two.
static int64_t batchOf(ArrayRef<int64_t> shape) {
  int64_t batch = 1;
  for (const int64_t extent : shape.drop_back(2))
    batch *= extent;
  return batch;
}

std::optional<EmittedKernel> emitMatmul(Operation *operation) {
  auto op = dyn_cast<tm::MatmulOp>(operation);
  if (!op)
    return std::nullopt;
  const auto left = cast<RankedTensorType>(op.getLhs().getType());
  const auto right = cast<RankedTensorType>(op.getRhs().getType());
  const auto type = cast<RankedTensorType>(op.getResult().getType());
  const Type element = type.getElementType();
  const bool isKnown = element.isF32() || element.isF16() || element.isBF16();
  if (!isKnown || left.getRank() < 2 || right.getRank() < 2 || type.getNumElements() == 0)
    return std::nullopt;
  const int64_t batch = batchOf(type.getShape());
  // A factor is the same for the whole batch, or has one matrix for each of it.
  for (const RankedTensorType factor : {left, right})
    if (batchOf(factor.getShape()) != 1 && batchOf(factor.getShape()) != batch)
      return std::nullopt;
  const int64_t rows = left.getShape().end()[-2], depth = left.getShape().back();
  const int64_t columns = right.getShape().back();
  const auto stride = [&](RankedTensorType factor, int64_t size) {
    return std::to_string(batchOf(factor.getShape()) == 1 ? 0 : size);
  };
  EmittedKernel kernel;
  kernel.name = "matmul";
  kernel.parameters = {"a_ptr",
                       "b_ptr",
                       "out_ptr",
                       "M",
                       "N",
                       "K",
                       "a_batch",
                       "b_batch",
                       "BLOCK_M: tl.constexpr",
                       "BLOCK_N: tl.constexpr",
                       "BLOCK_K: tl.constexpr"};
  kernel.arguments = {tensorArgument("a_ptr", left.getShape(), element, inputData(element, 0)),
                      tensorArgument("b_ptr", right.getShape(), element, inputData(element, 1)),
                      tensorArgument("out_ptr", type.getShape(), element,
                                     expectedData("a_ptr @ b_ptr", type.getNumElements())),
                      "M = " + std::to_string(rows),
                      "N = " + std::to_string(columns),
                      "K = " + std::to_string(depth),
                      "a_batch = " + stride(left, rows * depth),
                      "b_batch = " + stride(right, depth * columns)};
  kernel.constexprs = {"BLOCK_M = 32", "BLOCK_N = 32", "BLOCK_K = 32"};
  kernel.grid = {"\"cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)\"", std::to_string(batch)};
  kernel.body = kBody;
  return kernel;
}

} // namespace tilescope::model
