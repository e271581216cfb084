// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Lowering.h"

#include "compiler/conversion/tt_to_cpu/DotTiles.h"
#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/LeftOutLoads.h"
#include "compiler/conversion/tt_to_cpu/StreamedStores.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilescope::cpu {

/// The arguments that a kernel both loads and stores to.
static llvm::DenseSet<Value> changedInPlace(tt::FuncOp kernel) {
  llvm::DenseSet<Value> loaded, changed;
  kernel.walk([&](tt::LoadOp load) { loaded.insert(originOf(load.getPtr())); });
  kernel.walk([&](tt::StoreOp store) {
    Value argument = originOf(store.getPtr());
    if (argument && loaded.contains(argument))
      changed.insert(argument);
  });
  return changed;
}

KernelLowering::KernelLowering(OpBuilder &builder, const compiler::AxisInfoMap &axes,
                               const Plan &plan, const LoweringOptions &options)
    : m_builder(builder), m_loc(builder.getUnknownLoc()), m_axes(axes), m_plan(plan),
      m_options(options) {}

void KernelLowering::lower(tt::FuncOp kernel, ValueRange arguments) {
  m_loc = kernel.getLoc();
  m_module = kernel->getParentOfType<ModuleOp>();
  m_words = arguments[0];
  m_launch = arguments[1];
  m_scratch = arguments[2];
  m_zero = arith::ConstantIntOp::create(m_builder, m_loc, 0, 64);
  m_numArguments = kernel.getNumArguments();
  if (m_options.checkBounds)
    numberAccesses(kernel);
  if (m_options.noteDoubts) {
    m_leakingLoads = leakingLoads(kernel);
    m_changedInPlace = changedInPlace(kernel);
  }
  if (m_options.streamsStores)
    m_streamedStores = streamedStores(kernel);
  m_next.foresee(kernel, m_plan);
  if (m_next.isForeseen())
    lowerNextProgram();
  lowerArguments(kernel, m_words);
  m_tileBytes = commonTileBytes(kernel, m_options);
  if (m_tileBytes)
    configureTiles(
        m_builder, m_loc,
        allocate(RankedTensorType::get({kTileConfigurationBytes}, m_builder.getI8Type())).base,
        m_tileBytes);
  lowerBlock(kernel.getBody().front());
  if (m_tileBytes)
    releaseTiles(m_builder, m_loc);
  func::ReturnOp::create(m_builder, m_loc);
}

void KernelLowering::lowerArguments(tt::FuncOp kernel, Value words) {
  for (auto [index, argument] : llvm::enumerate(kernel.getArguments())) {
    if (m_options.checkBounds && isa<tt::PointerType>(argument.getType())) {
      m_scalars.map(argument, lowerCheckedArgument(argument, words));
      continue;
    }
    Value number = arith::ConstantIntOp::create(m_builder, m_loc, index, 64);
    Value address = elementAddress(m_builder, m_loc, words, number, m_builder.getI64Type());
    Type type = elementTypeOf(argument.getType());
    Value value = LLVM::LoadOp::create(m_builder, m_loc, memoryTypeOf(type), address);
    m_scalars.map(argument, fromMemory(m_builder, m_loc, value, type));
  }
}

Value KernelLowering::scalar(Value value) {
  Value ofNext = m_next.isMeant ? m_next.scalars.lookupOrNull(value) : Value();
  return ofNext ? ofNext : m_scalars.lookup(value);
}

Value KernelLowering::launchWord(unsigned index) {
  Value number = arith::ConstantIntOp::create(m_builder, m_loc, index, 64);
  Type type = m_builder.getI32Type();
  return LLVM::LoadOp::create(m_builder, m_loc, type,
                              elementAddress(m_builder, m_loc, m_launch, number, type));
}

void KernelLowering::lowerBlock(Block &block) {
  for (Operation &op : block) {
    m_loc = op.getLoc();
    if (!op.hasTrait<OpTrait::IsTerminator>())
      lowerOperation(&op);
  }
}

void KernelLowering::lowerOperation(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](tt::StoreOp store) { lowerStore(store); })
      .Case([&](tt::ReduceOp reduce) {
        // Functions that branch keep the order anyway.
        m_options.isExact && !branches(reduce.getCombineOp()) ? lowerReduceInOrder(reduce)
                                                              : lowerReduce(reduce);
      })
      .Case([&](tt::ScanOp scan) {
        m_options.isExact && !branches(scan.getCombineOp()) ? lowerScanInOrder(scan)
                                                            : lowerScan(scan);
      })
      .Case([&](tt::MapElementwiseOp map) { lowerMap(map); })
      .Case([&](tt::DotOp dot) { lowerDot(dot); })
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp>([&](Operation *atomic) { lowerAtomic(atomic); })
      .Case([&](tt::AtomicPollOp poll) { lowerPoll(poll); })
      .Case([&](tt::ReshapeOp reshape) { lowerReshape(reshape); })
      .Case([&](tt::JoinOp join) { lowerJoin(join); })
      .Case([&](tt::SplitOp split) { lowerSplit(split); })
      .Case([&](tt::CatOp cat) { lowerCat(cat); })
      .Case([&](tt::GatherOp gather) { lowerGather(gather); })
      .Case([&](tt::HistogramOp histogram) { lowerHistogram(histogram); })
      .Case([&](tt::AssertOp assertion) { lowerAssert(assertion); })
      .Case([&](tt::PrintOp print) { lowerPrint(print); })
      .Case([&](tt::ElementwiseInlineAsmOp assembly) { lowerAssembly(assembly); })
      .Case([&](tt::UnsplatOp unsplat) {
        const Buffer source = copied(unsplat.getSrc(), /*asInBlocks=*/false);
        const Place first{SmallVector<Value, 4>(source.type.getRank(), m_zero), -1};
        m_scalars.map(unsplat.getResult(), readBuffer(source, first));
      })
      .Case([&](scf::ForOp loop) { lowerFor(loop); })
      .Case([&](scf::IfOp branch) { lowerIf(branch); })
      .Case([&](scf::WhileOp loop) { lowerWhile(loop); })
      // One thread executes a program, one launch follows another, and what is assumed helps nobody here.
      .Case<gpu::BarrierOp, LLVM::AssumeOp, tt::GridDependencyWaitOp,
            tt::GridDependencyLaunchDependentsOp>([](Operation *) {})
      .Default([&](Operation *) {
        if (!isDeferred(op))
          return lowerScalar(op);
        Value block = op->getResult(0);
        if (m_plan.of(block) == Keep::OnceComputed)
          m_pending.insert(block);
        if (m_plan.of(block) == Keep::AtDefinition)
          keep(block);
      });
}

void KernelLowering::lowerScalar(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return lowerScalarLoad(load);
  Value value = TypeSwitch<Operation *, Value>(op)
                    .Case([&](tt::GetProgramIdOp id) {
                      return launchWord(static_cast<unsigned>(id.getAxis()));
                    })
                    .Case([&](tt::GetNumProgramsOp number) {
                      return launchWord(3 + static_cast<unsigned>(number.getAxis()));
                    })
                    .Case<arith::ConstantOp, ub::PoisonOp>([&](Operation *constant) {
                      return m_builder.clone(*constant)->getResult(0);
                    })
                    .Default([&](Operation *) {
                      SmallVector<Value> operands;
                      for (Value operand : op->getOperands())
                        operands.push_back(scalar(operand));
                      noteZeroDivisor(op, operands);
                      return emitOnTiles(op, operands);
                    });
  m_scalars.map(op->getResult(0), value);
  lowerScalarOfNext(op);
}

} // namespace tilescope::cpu
