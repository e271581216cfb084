// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/KernelAccesses.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/OperationNumber.h"
#include "compiler/interpreter/TracedOperands.h"
#include "compiler/pipeline/DescribeConversion.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

std::vector<Operation *> numberOperations(ModuleOp module) {
  std::vector<Operation *> operations;
  Builder builder(module.getContext());
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!touchesMemory(op))
      return;
    op->setAttr(ttg::kOperationNumberAttr,
                builder.getI32IntegerAttr(static_cast<int32_t>(operations.size())));
    operations.push_back(op);
  });
  return operations;
}

std::optional<uint32_t> operationNumber(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(ttg::kOperationNumberAttr);
  return number ? std::optional(static_cast<uint32_t>(number.getInt())) : std::nullopt;
}

std::vector<int64_t> blockShape(Operation *op) {
  const Value pointer = interpreter::tracedOperands(op).pointer;
  auto type = pointer ? dyn_cast<RankedTensorType>(pointer.getType()) : RankedTensorType();
  return type ? std::vector<int64_t>(type.getShape().begin(), type.getShape().end())
              : std::vector<int64_t>();
}

int32_t elementBytesOf(Operation *op) {
  const Type type = getElementTypeOrSelf(interpreter::tracedOperands(op).pointer.getType());
  const Type element = cast<tt::PointerType>(type).getPointeeType();
  constexpr unsigned kBits = 8;
  return element.isIntOrFloat()
             ? static_cast<int32_t>(std::max(1u, element.getIntOrFloatBitWidth() / kBits))
             : static_cast<int32_t>(sizeof(int64_t));
}

std::vector<Operation *> numberAccesses(ModuleOp module) {
  std::vector<Operation *> operations;
  Builder builder(module.getContext());
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!interpreter::tracedOperands(op).pointer)
      return;
    op->setAttr(ttg::kOperationNumberAttr,
                builder.getI32IntegerAttr(static_cast<int32_t>(operations.size())));
    operations.push_back(op);
  });
  return operations;
}

bool rewriteDescriptors(ModuleOp module) {
  PassManager passes(module->getContext());
  passes.addPass(tt::createRewriteTensorDescriptorToPointer());
  return succeeded(passes.run(module));
}

AccessTally::AccessTally(const std::vector<PlannedAccesses> &operations)
    : m_entries(operations.size()) {
  for (size_t number = 0; number < operations.size(); ++number)
    for (const OperationAccess &access : operations[number].accesses)
      if (!isShared(access.plan.action))
        m_entries[number].counter = std::make_unique<access::AccessCounter>(access.plan);
}

void AccessTally::note(const TracedAccess &access) {
  Entry &entry = m_entries[access.number];
  ++entry.executions;
  if (!entry.counter || !access.hasAddresses)
    return;
  const std::optional<TracedAccess::Affine> affine = access.affine();
  const int argument = access.argumentAt(affine ? affine->base : access.addresses().front());
  entry.isToSeveral |= entry.executions > 1 && argument != entry.argument;
  entry.argument = argument;
  if (affine && access.isWhole())
    entry.counter->addAffine({affine->base, affine->step});
  else
    entry.counter->add(access.addresses(), access.mask());
}

namespace {

/// What all threads found of one operation.
struct Found {
  uint64_t executions = 0;
  AccessCounts global;
  int argument = -1;
};

} // namespace

static Found sumUp(const std::vector<std::unique_ptr<AccessTally>> &tallies, size_t number) {
  Found found;
  bool isFirst = true, isToSeveral = false;
  for (const std::unique_ptr<AccessTally> &tally : tallies) {
    const AccessTally::Entry &entry = tally->entries()[number];
    if (entry.executions == 0)
      continue;
    found.executions += entry.executions;
    if (entry.counter)
      found.global += entry.counter->counts();
    isToSeveral |= entry.isToSeveral || (!isFirst && entry.argument != found.argument);
    found.argument = entry.argument;
    isFirst = false;
  }
  if (isToSeveral)
    found.argument = -1;
  return found;
}

static std::string nameOf(const std::vector<std::string> &names, int number) {
  return number >= 0 && number < static_cast<int>(names.size()) ? names[static_cast<size_t>(number)]
                                                                : "";
}

SourceRange StageSources::of(Operation *op) const { return of(op->getLoc()); }

SourceRange StageSources::of(Location location) const {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  const uint32_t line = place.getLine() - 1;
  const auto found = std::ranges::lower_bound(m_map.lines, line, {}, &LineMapping::line);
  if (found == m_map.lines.end() || found->line != line || found->sources.empty())
    return {};
  const auto inDocument =
      std::ranges::find(found->sources, 0u, [](const SourceRange &range) { return range.file; });
  return inDocument == found->sources.end() ? found->sources.front() : *inDocument;
}

/// One kind of instruction, for all executions.
static AccessFacts accessFacts(const OperationAccess &access, const Found &found,
                               const std::vector<std::string> &argumentNames,
                               const StageSources &sources) {
  AccessFacts facts;
  facts.action = access.plan.action;
  facts.elementBytes = access.plan.elementBytes;
  facts.vectorBytes = access.plan.vectorBytes();
  facts.executions = found.executions;
  if (isShared(access.plan.action)) {
    facts.counts = countExecution(access) * found.executions;
    return facts;
  }
  facts.counts = found.global;
  facts.argument = nameOf(argumentNames, found.argument);
  facts.limit = access.limit;
  facts.limit->argument = nameOf(argumentNames, access.limitingArgument);
  if (access.hidingPlace)
    facts.limit->hiddenIn = sources.of(access.hidingPlace);
  return facts;
}

void addFacts(const CountedKernel &kernel, const StageSources &sources, MemoryFacts &facts) {
  for (size_t number = 0; number < kernel.operations.size(); ++number) {
    Operation *op = kernel.operations[number];
    const PlannedAccesses &accesses = kernel.accesses[number];
    const Found found = sumUp(kernel.tallies, number);
    const SourceRange range = sources.of(op);
    const std::string name = op->getName().getStringRef().str();
    const bool isInLoop = op->getParentOfType<LoopLikeOpInterface>() != nullptr;
    AccessCounts ofOperation;
    for (const OperationAccess &access : accesses.accesses) {
      AccessFacts added = accessFacts(access, found, kernel.argumentNames, sources);
      added.range = range;
      added.operation = name;
      added.isInLoop = isInLoop;
      ofOperation += added.counts;
      facts.accesses.push_back(std::move(added));
    }
    if (!accesses.uncounted.empty())
      facts.uncounted.push_back({range, name, accesses.uncounted});
    if (!accesses.conversion)
      continue;
    ConversionFacts conversion =
        describeConversion(cast<ttg::ConvertLayoutOp>(op), accesses, sources);
    conversion.range = range;
    conversion.pass = kernel.conversionPasses.lookup(op);
    conversion.isInLoop = isInLoop;
    conversion.executions = found.executions;
    conversion.wavefronts = ofOperation.wavefronts;
    conversion.minimumWavefronts = ofOperation.minimumWavefronts;
    facts.conversions.push_back(std::move(conversion));
  }
}

} // namespace tilescope::compiler
