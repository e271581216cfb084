// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr llvm::StringLiteral kSharedSymbol = "global_smem";
static constexpr unsigned kSharedSpace = 3;

Lowering::Lowering(ModuleLowering &module, const LoweringTable &table, LLVM::LLVMFuncOp function)
    : b(function.getLoc(), function.getContext()), m_module(module), m_table(table),
      m_function(function) {
  m_whole.numWarps = module.numWarps;
}

const Values &Lowering::values(Value value) const {
  auto it = m_values.find(value);
  assert(it != m_values.end() && "operands are lowered before their uses");
  return it->second;
}

void Lowering::set(Value value, Values lowered) { m_values[value] = std::move(lowered); }

LogicalResult Lowering::lower(Operation *op) {
  b.setLoc(op->getLoc());
  const LowerOperation *lowerOperation = m_table.find(op);
  if (!lowerOperation)
    return op->emitError("cannot lower operation `") << op->getName() << "` to GPU code";
  return (*lowerOperation)(op, *this);
}

FailureOr<Values> Lowering::inlineBlock(Block &block, ValueRange arguments) {
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    set(argument, {value});
  Location outer = b.getLoc();
  for (Operation &op : block.without_terminator())
    if (failed(lower(&op)))
      return failure();
  b.setLoc(outer);
  Values results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(scalar(result));
  return results;
}

FailureOr<Values> Lowering::inlineRegion(Region &region, ValueRange arguments) {
  if (region.hasOneBlock())
    return inlineBlock(region.front(), arguments);
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  // Every value before its uses.
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (Block *block : order) {
    Block *lowered = blocks[block] = b.createBlock(after);
    for (BlockArgument argument : block->getArguments())
      set(argument, {lowered->addArgument(elementType(argument.getType()), argument.getLoc())});
  }
  b.setInsertionPointToEnd(before);
  LLVM::BrOp::create(b, arguments, blocks[&region.front()]);
  Location outer = b.getLoc();
  for (Block *block : order) {
    b.setInsertionPointToEnd(blocks[block]);
    Operation *terminator = block->getTerminator();
    if (terminator->getNumSuccessors() > 0) {
      for (Operation &op : *block)
        if (failed(lower(&op)))
          return failure();
      continue;
    }
    FailureOr<Values> results = inlineBlock(*block, blocks[block]->getArguments());
    if (failed(results))
      return failure();
    if (after->getNumArguments() == 0)
      for (Value result : *results)
        after->addArgument(result.getType(), outer);
    LLVM::BrOp::create(b, *results, after);
  }
  b.setLoc(outer);
  b.setInsertionPointToStart(after);
  return Values(after->getArguments());
}

Type Lowering::elementType(Type type) const {
  Type element = getElementTypeOrSelf(type);
  MLIRContext *context = element.getContext();
  if (auto pointer = dyn_cast<tt::PointerType>(element))
    return LLVM::LLVMPointerType::get(context, pointer.getAddressSpace());
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
    return IntegerType::get(context, 8);
  if (isa<IndexType>(element))
    return IntegerType::get(context, 64);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(context, integer.getWidth());
  return element;
}

SmallVector<Type, 8> Lowering::expand(Type type) {
  if (isa<ttg::AsyncTokenType>(type))
    return {};
  // The address of the descriptor, in whatever memory it is.
  if (ttng::describedBlock(type))
    return {LLVM::LLVMPointerType::get(type.getContext())};
  if (auto buffer = dyn_cast<ttg::MemDescType>(type)) {
    if (ttng::isInTensorMemory(buffer))
      return {IntegerType::get(type.getContext(), 32)};
    SmallVector<Type, 8> types{LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace)};
    types.append(buffer.getRank(), IntegerType::get(type.getContext(), 32));
    return types;
  }
  return SmallVector<Type, 8>(numRegisters(type), elementType(type));
}

const LinearLayout &Lowering::layout(Type type) {
  std::unique_ptr<LinearLayout> &layout = m_module.layouts[type];
  if (!layout)
    layout = std::make_unique<LinearLayout>(
        ttg::toLinearLayout(cast<RankedTensorType>(type)).removeZeroBases(Dim::Register));
  return *layout;
}

int Lowering::numRegisters(Type type) {
  return isa<RankedTensorType>(type) ? layout(type).inSize(Dim::Register) : 1;
}

// Values that hold for the whole function are computed once, where they dominate everything.
Value Lowering::atEntry(Value &cache, llvm::function_ref<Value()> make) {
  if (cache)
    return cache;
  OpBuilder::InsertionGuard guard(b);
  Location outer = b.getLoc();
  b.setInsertionPointToStart(&m_function.getBody().front());
  if (Value first = m_group->threadId ? m_group->threadId : m_threadInBlock)
    b.setInsertionPointAfterValue(first);
  b.setLoc(m_function.getLoc());
  cache = make();
  b.setLoc(outer);
  return cache;
}

Value Lowering::threadId() {
  Value inBlock = atEntry(m_threadInBlock, [&] {
    return callIntrinsic(b, "llvm.nvvm.read.ptx.sreg.tid.x", b.getI32Type(), {});
  });
  return atEntry(m_group->threadId, [&]() -> Value {
    if (m_group->firstWarp == 0)
      return inBlock;
    return LLVM::SubOp::create(b, inBlock, i32Constant(b, m_group->firstWarp * 32));
  });
}

Value Lowering::laneId() {
  Value thread = threadId();
  return atEntry(m_group->laneId,
                 [&]() -> Value { return LLVM::AndOp::create(b, thread, i32Constant(b, 31)); });
}

Value Lowering::warpId() {
  Value thread = threadId();
  return atEntry(m_group->warpId,
                 [&]() -> Value { return LLVM::LShrOp::create(b, thread, i32Constant(b, 5)); });
}

Value Lowering::isFirstThread() {
  Value thread = threadId();
  return atEntry(m_group->isFirst, [&]() -> Value {
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, thread, i32Constant(b, 0));
  });
}

/// The images along `out` of the bits of the thread's index: those of its lane, then of its warp.
static SmallVector<uint64_t> threadBases(const LinearLayout &layout, Dim out, int numThreads) {
  SmallVector<uint64_t> bases;
  for (Dim in : {Dim::Lane, Dim::Warp})
    for (int bit = 0; bit < layout.inBits(in); ++bit)
      bases.push_back(layout.basis(in, bit, out));
  // Warps beyond the layout hold copies.
  bases.resize(llvm::Log2_32(numThreads), 0);
  return bases;
}

Value Lowering::threadPart(const LinearLayout &layout, Dim out) {
  Value part = applyBases(b, threadId(), threadBases(layout, out, numThreads()));
  SmallVector<uint64_t> blockBases;
  for (int bit = 0; bit < layout.inBits(Dim::Block); ++bit)
    blockBases.push_back(layout.basis(Dim::Block, bit, out));
  if (llvm::any_of(blockBases, [](uint64_t basis) { return basis != 0; })) {
    Value fromBlock = applyBases(b, blockRank(), blockBases);
    part = part ? Value(LLVM::XOrOp::create(b, part, fromBlock)) : fromBlock;
  }
  return part ? part : i32Constant(b, 0);
}

uint32_t Lowering::registerPart(const LinearLayout &layout, int index, Dim out) {
  uint32_t part = 0;
  for (int bit = 0; index >> bit; ++bit)
    if (index >> bit & 1)
      part ^= layout.basis(Dim::Register, bit, out);
  return part;
}

Values Lowering::coordinates(const LinearLayout &layout, Dim out) {
  uint64_t reached = 0;
  for (Dim in : {Dim::Lane, Dim::Warp, Dim::Block})
    for (int bit = 0; bit < layout.inBits(in); ++bit)
      reached |= layout.basis(in, bit, out);
  Value base = threadPart(layout, out);
  llvm::DenseMap<uint32_t, Value> made;
  Values result;
  for (int index = 0; index < layout.inSize(Dim::Register); ++index) {
    uint32_t part = registerPart(layout, index, out);
    Value &value = made[part];
    if (!value) {
      if (part == 0)
        value = base;
      else if (part & reached)
        value = LLVM::XOrOp::create(b, base, i32Constant(b, part));
      else
        value = LLVM::OrOp::create(b, base, i32Constant(b, part), /*isDisjoint=*/true);
    }
    result.push_back(value);
  }
  return result;
}

Values Lowering::positions(const LinearLayout &layout) {
  DimList flat;
  flat.push_back({Dim::Offset, static_cast<uint8_t>(layout.totalOutBits())});
  return coordinates(layout.canonicalOuts().reshapeOuts(flat), Dim::Offset);
}

Value Lowering::holdsOriginal(const LinearLayout &layout) {
  const uint32_t threadMask = copyMask(layout, numThreads());
  uint32_t blockMask = 0;
  for (const DimValue &free : layout.freeVariableMasks())
    if (free.dim == Dim::Block)
      blockMask = free.value;
  Value result;
  auto require = [&](Value value, uint32_t mask) {
    Value bits = LLVM::AndOp::create(b, value, i32Constant(b, mask));
    Value isZero = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, bits, i32Constant(b, 0));
    result = result ? Value(LLVM::AndOp::create(b, result, isZero)) : isZero;
  };
  if (threadMask)
    require(threadId(), threadMask);
  if (blockMask)
    require(blockRank(), blockMask);
  return result;
}

Value Lowering::holdsOriginalInBlock(const LinearLayout &layout) {
  return holdsOriginal(layout.hasIn(Dim::Block) ? layout.dropIn(Dim::Block) : layout);
}

/// A special register that PTX has for each axis.
static Value readPlace(Lowering &lowering, StringRef name, int axis) {
  return callIntrinsic(lowering.b,
                       ("llvm.nvvm.read.ptx.sreg." + name + "." + Twine("xyz"[axis])).str(),
                       lowering.b.getI32Type(), {});
}

Value Lowering::programId(int axis) {
  return readPlace(*this, numCtas() > 1 ? "clusterid" : "ctaid", axis);
}

Value Lowering::numPrograms(int axis) {
  return readPlace(*this, numCtas() > 1 ? "nclusterid" : "nctaid", axis);
}

Value Lowering::blockRank() {
  return atEntry(m_blockRank, [&] {
    return callIntrinsic(b, "llvm.nvvm.read.ptx.sreg.cluster.ctarank", b.getI32Type(), {});
  });
}

LogicalResult Lowering::clusterBarrier(Operation *op) {
  if (m_group->barrier)
    return op->emitError("`")
           << op->getName()
           << "` needs all threads of the cluster, which cannot meet where warps "
              "execute different code";
  NVVM::ClusterArriveOp::create(b, b.getUnitAttr());
  NVVM::ClusterWaitOp::create(b, b.getUnitAttr());
  return success();
}

Value Lowering::sharedBase() {
  if (!m_function->hasAttr("nvvm.kernel")) {
    // A device function gets its part of shared memory from its caller.
    unsigned index = m_function.getNumArguments() - 3;
    return m_function.getArgument(index);
  }
  ModuleOp module = m_module.module;
  auto global = module.lookupSymbol<LLVM::GlobalOp>(kSharedSymbol);
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
    global = LLVM::GlobalOp::create(b, type, /*isConstant=*/false, LLVM::Linkage::External,
                                    kSharedSymbol, Attribute(), /*alignment=*/16, kSharedSpace);
  }
  return atEntry(m_sharedBase, [&]() -> Value { return LLVM::AddressOfOp::create(b, global); });
}

Value Lowering::sharedPointer(Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(ttg::kAllocationOffsetAttr);
  assert(offset && "shared memory is allocated before lowering");
  return advanceBytes(b, sharedBase(), offset.getInt());
}

Value Lowering::globalScratch() { return m_function.getArgument(m_function.getNumArguments() - 2); }

Value Lowering::profileScratch() {
  return m_function.getArgument(m_function.getNumArguments() - 1);
}

void Lowering::barrier() {
  if (!m_group->barrier)
    callIntrinsic(b, "llvm.nvvm.barrier.cta.sync.aligned.all", {i32Constant(b, 0)});
  else if (numWarps() == 1)
    callIntrinsic(b, "llvm.nvvm.bar.warp.sync", {i32Constant(b, -1)});
  else
    callIntrinsic(b, "llvm.nvvm.barrier.cta.sync.aligned.count",
                  {i32Constant(b, *m_group->barrier), i32Constant(b, numThreads())});
}

void Lowering::emitIf(Value condition, llvm::function_ref<void()> body) {
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  Block *inside = b.createBlock(after);
  body();
  LLVM::BrOp::create(b, ValueRange(), after);
  b.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(b, condition, inside, after);
  b.setInsertionPointToStart(after);
}

/// For each register, the number of the run of equal elements that it belongs to; empty where
/// nothing is known to be equal. The places of two registers differ by the same bits in every
/// thread, so what differs only inside a run is equal in all of them.
static SmallVector<uint64_t, 8> runsOfEqualElements(Lowering &lowering, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  const AxisInfo *info = type ? lowering.axes().find(value) : nullptr;
  if (!info || llvm::all_of(info->constancy, [](int64_t length) { return length % 2 != 0; }))
    return {};
  const LinearLayout layout = lowering.layout(type).canonicalOuts();
  uint64_t insideRuns = 0;
  for (int dim = type.getRank() - 1, first = 0; dim >= 0; --dim) {
    const int bits = layout.outBits(tensorDim(dim));
    const int64_t length = std::min(powerOfTwoDivisor(info->constancy[dim]), int64_t(1) << bits);
    insideRuns |= uint64_t(length - 1) << first;
    first += bits;
  }
  SmallVector<uint64_t, 8> runs;
  for (int index = 0; index < layout.inSize(Dim::Register); ++index)
    runs.push_back(layout.applyPacked(index) & ~insideRuns);
  return runs;
}

LogicalResult lowerEach(Operation *op, Lowering &lowering,
                        llvm::function_ref<Value(ValueRange)> lower) {
  Values results;
  int count = lowering.numRegisters(op->getResult(0).getType());
  SmallVector<uint64_t, 8> runs;
  if (count > 1 && isMemoryEffectFree(op))
    runs = runsOfEqualElements(lowering, op->getResult(0));
  llvm::DenseMap<uint64_t, Value> ofRun;
  for (int index = 0; index < count; ++index) {
    if (Value known = runs.empty() ? Value() : ofRun.lookup(runs[index])) {
      results.push_back(known);
      continue;
    }
    Values operands;
    for (Value operand : op->getOperands()) {
      const Values &registers = lowering.values(operand);
      operands.push_back(registers[registers.size() == 1 ? 0 : index]);
    }
    results.push_back(lower(operands));
    if (!runs.empty())
      ofRun[runs[index]] = results.back();
  }
  lowering.set(op->getResult(0), std::move(results));
  return success();
}

} // namespace tilescope::compiler
