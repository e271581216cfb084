// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/CachePolicy.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.cpp.inc"
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuEnums.cpp.inc"

namespace tilescope::ttng {

using Operand = OpAsmParser::UnresolvedOperand;

// `[%token]` or `[]` where the operation returns a token.
static ParseResult parseToken(OpAsmParser &parser, std::optional<Operand> &before, Type &after) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  after = parser.getBuilder().getType<ttg::AsyncTokenType>();
  if (succeeded(parser.parseOptionalRSquare()))
    return success();
  return failure(parser.parseOperand(before.emplace()) || parser.parseRSquare());
}

static void printToken(OpAsmPrinter &printer, Operation *, Value before, Type after) {
  if (!after)
    return;
  printer << "[";
  if (before)
    printer << before;
  printer << "]";
}

// `, %barrier[%predicate]`, any number of times.
static ParseResult parseBarriersAndPreds(OpAsmParser &parser, SmallVectorImpl<Operand> &barriers,
                                         SmallVectorImpl<Operand> &predicates) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(barriers.emplace_back()) || parser.parseLSquare() ||
        parser.parseOperand(predicates.emplace_back()) || parser.parseRSquare())
      return failure();
  return success();
}

static void printBarriersAndPreds(OpAsmPrinter &printer, Operation *, OperandRange barriers,
                                  OperandRange predicates) {
  for (auto [barrier, predicate] : llvm::zip(barriers, predicates))
    printer << ", " << barrier << "[" << predicate << "]";
}

} // namespace tilescope::ttng

#define GET_OP_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuOps.cpp.inc"

namespace tilescope::ttng {

namespace {
/// Everything may be inlined.
struct InlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void TTNGDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuOps.cpp.inc"
      >();
  addInterfaces<InlinerInterface>();
}

} // namespace tilescope::ttng
