// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopPipelines.h"

#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/ComputeFacts.h"
#include "compiler/pipeline/LeftOutIterations.h"
#include "compiler/pipeline/LoopEvents.h"
#include "compiler/pipeline/LoopOperations.h"
#include "compiler/pipeline/LoopSummary.h"
#include "compiler/pipeline/ParsedKernel.h"
#include "compiler/pipeline/SharedSteps.h"
#include "compiler/transforms/ttg/LoadsAhead.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

using Buffers = llvm::SetVector<Operation *>;

static bool uses(Operation *op, const Buffers &buffers) {
  const BufferUses used = bufferUsesOf(op);
  return llvm::any_of(llvm::concat<const Value>(used.reads, used.writes), [&](Value buffer) {
    Operation *alloc = bufferPartOf(buffer).alloc;
    return alloc && buffers.contains(alloc);
  });
}

static Buffers buffersOf(scf::ForOp loop) {
  Buffers buffers;
  loop.walk([&](Operation *op) {
    const BufferUses used = bufferUsesOf(op);
    for (const Value buffer : llvm::concat<const Value>(used.reads, used.writes))
      if (Operation *alloc = bufferPartOf(buffer).alloc)
        buffers.insert(alloc);
  });
  return buffers;
}

/// Whether an operation before the loop belongs to its pipeline.
static bool prepares(Operation *op, const Buffers &buffers) {
  const std::optional<LoopAction> action = loopActionOf(op);
  if (!action)
    return false;
  if (*action == LoopAction::LocalStore)
    return uses(op, buffers);
  return *action < LoopAction::Product || (*action == LoopAction::Product && isUnderWayBehind(op));
}

/// Up to the loop before; in the order of the text.
static std::vector<Operation *> before(Operation *end, const Buffers &buffers) {
  std::vector<Operation *> found;
  for (Operation *op = end->getPrevNode(); op && !isa<LoopLikeOpInterface>(op);
       op = op->getPrevNode())
    if (prepares(op, buffers))
      found.push_back(op);
  std::ranges::reverse(found);
  return found;
}

/// Up to the next loop, or to what fills other buffers.
static std::vector<Operation *> behind(Operation *loop, const Buffers &buffers) {
  std::vector<Operation *> found;
  for (Operation *op = loop->getNextNode(); op && !isa<LoopLikeOpInterface>(op);
       op = op->getNextNode()) {
    const std::optional<LoopAction> action = loopActionOf(op);
    if (!action)
      continue;
    if (isCopy(*action) && !uses(op, buffers))
      break;
    if (isWait(*action) || *action == LoopAction::Arrive || uses(op, buffers))
      found.push_back(op);
  }
  return found;
}

static LoopStrand strandOf(scf::ForOp loop, int32_t partition) {
  const Buffers buffers = buffersOf(loop);
  return {partition, before(loop, buffers), behind(loop, buffers), loop};
}

/// The loop of a group of warps in which it waits, copies or multiplies most.
static scf::ForOp mainLoop(Region &region) {
  scf::ForOp best;
  int most = -1;
  region.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    int count = 0;
    walkIteration(*loop.getBody(), [&](Operation *op) {
      const std::optional<LoopAction> action = loopActionOf(op);
      count += action && *action <= LoopAction::Product;
    });
    if (count > most) {
      best = loop;
      most = count;
    }
  });
  return best;
}

namespace {

/// The loops of one kernel.
class Loops {
public:
  Loops(ModuleOp module, const Stage &stage, const std::vector<SourceFile> &files, int numStages)
      : m_module(module), m_sources(stage.sourceMap), m_names(stage.text, files), m_axes(module),
        m_numStages(numStages) {}

  std::vector<LoopFacts> find();

private:
  void addGroups(ttg::WarpSpecializeOp specialized);
  void addLoop(scf::ForOp loop);
  void addUncounted(scf::WhileOp loop);
  void follow(ArrayRef<LoopStrand> strands, LoopFacts &facts);
  PipelineObstacle obstacleOf(scf::ForOp loop, const LoopFacts &facts);

  ModuleOp m_module;
  StageSources m_sources;
  ValueNames m_names;
  AxisInfoMap m_axes;
  int m_numStages;
  std::vector<LoopFacts> m_loops;
  /// Those of groups of warps.
  llvm::SetVector<Operation *> m_done;
};

} // namespace

std::vector<LoopFacts> Loops::find() {
  m_module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op))
      addGroups(specialized);
    else if (auto loop = dyn_cast<scf::ForOp>(op); loop && !m_done.contains(op))
      addLoop(loop);
    else if (auto uncounted = dyn_cast<scf::WhileOp>(op))
      addUncounted(uncounted);
  });
  return std::move(m_loops);
}

void Loops::follow(ArrayRef<LoopStrand> strands, LoopFacts &facts) {
  constexpr int32_t kLeastShown = 4, kMostShown = 12, kMostFollowed = 512;
  int32_t slots = 1;
  for (const LoopStrand &strand : strands) {
    slots = std::max(slots, mostSlots(strand));
    if (const auto count = strand.loop ? LoopNumbers(strand.loop).numIterations() : std::nullopt;
        count && facts.numIterations < 0)
      facts.numIterations = *count;
  }
  const int32_t shown = std::clamp(2 * slots + 2, kLeastShown, kMostShown);
  const bool isWhole = facts.numIterations >= 0 && facts.numIterations <= kMostFollowed;
  const int32_t count = isWhole ? static_cast<int32_t>(facts.numIterations) : shown;
  std::vector<LoopStrand> followed(strands.begin(), strands.end());
  // Of a loop that goes on, the end is not known.
  if (!isWhole && facts.numIterations >= 0)
    for (LoopStrand &strand : followed)
      strand.behind.clear();
  followLoop(followed, count, m_sources, m_names, facts);
  facts.numFollowed = count;
  const int32_t last = std::min(slots + 1, shown / 2);
  if (count > shown)
    dropIterations(shown - last, count - last, facts);
}

PipelineObstacle Loops::obstacleOf(scf::ForOp loop, const LoopFacts &facts) {
  if (isUnderWay(facts.pipeline))
    return PipelineObstacle::None;
  bool holdsLoop = false, loads = false, multiplies = false;
  walkIteration(*loop.getBody(), [&](Operation *op) {
    const std::optional<LoopAction> action = loopActionOf(op);
    holdsLoop |= action == LoopAction::InnerLoop;
    loads |= action == LoopAction::Load;
    multiplies |= action == LoopAction::Product;
  });
  if (holdsLoop)
    return PipelineObstacle::HoldsLoop;
  if (!loads)
    return PipelineObstacle::NoLoads;
  if (!multiplies)
    return PipelineObstacle::NoProduct;
  if (ttg::computeCapability(m_module) < 80)
    return PipelineObstacle::Target;
  return facts.waiting.empty() ? PipelineObstacle::OtherFactors : PipelineObstacle::Loads;
}

void Loops::addLoop(scf::ForOp loop) {
  LoopFacts &facts = m_loops.emplace_back();
  facts.range = m_sources.of(loop);
  facts.stageLine = stageLineOf(loop);
  facts.pipeline.range = facts.range;
  summarize(loop, facts.pipeline);
  facts.waiting = waitingLoads(loop, m_numStages, m_axes, m_sources);
  std::ranges::sort(facts.waiting, {}, &WaitingLoad::range);
  facts.obstacle = obstacleOf(loop, facts);
  facts.step = LoopNumbers(loop).find(loop.getStep()).value_or(0);
  facts.partitions.push_back({"", static_cast<int32_t>(ttg::numWarps(m_module)), facts.range});
  follow({strandOf(loop, 0)}, facts);
}

void Loops::addUncounted(scf::WhileOp loop) {
  LoopFacts &facts = m_loops.emplace_back();
  facts.range = facts.pipeline.range = m_sources.of(loop);
  facts.stageLine = stageLineOf(loop);
  facts.obstacle = PipelineObstacle::NoCounter;
}

void Loops::addGroups(ttg::WarpSpecializeOp specialized) {
  std::vector<LoopStrand> strands;
  LoopFacts facts;
  facts.stageLine = stageLineOf(specialized);
  const auto add = [&](Region &region, std::string name, int numWarps) {
    const auto partition = static_cast<int32_t>(strands.size());
    scf::ForOp loop = mainLoop(region);
    LoopStrand strand{partition, {}, {}, nullptr};
    if (loop) {
      strand = strandOf(loop, partition);
      summarize(loop, facts.pipeline);
      m_done.insert(loop);
    } else {
      walkIteration(region.front(), [&](Operation *op) { strand.before.push_back(op); });
    }
    const SourceRange range = loop ? m_sources.of(loop) : SourceRange();
    if (facts.range.empty())
      facts.range = range;
    facts.partitions.push_back({std::move(name), numWarps, range});
    strands.push_back(std::move(strand));
  };
  add(specialized.getDefaultRegion(), "default",
      static_cast<int>(ttg::numWarps(specialized->getParentOfType<ModuleOp>())));
  int number = 0;
  for (auto [region, numWarps] :
       llvm::zip(specialized.getPartitions(), specialized.getPartitionNumWarps()))
    add(region, "partition" + std::to_string(number++), numWarps);
  if (llvm::none_of(strands, [](const LoopStrand &each) { return each.loop; }))
    return;
  Buffers buffers;
  for (const LoopStrand &strand : strands)
    if (strand.loop)
      buffers.insert_range(buffersOf(strand.loop));
  std::vector<Operation *> first = before(specialized, buffers);
  first.insert(first.end(), strands[0].before.begin(), strands[0].before.end());
  strands[0].before = std::move(first);
  facts.pipeline.range = facts.range;
  follow(strands, facts);
  m_loops.push_back(std::move(facts));
}

Result<std::vector<LoopFacts>> findLoops(const CompileResult &compiled,
                                         const std::map<std::string, int64_t> *numbers) {
  const Stage *stage = compiled.stage(StageId::Ttgir);
  const auto fail = [](const std::string &message) { return Error{ErrorCode::Usage, message, ""}; };
  if (!stage || !stage->ok)
    return fail("loops are known of a kernel that compiles to TTGIR");
  ParsedKernel kernel(stage->text);
  if (!kernel.module() || !kernel.settle())
    return fail(kernel.message());
  if (numbers)
    noteLaunchedNumbers(kernel.module(), compiled.metadata.parameters, *numbers);
  std::vector<LoopFacts> loops =
      Loops(kernel.module(), *stage, compiled.files, compiled.metadata.numStages).find();
  for (LoopFacts &facts : loops)
    facts.isLaunchKnown = numbers != nullptr;
  return loops;
}

} // namespace tilescope::compiler
