// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/PromiseChecks.h"

#include "compiler/analysis/AxisInfo.h"
#include "compiler/dialects/tt/ir/AssertionText.h"
#include "compiler/dialects/tt/ir/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include <algorithm>
#include <bit>

using namespace mlir;

namespace tilescope::compiler {

/// What a thread moves at once, at most, in bytes.
static constexpr int64_t kWidestAccess = 16;
static constexpr int64_t kLanes = 32;

static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kHints[] = {
    {tt::kDivisibilityAttr, "`tl.multiple_of`"},
    {tt::kContiguityAttr, "`tl.max_contiguous`"},
    {tt::kConstancyAttr, "`tl.max_constancy`"}};

namespace {
/// How many elements move at once, along a dimension.
struct Width {
  int64_t elements = 1;
  int dimension = 0;
};
} // namespace

/// The integer arguments that are not multiples of what they are said to be. Of a launch's own facts, all are true.
static std::vector<unsigned> falseHintsOf(tt::FuncOp kernel, const InterpreterLaunch &launch) {
  std::vector<unsigned> arguments;
  for (unsigned i = 0; i < kernel.getNumArguments() && i < launch.arguments.size(); ++i) {
    const auto divisor = kernel.getArgAttrOfType<IntegerAttr>(i, tt::kDivisibilityAttr);
    if (divisor && divisor.getInt() > 0 && kernel.getArgument(i).getType().isInteger() &&
        static_cast<int64_t>(launch.arguments[i].bits) % divisor.getInt() != 0)
      arguments.push_back(i);
  }
  return arguments;
}

/// The names of the hints in a module, such as "`tl.multiple_of`"; empty: there are none, or they are of arguments, and
/// true.
static std::string hintsIn(ModuleOp module, const InterpreterLaunch &launch) {
  std::string names;
  for (const auto &[attribute, name] : kHints) {
    const WalkResult found = module.walk([&](Operation *op) {
      auto kernel = dyn_cast<tt::FuncOp>(op);
      const bool isFalse = kernel && kernel.isPublic() && attribute == tt::kDivisibilityAttr &&
                           !falseHintsOf(kernel, launch).empty();
      return isFalse || op->hasAttr(attribute) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      names += (names.empty() ? "" : " and ") + name.str();
  }
  return names;
}

/// The module as it would be if the kernel promised nothing.
static OwningOpRef<ModuleOp> withoutHints(ModuleOp module, const InterpreterLaunch &launch) {
  OwningOpRef<ModuleOp> copy = module.clone();
  copy->walk([&](Operation *op) {
    for (const auto &[attribute, name] : kHints)
      op->removeDiscardableAttr(attribute);
    if (auto kernel = dyn_cast<tt::FuncOp>(op); kernel && kernel.isPublic())
      for (unsigned argument : falseHintsOf(kernel, launch))
        kernel.removeArgAttr(argument, tt::kDivisibilityAttr);
  });
  return copy;
}

static bool isAligned(const InterpreterLaunch &launch) {
  return std::ranges::all_of(launch.arguments, [](const InterpreterArgument &argument) {
    return reinterpret_cast<uintptr_t>(argument.data) % kWidestAccess == 0;
  });
}

static int64_t elementBytes(RankedTensorType pointers) {
  return std::max<int64_t>(1, tt::getElementBitWidth(tt::getPointeeType(pointers)) / 8);
}

/// What a thread moves at once of a load or a store.
static Width widthOf(const AxisInfoMap &infos, Value pointers, Value mask, int numWarps) {
  const auto type = cast<RankedTensorType>(pointers.getType());
  const int64_t bytes = elementBytes(type);
  const int64_t most = std::min(kWidestAccess / bytes, type.getNumElements() / (kLanes * numWarps));
  Width widest;
  for (int d = 0; d < static_cast<int>(type.getRank()); ++d) {
    int64_t elements =
        std::min(infos.alignedContiguity(pointers, d, static_cast<unsigned>(bytes * 8)), most);
    if (const AxisInfo *bits = mask ? infos.find(mask) : nullptr)
      elements = std::min(elements, bits->constancy[d]);
    // What moves at once is a power of 2, whatever a hint says.
    elements = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(elements)));
    if (elements > widest.elements)
      widest = {elements, d};
  }
  return widest;
}

static Value constantLike(OpBuilder &b, Location loc, RankedTensorType type, int64_t value) {
  // A truth of one bit is no signed number.
  const unsigned width = type.getElementTypeBitWidth();
  const APInt bits(width, static_cast<uint64_t>(value), width > 1);
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(cast<ShapedType>(type), bits));
}

/// The index of each element along `dimension`, modulo `width`, for a block of 64-bit integers.
static Value placesIn(OpBuilder &b, Location loc, RankedTensorType type, const Width &width) {
  const int64_t extent = type.getDimSize(width.dimension);
  const auto row = RankedTensorType::get({extent}, b.getI32Type());
  Value index = tt::MakeRangeOp::create(b, loc, row, 0, static_cast<int32_t>(extent));
  index = arith::AndIOp::create(b, loc, index, constantLike(b, loc, row, width.elements - 1));
  index = arith::ExtUIOp::create(b, loc, RankedTensorType::get({extent}, b.getI64Type()), index);
  for (int d = 0; d < type.getRank(); ++d)
    if (d != width.dimension)
      index = tt::ExpandDimsOp::create(b, loc, index, d);
  if (index.getType() != type)
    index = tt::BroadcastOp::create(b, loc, type, index);
  return index;
}

static void assertPromise(OpBuilder &b, Location loc, Value holds, const std::string &text) {
  tt::AssertOp::create(b, loc, holds, text)->setAttr(tt::kPromiseAttr, b.getUnitAttr());
}

/// Asserts that each of `width` elements lies as far behind a multiple of their size as it is behind their first one.
static void checkAddresses(Operation *access, Value pointers, Value mask, const Width &width,
                           const std::string &hints) {
  OpBuilder b(access);
  const Location loc = access->getLoc();
  const auto type = cast<RankedTensorType>(pointers.getType());
  const auto words = RankedTensorType::get(type.getShape(), b.getI64Type());
  const int64_t bytes = elementBytes(type);
  const Value address = tt::PtrToIntOp::create(b, loc, words, pointers);
  const Value distance = arith::MulIOp::create(b, loc, placesIn(b, loc, words, width),
                                               constantLike(b, loc, words, bytes));
  const Value rest = arith::AndIOp::create(b, loc, arith::SubIOp::create(b, loc, address, distance),
                                           constantLike(b, loc, words, width.elements * bytes - 1));
  Value holds =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, constantLike(b, loc, words, 0));
  if (mask) {
    const auto bits = cast<RankedTensorType>(holds.getType());
    holds = arith::OrIOp::create(
        b, loc, holds, arith::XOrIOp::create(b, loc, mask, constantLike(b, loc, bits, 1)));
  }
  const bool isLoad = isa<tt::LoadOp>(access);
  assertPromise(b, loc, holds,
                "what " + hints + (hints.find(" and ") != std::string::npos ? " say" : " says") +
                    " is not true of this " + (isLoad ? "load" : "store") + ": a GPU moves " +
                    std::to_string(width.elements) +
                    " elements at once, from an address that is a multiple of " +
                    std::to_string(width.elements * bytes) + " bytes, so it faults or " +
                    (isLoad ? "reads" : "writes") + " other elements");
}

static void checkAssumption(LLVM::AssumeOp assumption) {
  OpBuilder b(assumption);
  assertPromise(
      b, assumption.getLoc(), assumption.getCond(),
      "what `tl.assume` says is not true: a compiler may have left out code that this case needs");
}

/// `plain`: the same module without hints, operation by operation.
static bool checkAccesses(ModuleOp module, ModuleOp plain, const std::string &hints, int numWarps) {
  const AxisInfoMap with(module), without(plain);
  std::vector<Operation *> accesses, twins;
  const auto collect = [](std::vector<Operation *> &all) {
    return [&all](Operation *op) {
      if (isa<tt::LoadOp, tt::StoreOp>(op) && isa<RankedTensorType>(op->getOperand(0).getType()))
        all.push_back(op);
    };
  };
  module.walk(collect(accesses));
  plain.walk(collect(twins));
  bool hasAny = false;
  for (size_t i = 0; i < accesses.size(); ++i) {
    const auto maskOf = [](Operation *op) -> Value {
      auto load = dyn_cast<tt::LoadOp>(op);
      return load ? load.getMask() : cast<tt::StoreOp>(op).getMask();
    };
    const Value pointers = accesses[i]->getOperand(0), mask = maskOf(accesses[i]);
    const Width width = widthOf(with, pointers, mask, numWarps);
    if (width.elements <=
        widthOf(without, twins[i]->getOperand(0), maskOf(twins[i]), numWarps).elements)
      continue;
    checkAddresses(accesses[i], pointers, mask, width, hints);
    hasAny = true;
  }
  return hasAny;
}

OwningOpRef<ModuleOp> withPromiseChecks(ModuleOp ttir, const InterpreterLaunch &launch,
                                        int numWarps) {
  const std::string hints = isAligned(launch) ? hintsIn(ttir, launch) : "";
  const bool assumes =
      ttir.walk([](LLVM::AssumeOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (hints.empty() && !assumes)
    return {};
  OwningOpRef<ModuleOp> copy = ttir.clone();
  const bool hasAny =
      (!hints.empty() && checkAccesses(*copy, *withoutHints(ttir, launch), hints, numWarps)) ||
      assumes;
  copy->walk(checkAssumption);
  return hasAny ? std::move(copy) : OwningOpRef<ModuleOp>();
}

} // namespace tilescope::compiler
