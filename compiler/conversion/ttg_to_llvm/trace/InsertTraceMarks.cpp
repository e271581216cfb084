// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Puts clock reads around what takes time, and says in the module what they are of:
//
//     ttg.async_wait {num = 1}          trace.mark %w begins 3
//     ttg.barrier local           ->    ttg.async_wait {num = 1}
//                                       trace.mark %w ends 3 begins 4
//                                       ttg.barrier local
//                                       trace.mark %w ends 4
#include "compiler/conversion/ttg_to_llvm/control/WarpDispatch.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/conversion/ttg_to_llvm/trace/OperationScopes.h"
#include "compiler/dialects/trace/ir/Dialect.h"
#include "compiler/dialects/trace/ir/TraceAttributes.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_INSERTTRACEMARKS
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

namespace {
/// The marks of one kernel.
class MarkInserter {
public:
  MarkInserter(ModuleOp module, ArrayRef<std::string> kinds) : m_module(module), m_wanted(kinds) {}

  LogicalResult insert(Region &region, const trace::OpenOp &open);

private:
  bool isWanted(StringRef kind) const {
    return m_wanted.empty() || llvm::is_contained(m_wanted, kind.str());
  }
  FailureOr<int32_t> addScope(const ScopedPart &part);
  void insertMark(Operation *before, const ScopedPart &part, int32_t ends, int32_t begins);
  LogicalResult insertInBlock(Block &block);

  ModuleOp m_module;
  ArrayRef<std::string> m_wanted;
  OperationKinds m_kinds;
  Value m_writer;
  int32_t m_numScopes = 0;
};
} // namespace

static IntegerAttr numberOf(OpBuilder &builder, int32_t number) {
  return number ? builder.getI32IntegerAttr(number) : IntegerAttr();
}

FailureOr<int32_t> MarkInserter::addScope(const ScopedPart &part) {
  if (m_numScopes == trace::kMostScopes)
    return part.named->emitError("the kernel has more operations than a trace has numbers for");
  OpBuilder builder = OpBuilder::atBlockBegin(m_module.getBody());
  // Behind those that are there.
  for (Operation &op : *m_module.getBody())
    if (isa<trace::ScopeOp>(op))
      builder.setInsertionPointAfter(&op);
  const OperationKind &kind = part.kind;
  trace::ScopeOp::create(builder, part.named->getLoc(), builder.getI32IntegerAttr(++m_numScopes),
                         builder.getStringAttr(kind.name), part.named->getName().getIdentifier(),
                         numberOf(builder, kind.queue), numberOf(builder, kind.starts),
                         kind.leaves ? builder.getI32IntegerAttr(*kind.leaves) : IntegerAttr());
  return m_numScopes;
}

void MarkInserter::insertMark(Operation *before, const ScopedPart &part, int32_t ends,
                              int32_t begins) {
  OpBuilder builder(before);
  trace::MarkOp::create(builder, part.named->getLoc(), m_writer, numberOf(builder, ends),
                        numberOf(builder, begins), ends ? part.awaited : Value());
}

/// What follows the part.
static Operation *behind(const ScopedPart &part) {
  return part.last ? part.last->getNextNode() : part.first;
}

/// Nothing makes code between a part's end and the operation.
static bool follows(Operation *next, const ScopedPart &part) {
  for (Operation *op = behind(part); op != next; op = op->getNextNode())
    if (op == nullptr || !isWithoutCode(op))
      return false;
  return true;
}

LogicalResult MarkInserter::insertInBlock(Block &block) {
  SmallVector<ScopedPart> parts = scopedParts(block, m_kinds);
  llvm::erase_if(parts, [&](const ScopedPart &part) { return !isWanted(part.kind.name); });
  int32_t previous = 0;
  for (auto [index, part] : llvm::enumerate(parts)) {
    const FailureOr<int32_t> scope = addScope(part);
    if (failed(scope))
      return failure();
    const ScopedPart *before = index ? &parts[index - 1] : nullptr;
    if (before && previous && follows(part.first, *before)) {
      insertMark(part.first, *before, previous, *scope);
    } else {
      if (previous)
        insertMark(behind(*before), *before, previous, 0);
      insertMark(part.first, part, 0, *scope);
    }
    previous = *scope;
  }
  if (previous)
    insertMark(behind(parts.back()), parts.back(), previous, 0);
  return success();
}

LogicalResult MarkInserter::insert(Region &region, const trace::OpenOp &open) {
  m_writer = trace::OpenOp(open).getWriter();
  for (Block &block : region) {
    if (failed(insertInBlock(block)))
      return failure();
    if (Operation *end = block.getTerminator(); isa<tt::ReturnOp, ttg::WarpReturnOp>(end)) {
      OpBuilder builder(end);
      trace::CloseOp::create(builder, end->getLoc(), m_writer);
    }
  }
  return success();
}

namespace {
struct InsertTraceMarks : impl::InsertTraceMarksBase<InsertTraceMarks> {
  using InsertTraceMarksBase::InsertTraceMarksBase;

  void runOnOperation() override {
    for (const std::string &kind : kinds)
      if (!llvm::is_contained(traceKinds(), kind)) {
        getOperation().emitError("a trace has no operations of the kind `") << kind << "`";
        return signalPassFailure();
      }
    for (auto function : getOperation().getOps<tt::FuncOp>())
      // Other functions do not know their caller's writer.
      if (function.isPublic() && !function.isDeclaration() && failed(traceKernel(function)))
        return signalPassFailure();
  }

private:
  trace::OpenOp open(Region &region, bool resumes);
  LogicalResult traceKernel(tt::FuncOp function);
};
} // namespace

trace::OpenOp InsertTraceMarks::open(Region &region, bool resumes) {
  SmallVector<int64_t> chosen(programs.begin(), programs.end());
  if (chosen.empty())
    chosen.push_back(0);
  SmallVector<int32_t> numbers(warps.begin(), warps.end());
  if (numbers.empty())
    for (int32_t warp = 0; warp < totalWarps(getOperation()) * ttg::numCtas(getOperation()); ++warp)
      numbers.push_back(warp);
  OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
  ModuleOp module = getOperation();
  module->setAttr(trace::kProgramsAttr, builder.getDenseI64ArrayAttr(chosen));
  module->setAttr(trace::kWarpsAttr, builder.getDenseI32ArrayAttr(numbers));
  module->setAttr(trace::kRecordsAttr, builder.getI32IntegerAttr(records));
  auto type = trace::WriterType::get(&getContext());
  return trace::OpenOp::create(builder, region.getLoc(), type, chosen, numbers,
                               static_cast<uint32_t>(records), resumes);
}

LogicalResult InsertTraceMarks::traceKernel(tt::FuncOp function) {
  MarkInserter inserter(getOperation(), ArrayRef<std::string>(kinds));
  SmallVector<ttg::WarpSpecializeOp> splits;
  function.walk([&](ttg::WarpSpecializeOp op) { splits.push_back(op); });
  const trace::OpenOp whole = open(function.getBody(), /*resumes=*/false);
  if (failed(inserter.insert(function.getBody(), whole)))
    return failure();
  for (ttg::WarpSpecializeOp split : splits) {
    if (failed(inserter.insert(split.getDefaultRegion(), whole)))
      return failure();
    for (Region &partition : split.getPartitions())
      if (failed(inserter.insert(partition, open(partition, /*resumes=*/true))))
        return failure();
  }
  return success();
}

} // namespace tilescope::compiler
