// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/tt/BulkDescriptors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;

namespace tilescope::tt {

/// A constant, or one of fewer bits that is made longer.
static std::optional<int64_t> constantOf(Value value) {
  if (auto extended = value.getDefiningOp<arith::ExtSIOp>())
    value = extended.getIn();
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Whether warp groups multiply it: rows in pieces of 64, and columns in pieces of 8.
static bool isOfWarpGroups(DotOp dot) {
  const ArrayRef<int64_t> shape = dot.getType().getShape();
  return shape.size() == 2 && shape[0] % 64 == 0 && shape[1] % 8 == 0;
}

/// Whether the block is only multiplied, as it is or turned.
static bool isFactor(Value block, bool mayBeTurned) {
  return !block.use_empty() && llvm::all_of(block.getUsers(), [&](Operation *user) {
    if (auto trans = dyn_cast<TransOp>(user))
      return mayBeTurned && isFactor(trans.getResult(), false);
    auto dot = dyn_cast<DotOp>(user);
    return dot && dot.getC() != block && isOfWarpGroups(dot) &&
           dot->getBlock() == block.getParentBlock();
  });
}

static bool isFactor(DescriptorLoadOp load) {
  return isa<scf::ForOp>(load->getParentOp()) && isFactor(load.getResult(), true) &&
         load.getType() == load.getDesc().getType().getSignlessBlockType();
}

/// Whether the rows of the tensor lie behind each other, as far apart as bulk copies can take.
static bool liesRowByRow(MakeTensorDescOp make) {
  constexpr int64_t kElementBytes = 2, kAlignment = 16;
  const std::optional<int64_t> rows = constantOf(make.getShape()[0]),
                               columns = constantOf(make.getShape()[1]),
                               rowStep = constantOf(make.getStrides()[0]),
                               columnStep = constantOf(make.getStrides()[1]);
  return rows && columns && *rows > 0 && *columns > 0 && rowStep == columns && columnStep == 1 &&
         *columns * kElementBytes % kAlignment == 0;
}

/// Whether the launch has said that a parameter is at a multiple of 16 bytes.
static bool isAligned(FuncOp kernel, BlockArgument parameter) {
  constexpr int64_t kAlignment = 16;
  const auto divisor =
      kernel.getArgAttrOfType<IntegerAttr>(parameter.getArgNumber(), kDivisibilityAttr);
  return divisor && divisor.getInt() % kAlignment == 0;
}

bool isOfBulkLoads(MakeTensorDescOp make) {
  const RankedTensorType block = make.getType().getBlockType();
  constexpr int64_t kMostRows = 256, kLeastColumns = 16;
  const Type element = block.getElementType();
  if (block.getRank() != 2 || !(element.isF16() || element.isBF16()) ||
      block.getDimSize(0) > kMostRows || block.getDimSize(1) < kLeastColumns ||
      make.getPadding() != PaddingOption::PAD_ZERO || !liesRowByRow(make))
    return false;
  auto base = dyn_cast<BlockArgument>(make.getBase());
  auto kernel = dyn_cast<FuncOp>(make->getParentOp());
  if (!base || !kernel || !kernel.isPublic() || base.getOwner() != &kernel.getBody().front() ||
      !isAligned(kernel, base))
    return false;
  return !make->use_empty() && llvm::all_of(make->getUsers(), [](Operation *user) {
    auto load = dyn_cast<DescriptorLoadOp>(user);
    return load && isFactor(load);
  });
}

} // namespace tilescope::tt
