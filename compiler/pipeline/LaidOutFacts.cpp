// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What TTGIR shows: which unit computes a product, what a product waits for, and between what a
// conversion stands.
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttg/ir/MatrixInstruction.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/ComputeFacts.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"
#include "compiler/transforms/ttg/LoadsAhead.h"
#include "compiler/transforms/ttg/WarpGroupMatmul.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilescope::compiler {

/// `fp16`, `bf16`, `int8`, ….
static std::string elementName(Type type) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << getElementTypeOrSelf(type);
  if (name.starts_with("f") && name.size() <= 3)
    return "fp" + name.substr(1);
  return name.starts_with("i") ? "int" + name.substr(1) : name;
}

static bool isInLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>() != nullptr;
}

/// Why no matrix instruction of a warp computes the product.
static ProductObstacle warpObstacle(tt::DotOp dot, int capability) {
  if (capability < 80)
    return ProductObstacle::Target;
  const std::optional<ttg::MatrixInstruction> instruction = ttg::findMatrixInstruction(dot);
  if (!instruction)
    return ProductObstacle::Types;
  const int64_t depth = dot.getA().getType().getShape().back();
  return depth < instruction->depth ? ProductObstacle::Depth : ProductObstacle::None;
}

static ProductFacts productFacts(tt::DotOp dot) {
  auto module = dot->getParentOfType<ModuleOp>();
  const int capability = ttg::computeCapability(module);
  const bool isByWarps = isa_and_nonnull<ttg::NvidiaMmaEncodingAttr>(dot.getType().getEncoding());
  ProductFacts facts;
  facts.unit = isByWarps ? ProductUnit::Warps : ProductUnit::Threads;
  facts.obstacle = isByWarps ? ttg::warpGroupObstacle(dot, ttg::numWarps(module), capability)
                             : warpObstacle(dot, capability);
  const ArrayRef<int64_t> shape = dot.getType().getShape().take_back(2);
  facts.shape = {shape[0], shape[1], dot.getA().getType().getShape().back()};
  facts.factorType = elementName(dot.getA().getType());
  facts.resultType = elementName(dot.getType());
  return facts;
}

static ProductFacts productFacts(ttng::WarpGroupDotOp dot) {
  ProductFacts facts;
  facts.unit = ProductUnit::WarpGroups;
  auto type = cast<RankedTensorType>(dot.getD().getType());
  auto right = cast<ShapedType>(dot.getB().getType());
  facts.shape = {type.getShape()[0], type.getShape()[1], right.getShape()[0]};
  facts.factorType = elementName(right.getElementType());
  facts.resultType = elementName(type);
  return facts;
}

static std::optional<ProductFacts> productOf(Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return productFacts(dot);
  if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
    return productFacts(dot);
  return std::nullopt;
}

/// The loads of tiles that are factors of products in the same iteration of the loop.
static llvm::SetVector<tt::LoadOp> loadsOfFactors(scf::ForOp loop) {
  llvm::SetVector<tt::LoadOp> loads;
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> work;
  for (Operation &op : *loop.getBody())
    llvm::append_range(work, ttg::factorsOf(op));
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || !seen.insert(op))
      continue;
    auto load = dyn_cast<tt::LoadOp>(op);
    if (!load)
      llvm::append_range(work, op->getOperands());
    else if (isa<RankedTensorType>(load.getType()))
      loads.insert(load);
  }
  return loads;
}

std::vector<WaitingLoad> waitingLoads(scf::ForOp loop, int numStages, const AxisInfoMap &axes,
                                      const StageSources &sources) {
  std::vector<WaitingLoad> waiting;
  const llvm::SetVector<tt::LoadOp> loads = loadsOfFactors(loop);
  if (loads.empty())
    return waiting;
  if (auto own = loop->getAttrOfType<IntegerAttr>(tt::kNumStagesAttr))
    numStages = static_cast<int>(own.getInt());
  const std::optional<ttg::LoadsAhead> ahead = ttg::LoadsAhead::of(loop, axes);
  for (tt::LoadOp load : loads) {
    LoopObstacle obstacle = LoopObstacle::SharedMemory;
    if (numStages < 2)
      obstacle = LoopObstacle::Stages;
    else if (!ahead)
      obstacle = LoopObstacle::Effects;
    else if (const auto found = ahead->leftOut.find(load); found != ahead->leftOut.end())
      obstacle = found->second;
    else if (ahead->addresses.contains(load))
      continue;
    waiting.push_back({sources.of(load), sources.of(loop), obstacle});
  }
  return waiting;
}

/// The operation that determines the layout of a value, through those that pass layouts on.
static Operation *producerOf(Value value) {
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps; ++step) {
    Operation *op = value.getDefiningOp();
    if (!op || !ttg::passesLayouts(op) || isa<tt::ReduceOp>(op))
      return op;
    const auto laidOut = llvm::find_if(op->getOperands(), [](Value operand) {
      Operation *made = operand.getDefiningOp();
      return isa<RankedTensorType>(operand.getType()) && !(made && ttg::isMadeInAnyLayout(made));
    });
    if (laidOut == op->operand_end())
      return op;
    value = *laidOut;
  }
  return nullptr;
}

static Operation *consumerOf(Value value) {
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps; ++step) {
    if (value.use_empty())
      return nullptr;
    Operation *user = *value.user_begin();
    if (!ttg::passesLayouts(user) || isa<tt::ReduceOp>(user))
      return user;
    value = user->getResult(0);
  }
  return nullptr;
}

static ConversionEnds endsOf(ttg::ConvertLayoutOp conversion, const StageSources &sources) {
  ConversionEnds ends;
  if (Operation *producer = producerOf(conversion.getSrc())) {
    ends.producer = producer->getName().getStringRef();
    ends.producerRange = sources.of(producer);
  }
  if (Operation *consumer = consumerOf(conversion.getResult())) {
    ends.consumer = consumer->getName().getStringRef();
    ends.consumerRange = sources.of(consumer);
  }
  return ends;
}

void addLaidOutFacts(ModuleOp ttgir, const std::vector<Operation *> &operations, int numStages,
                     const StageSources &sources, ComputeFacts &facts) {
  for (Operation *op : operations)
    if (auto conversion = dyn_cast<ttg::ConvertLayoutOp>(op))
      facts.conversionEnds.push_back(endsOf(conversion, sources));
  addReductions(ttgir, sources, facts);
  const AxisInfoMap axes(ttgir);
  ttgir.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      llvm::append_range(facts.waitingLoads, waitingLoads(loop, numStages, axes, sources));
    std::optional<ProductFacts> product = productOf(op);
    if (!product)
      return;
    product->range = sources.of(op);
    product->isInLoop = isInLoop(op);
    facts.products.push_back(std::move(*product));
  });
}

} // namespace tilescope::compiler
