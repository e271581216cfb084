// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SharedMemory.h"

#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
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

/// The buffer that an operation loads from, stores to, or uses as scratch.
static Value touchedBuffer(Operation *op) {
  if (auto load = dyn_cast<ttg::LocalLoadOp>(op))
    return load.getSrc();
  if (auto store = dyn_cast<ttg::LocalStoreOp>(op))
    return store.getDst();
  return nullptr;
}

void SharedMemory::addCounted(Operation *op, const PlannedAccesses &planned) {
  const Value touched = touchedBuffer(op);
  const auto buffer = touched ? bufferOf(touched) : bufferOf(op);
  if (!buffer)
    return;
  for (const OperationAccess &each : planned.accesses) {
    if (!isShared(each.plan.action))
      continue;
    SharedAccess access;
    access.isWrite = each.plan.action == MemoryAction::SharedStore;
    access.facts.action = each.plan.action;
    access.facts.elementBytes = each.plan.elementBytes;
    access.facts.vectorBytes = each.plan.vectorBytes();
    access.facts.counts =
        access::countSharedExecution(each.plan) * static_cast<uint64_t>(each.repeats);
    access.lanes = lanesOf(each.plan);
    add(std::move(access), op, *buffer);
  }
}

static std::string whyUncounted(Operation *op, const PlannedAccesses &planned) {
  if (isa<ttng::WarpGroupDotOp>(op))
    return "the tensor core reads its factors from shared memory by itself";
  if (isa<ttg::AsyncCopyGlobalToLocalOp>(op))
    return "what a copy costs past the registers is counted where it reads global memory";
  if (!planned.uncounted.empty())
    return planned.uncounted;
  return "it is not a load or store by all threads of a warp";
}

/// Eight rows of a buffer as if lanes read them, 16 bytes each: how its elements are swizzled.
/// Without lanes where there are fewer rows, or elements that fill no bytes.
static AccessLanes rowsOf(Value buffer) {
  auto type = cast<ttg::MemDescType>(buffer.getType());
  constexpr int kRowBits = 3, kPieceBytes = 16;
  const int64_t bytes = sharedElementBytes(type.getElementType());
  if (type.getRank() != 2 || ttng::isInTensorMemory(type))
    return {};
  LinearLayout shared = ttg::toLinearLayout(type);
  if (shared.hasIn(Dim::Block))
    shared = shared.dropIn(Dim::Block);
  const int along = shared.basis(Dim::Offset, 0, tensorDim(1)) != 0 ? 1 : 0;
  const int64_t rows = type.getShape()[static_cast<size_t>(1 - along)];
  const int64_t length = type.getShape()[static_cast<size_t>(along)];
  if (rows < (1 << kRowBits) || length * bytes < kPieceBytes ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(rows)) ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(length)))
    return {};
  const LinearLayout registers =
      (LinearLayout::identity(length, Dim::Register, tensorDim(along)) *
       LinearLayout::identity(1 << kRowBits, Dim::Lane, tensorDim(1 - along)) *
       LinearLayout::identity(rows >> kRowBits, Dim::Warp, tensorDim(1 - along)))
          .canonicalOuts();
  access::AccessPlan plan;
  plan.places = placesInShared(shared, registers);
  plan.elementBytes = static_cast<int>(bytes);
  plan.vectorElements = static_cast<int>(kPieceBytes / bytes);
  plan.vectorRegisters = static_cast<uint32_t>(plan.vectorElements - 1);
  plan.numWarps = static_cast<int>(rows >> kRowBits);
  plan.numLanes = 1 << kRowBits;
  AccessLanes lanes = lanesOf(plan);
  for (const PaddingRule &rule : paddingOf(type.getEncoding()))
    lanes.padding.emplace_back(rule.interval, rule.padding);
  return lanes;
}

/// What units of their own read and write.
void SharedMemory::addUncounted(Operation *op, const PlannedAccesses &planned) {
  const auto effects = ttg::bufferEffectsOf(op);
  if (!effects || touchedBuffer(op) || isa<ttg::LocalAllocOp>(op))
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
