// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SharedMemory.h"

#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/ProductReads.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/LoopNumbers.h"
#include "compiler/pipeline/ParsedKernel.h"
#include "compiler/pipeline/RecordAccesses.h"
#include "compiler/pipeline/RingTurns.h"
#include "compiler/pipeline/SharedSteps.h"
#include "compiler/pipeline/ValueNames.h"
#include "compiler/target/TargetSpec.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <tuple>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// Lines of TTGIR, half-open.
using Lines = std::pair<uint32_t, uint32_t>;

/// Puts together what is known of one kernel's shared memory.
class SharedMemory {
public:
  /// `names`: of the text that holds the lines that the kernel's operations are at.
  SharedMemory(const SharedPlaces &places, const BufferAliases &aliases,
               const StageSources &sources, const ValueNames &names);

  void addBuffers();
  void addAccesses(const AxisInfoMap &axes);
  /// From the kernel as it was before its loops became branches.
  void addRings(ModuleOp laidOut);
  void markLoops(ModuleOp laidOut);
  SharedFacts take() { return std::move(m_facts); }

private:
  void addCounted(Operation *op, const PlannedAccesses &planned);
  void addUncounted(Operation *op, const PlannedAccesses &planned);
  void add(SharedAccess access, Operation *op, uint32_t buffer);
  /// Of an operation that was given bytes, or of the allocation behind a value.
  std::optional<uint32_t> bufferOf(Operation *op) const;
  std::optional<uint32_t> bufferOf(Value buffer) const;

  const SharedPlaces &m_places;
  const BufferAliases &m_aliases;
  const StageSources &m_sources;
  Timeline m_time;
  SharedSteps m_steps;
  const ValueNames &m_names;
  llvm::DenseMap<Operation *, uint32_t> m_numbers;
  SharedFacts m_facts;
};

} // namespace

SharedMemory::SharedMemory(const SharedPlaces &places, const BufferAliases &aliases,
                           const StageSources &sources, const ValueNames &names)
    : m_places(places), m_aliases(aliases), m_sources(sources),
      m_time(tt::FuncOp(places.function).getBody()), m_steps(m_time, sources, places.places),
      m_names(names) {
  m_facts.total = places.total;
  m_facts.steps = m_steps.steps();
}

static SharedUse useOf(Operation *op) {
  return isa<ttg::LocalAllocOp>(op) ? SharedUse::Buffer
         : isa<tt::CallOp>(op)      ? SharedUse::Call
         : isa<tt::FuncOp>(op)      ? SharedUse::Dispatch
                                    : SharedUse::Scratch;
}

static std::string printed(const auto &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

void SharedMemory::addBuffers() {
  SmallVector<const SharedPlace *> ordered;
  for (const SharedPlace &place : m_places.places)
    ordered.push_back(&place);
  llvm::stable_sort(ordered, [](const SharedPlace *x, const SharedPlace *y) {
    return std::tuple(x->offset, x->request.begin) < std::tuple(y->offset, y->request.begin);
  });
  for (const SharedPlace *place : ordered) {
    m_numbers[place->op] = static_cast<uint32_t>(m_facts.buffers.size());
    SharedBuffer &buffer = m_facts.buffers.emplace_back();
    buffer.use = useOf(place->op);
    buffer.operation = place->op->getName().getStringRef().str();
    buffer.words = describeShared(place->op);
    buffer.stageLine = stageLineOf(place->op);
    buffer.offset = place->offset;
    buffer.bytes = place->request.size;
    buffer.begin = m_steps.at(place->request.begin);
    buffer.end = m_steps.at(place->request.end);
    buffer.group = place->request.group;
    if (buffer.use != SharedUse::Dispatch) {
      buffer.range = m_sources.of(place->op);
      buffer.name = m_names.of(buffer.stageLine, buffer.range);
    }
    auto alloc = dyn_cast<ttg::LocalAllocOp>(place->op);
    if (!alloc)
      continue;
    buffer.slots = slotsOf(alloc);
    ArrayRef<int64_t> shape = alloc.getType().getShape();
    if (buffer.slots > 1)
      shape = shape.drop_front();
    buffer.shape.assign(shape.begin(), shape.end());
    buffer.elementType = printed(alloc.getType().getElementType());
    buffer.encoding = printed(alloc.getType().getEncoding());
  }
}

std::optional<uint32_t> SharedMemory::bufferOf(Operation *op) const {
  const auto known = m_numbers.find(op);
  return known == m_numbers.end() ? std::nullopt : std::optional(known->second);
}

std::optional<uint32_t> SharedMemory::bufferOf(Value buffer) const {
  for (Operation *root : m_aliases.roots(buffer))
    if (const auto known = bufferOf(root))
      return known;
  return std::nullopt;
}

void SharedMemory::add(SharedAccess access, Operation *op, uint32_t buffer) {
  access.buffer = buffer;
  access.step = m_steps.at(m_time.at(op).end - 1);
  access.stageLine = stageLineOf(op);
  access.facts.range = m_sources.of(op);
  access.facts.operation = op->getName().getStringRef().str();
  access.facts.executions = 1;
  m_facts.accesses.push_back(std::move(access));
}

/// The buffers that an operation loads from or stores to, one for each of its accesses; none: it
/// uses its own as scratch.
static SmallVector<Value, 2> touchedBuffers(Operation *op) {
  if (auto load = dyn_cast<ttg::LocalLoadOp>(op))
    return {load.getSrc()};
  if (auto store = dyn_cast<ttg::LocalStoreOp>(op))
    return {store.getDst()};
  SmallVector<Value, 2> factors;
  if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
    llvm::copy_if(ValueRange{dot.getA(), dot.getB()}, std::back_inserter(factors),
                  [](Value factor) { return isa<ttg::MemDescType>(factor.getType()); });
  return factors;
}

void SharedMemory::addCounted(Operation *op, const PlannedAccesses &planned) {
  const SmallVector<Value, 2> touched = touchedBuffers(op);
  size_t next = 0;
  for (const OperationAccess &each : planned.accesses) {
    if (!isShared(each.plan.action))
      continue;
    const auto buffer =
        touched.empty() ? bufferOf(op) : bufferOf(touched[std::min(next++, touched.size() - 1)]);
    if (!buffer)
      continue;
    SharedAccess access;
    access.isWrite = each.plan.action == MemoryAction::SharedStore;
    access.facts.action = each.plan.action;
    access.facts.elementBytes = each.plan.elementBytes;
    access.facts.vectorBytes = each.plan.vectorBytes();
    access.facts.counts = countExecution(each);
    access.lanes = lanesOf(each.plan);
    add(std::move(access), op, *buffer);
  }
}

static std::string whyUncounted(Operation *op, const PlannedAccesses &planned) {
  if (isa<ttg::AsyncCopyGlobalToLocalOp>(op))
    return "what a copy costs past the registers is counted where it reads global memory";
  if (!planned.uncounted.empty())
    return planned.uncounted;
  return "it is not a load or store by all threads of a warp";
}

/// Eight rows of a buffer as lanes, and how its elements are swizzled; without lanes where there are
/// none.
static AccessLanes rowsOf(Value buffer) {
  const std::optional<access::AccessPlan> rows = rowsOfBuffer(buffer);
  return rows ? lanesOf(*rows) : AccessLanes();
}

/// What units of their own read and write.
void SharedMemory::addUncounted(Operation *op, const PlannedAccesses &planned) {
  const auto effects = ttg::bufferEffectsOf(op);
  const bool isCounted = !touchedBuffers(op).empty() && planned.uncounted.empty();
  if (!effects || isCounted || isa<ttg::LocalAllocOp>(op))
    return;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    const Value buffer = effect.getValue();
    if (!buffer || !isa<ttg::MemDescType>(buffer.getType()) ||
        !isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))
      continue;
    const auto number = bufferOf(buffer);
    if (!number)
      continue;
    SharedAccess access;
    access.isWrite = isa<MemoryEffects::Write>(effect.getEffect());
    access.facts.action = access.isWrite ? MemoryAction::SharedStore : MemoryAction::SharedLoad;
    access.lanes = rowsOf(buffer);
    access.facts.elementBytes = access.lanes.elementBytes;
    access.uncounted = whyUncounted(op, planned);
    add(std::move(access), op, *number);
  }
}

void SharedMemory::addAccesses(const AxisInfoMap &axes) {
  for (const auto &[op, moment] : m_time) {
    const PlannedAccesses planned = touchesMemory(op) ? accessesOf(op, axes) : PlannedAccesses();
    addCounted(op, planned);
    addUncounted(op, planned);
  }
}

void SharedMemory::addRings(ModuleOp laidOut) {
  laidOut.walk([&](ttg::LocalAllocOp alloc) {
    Operation *loop = nullptr;
    std::optional<SharedRing> ring = findRing(alloc, loop);
    const auto buffer = std::ranges::find_if(m_facts.buffers, [&](const SharedBuffer &each) {
      return each.use == SharedUse::Buffer && each.stageLine == stageLineOf(alloc);
    });
    if (!ring || buffer == m_facts.buffers.end())
      return;
    ring->buffer = static_cast<uint32_t>(buffer - m_facts.buffers.begin());
    ring->range = m_sources.of(loop);
    m_facts.rings.push_back(std::move(*ring));
  });
}

void SharedMemory::markLoops(ModuleOp laidOut) {
  std::vector<Lines> loops;
  laidOut.walk([&](LoopLikeOpInterface loop) {
    Lines lines(stageLineOf(loop), stageLineOf(loop));
    loop->walk([&](Operation *op) { lines.second = std::max(lines.second, stageLineOf(op) + 1); });
    loops.push_back(lines);
  });
  const auto isInLoop = [&](uint32_t line) {
    return std::ranges::any_of(
        loops, [&](const Lines &lines) { return lines.first <= line && line < lines.second; });
  };
  for (SharedStep &step : m_facts.steps)
    step.isInLoop = isInLoop(step.stageLine);
  for (SharedAccess &access : m_facts.accesses)
    access.facts.isInLoop = isInLoop(access.stageLine);
}

Result<SharedFacts> findSharedMemory(const CompileResult &compiled,
                                     const std::map<std::string, int64_t> *numbers) {
  const Stage *stage = compiled.stage(StageId::Ttgir);
  const Result<TargetSpec> target = parseTarget(compiled.target);
  const auto fail = [](const std::string &message) { return Error{ErrorCode::Usage, message, ""}; };
  if (!stage || !stage->ok || !target)
    return fail("shared memory is known of a kernel that compiles to TTGIR");
  ParsedKernel kernel(stage->text);
  if (!kernel.module() || !kernel.settle())
    return fail(kernel.message());
  if (numbers)
    noteLaunchedNumbers(kernel.module(), compiled.metadata.parameters, *numbers);
  OwningOpRef<ModuleOp> lowered = kernel.module().clone();
  PassManager passes(kernel.context());
  passes.addPass(createLoopsToBranches());
  if (failed(passes.run(*lowered)))
    return fail(kernel.message());
  llvm::DenseMap<Operation *, std::unique_ptr<BufferAliases>> aliases;
  const auto aliasesOf = [&](tt::FuncOp function) -> const BufferAliases & {
    std::unique_ptr<BufferAliases> &known = aliases[function];
    if (!known)
      known = std::make_unique<BufferAliases>(function);
    return *known;
  };
  const int64_t limit = target->maxSharedBytes();
  SmallVector<SharedPlaces> functions = placeSharedMemory(*lowered, limit, aliasesOf);
  const auto main =
      llvm::find_if(functions, [](SharedPlaces &each) { return each.function.isPublic(); });
  if (main == functions.end())
    return fail("the document has no kernel");
  const StageSources sources(stage->sourceMap);
  const ValueNames names(stage->text, compiled.files);
  SharedMemory memory(*main, aliasesOf(main->function), sources, names);
  memory.addBuffers();
  memory.addAccesses(AxisInfoMap(*lowered));
  memory.addRings(kernel.module());
  memory.markLoops(kernel.module());
  SharedFacts facts = memory.take();
  facts.limit = limit;
  return facts;
}

} // namespace tilescope::compiler
