// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/WarpGather.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::ttg {

using compiler::Dim;
using compiler::DimBits;
using compiler::LinearLayout;

/// Each register along the axis is a shuffle for each result: with more of them shared memory is as fast.
static constexpr size_t kMostRegisterBits = 1;

uint32_t WarpGather::laneMask() const {
  uint32_t mask = 0;
  for (const Step &step : lanes)
    mask |= 1u << step.ofPlace;
  return mask;
}

/// Registers that hold copies are one.
static LinearLayout distinct(RankedTensorType type) {
  return toLinearLayout(type).removeZeroBases(Dim::Register);
}

std::optional<WarpGather> planWarpGather(RankedTensorType source, unsigned axis) {
  const LinearLayout layout = distinct(source);
  const Dim along = compiler::tensorDim(int(axis));
  WarpGather plan;
  uint64_t held = 0;
  for (Dim in : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block})
    for (int bit = 0; bit < layout.inBits(in); ++bit) {
      const auto step = uint64_t(layout.basis(in, bit, along));
      if (step == 0)
        continue;
      for (const DimBits &out : layout.outs())
        if (out.dim != along && layout.basis(in, bit, out.dim) != 0)
          return std::nullopt;
      if ((in != Dim::Register && in != Dim::Lane) || !llvm::isPowerOf2_64(step) ||
          (held & step) != 0)
        return std::nullopt;
      held |= step;
      (in == Dim::Lane ? plan.lanes : plan.registers).push_back({int(llvm::Log2_64(step)), bit});
    }
  if (plan.registers.size() > kMostRegisterBits)
    return std::nullopt;
  return plan;
}

std::optional<WarpGather> planWarpGather(tt::GatherOp op) {
  const auto source = cast<RankedTensorType>(op.getSrc().getType());
  const auto indices = cast<RankedTensorType>(op.getIndices().getType());
  if (source.getShape() != indices.getShape() || distinct(source) != distinct(indices))
    return std::nullopt;
  return planWarpGather(source, op.getAxis());
}

} // namespace tilescope::ttg
