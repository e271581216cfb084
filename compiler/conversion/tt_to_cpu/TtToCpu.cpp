// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/TtToCpu.h"

#include "compiler/conversion/tt_to_cpu/Calls.h"
#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Passes.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/dialects/tt/ir/AssertionText.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilescope::cpu {

#define GEN_PASS_DEF_TTTOCPU
#include "compiler/conversion/tt_to_cpu/Passes.h.inc"

static constexpr llvm::StringLiteral kScratchBytesAttr = "tt.scratch_bytes";
/// Per access: its kind, the bytes of an element, the location.
static constexpr llvm::StringLiteral kAccessesAttr = "tt.checked_accesses";
/// Per assertion: what a run says of it, the number of elements, the location.
static constexpr llvm::StringLiteral kAssertionsAttr = "tt.assertions";

static tt::FuncOp findKernel(ModuleOp module) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      return function;
  module.emitError("the module has no public function");
  return {};
}

static ArrayAttr describeAccesses(Builder &b, ArrayRef<CheckedAccess> accesses) {
  SmallVector<Attribute> all;
  for (const CheckedAccess &access : accesses)
    all.push_back(
        b.getArrayAttr({b.getI64IntegerAttr(static_cast<int64_t>(access.element.kind)),
                        b.getI64IntegerAttr(static_cast<int64_t>(access.element.sizeBytes)),
                        LocationAttr(access.location)}));
  return b.getArrayAttr(all);
}

/// What is the same for all elements is one.
static int64_t numElementsOf(tt::AssertOp assertion) {
  Value condition = assertion.getCondition();
  return isUniform(condition) ? 1 : cast<RankedTensorType>(condition.getType()).getNumElements();
}

static ArrayAttr describeAssertions(Builder &b, ArrayRef<tt::AssertOp> assertions) {
  SmallVector<Attribute> all;
  for (tt::AssertOp assertion : assertions)
    all.push_back(b.getArrayAttr({b.getStringAttr(tt::assertionText(assertion)),
                                  b.getI64IntegerAttr(numElementsOf(assertion)),
                                  LocationAttr(assertion.getLoc())}));
  return b.getArrayAttr(all);
}

namespace {
class TtToCpu : public impl::TtToCpuBase<TtToCpu> {
public:
  using TtToCpuBase::TtToCpuBase;
  void runOnOperation() override;

private:
  void lower(tt::FuncOp source);
};
} // namespace

void TtToCpu::lower(tt::FuncOp source) {
  OpBuilder builder(source);
  const Location loc = source.getLoc();
  const SmallVector<Type> types(3, LLVM::LLVMPointerType::get(&getContext()));
  auto function =
      func::FuncOp::create(builder, loc, source.getName(), builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  const compiler::AxisInfoMap axes(getOperation());
  const LoweringOptions options{.vectorBytes = vectorBytes,
                                .argumentsOverlap = argumentsOverlap,
                                .checkBounds = checkBounds,
                                .noteDoubts = checkBounds && noteDoubts,
                                .isExact = isExact,
                                .pairsIntegers = pairsIntegers,
                                .pairsBf16 = pairsBf16,
                                .tilesIntegers = tilesIntegers,
                                .tilesBf16 = tilesBf16,
                                .hasAvx512 = hasAvx512,
                                .streamsStores = streamsStores};
  const Plan plan(source, axes, options);
  KernelLowering lowering(builder, axes, plan, options);
  lowering.lower(source, function.getArguments());
  if (checkBounds)
    getOperation()->setAttr(kAccessesAttr, describeAccesses(builder, lowering.accesses()));
  const NumberedOperations &numbered = lowering.numbered();
  if (!numbered.assertions.empty())
    getOperation()->setAttr(kAssertionsAttr, describeAssertions(builder, numbered.assertions));
  describeCalls(getOperation(), numbered);
  getOperation()->setAttr(kScratchBytesAttr, builder.getI64IntegerAttr(lowering.scratchBytes()));
}

void TtToCpu::runOnOperation() {
  tt::FuncOp source = findKernel(getOperation());
  if (!source || failed(checkSupported(source)))
    return signalPassFailure();
  lower(source);
  for (auto function : llvm::make_early_inc_range(getOperation().getOps<tt::FuncOp>()))
    function.erase();
}

void addCpuIrPasses(OpPassManager &passes, const LoweringOptions &options) {
  passes.addPass(createAllowInlining());
  // A call that is left is reported as not supported.
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  passes.addPass(tt::createDecomposeScaledDot());
  // These are not the interpreter's.
  if (!options.isExact)
    passes.addPass(createUseMathFunctions());
  passes.addPass(createExpandFloatCasts());
  passes.addPass(createCarryDistances());
  passes.addPass(createTtToCpu({.vectorBytes = options.vectorBytes,
                                .argumentsOverlap = options.argumentsOverlap,
                                .checkBounds = options.checkBounds,
                                .noteDoubts = options.noteDoubts,
                                .isExact = options.isExact,
                                .pairsIntegers = options.pairsIntegers,
                                .pairsBf16 = options.pairsBf16,
                                .tilesIntegers = options.tilesIntegers,
                                .tilesBf16 = options.tilesBf16,
                                .hasAvx512 = options.hasAvx512,
                                .streamsStores = options.streamsStores}));
}

int64_t scratchBytes(ModuleOp module) {
  auto bytes = module->getAttrOfType<IntegerAttr>(kScratchBytesAttr);
  return bytes ? bytes.getInt() : 0;
}

std::vector<CheckedAccess> checkedAccesses(ModuleOp module) {
  using compiler::interpreter::AccessKind;
  std::vector<CheckedAccess> accesses;
  if (auto all = module->getAttrOfType<ArrayAttr>(kAccessesAttr))
    for (auto one : all.getAsRange<ArrayAttr>())
      accesses.push_back({{static_cast<AccessKind>(cast<IntegerAttr>(one[0]).getInt()),
                           static_cast<size_t>(cast<IntegerAttr>(one[1]).getInt())},
                          Location(cast<LocationAttr>(one[2]))});
  return accesses;
}

std::vector<Assertion> assertionsOf(ModuleOp module) {
  std::vector<Assertion> assertions;
  if (auto all = module->getAttrOfType<ArrayAttr>(kAssertionsAttr))
    for (auto one : all.getAsRange<ArrayAttr>())
      assertions.push_back({cast<StringAttr>(one[0]).str(), cast<IntegerAttr>(one[1]).getInt(),
                            Location(cast<LocationAttr>(one[2]))});
  return assertions;
}

} // namespace tilescope::cpu
