// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/trace/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "compiler/dialects/trace/ir/TraceDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialects/trace/ir/TraceTypes.cpp.inc"

namespace tilescope::trace {

/// `ends 1 begins 2 at %c`, any number of times.
static ParseResult parseMarks(OpAsmParser &parser, DenseI32ArrayAttr &ends,
                              DenseI32ArrayAttr &begins,
                              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &clocks) {
  SmallVector<int32_t> ended, begun;
  const auto number = [&](StringRef word, SmallVector<int32_t> &numbers) -> ParseResult {
    numbers.push_back(0);
    return succeeded(parser.parseOptionalKeyword(word)) ? parser.parseInteger(numbers.back())
                                                        : success();
  };
  do {
    if (number("ends", ended) || number("begins", begun) || parser.parseKeyword("at") ||
        parser.parseOperand(clocks.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  ends = parser.getBuilder().getDenseI32ArrayAttr(ended);
  begins = parser.getBuilder().getDenseI32ArrayAttr(begun);
  return success();
}

static void printMarks(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr ends,
                       DenseI32ArrayAttr begins, OperandRange clocks) {
  llvm::interleaveComma(llvm::enumerate(clocks), printer, [&](const auto &each) {
    const auto &[index, clock] = each;
    if (ends[index])
      printer << "ends " << ends[index] << " ";
    if (begins[index])
      printer << "begins " << begins[index] << " ";
    printer << "at " << clock;
  });
}

} // namespace tilescope::trace

#define GET_OP_CLASSES
#include "compiler/dialects/trace/ir/TraceOps.cpp.inc"

namespace tilescope::trace {

void TraceDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialects/trace/ir/TraceTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialects/trace/ir/TraceOps.cpp.inc"
      >();
}

static LogicalResult verifyNumber(Operation *op, std::optional<uint32_t> id) {
  if (id && (*id < 1 || *id > kMostScopes))
    return op->emitOpError("needs the number of a scope, from 1 to ") << kMostScopes;
  return success();
}

LogicalResult ScopeOp::verify() {
  if ((getStarts() || getLeaves()) && !getQueue())
    return emitOpError("starts work or waits for it, but names no queue");
  return verifyNumber(*this, getId());
}

/// A scope that is open ends at the next mark; else the scope with the next number begins.
static bool follows(int32_t ends, int32_t begins, int32_t endsBefore, int32_t beginsBefore) {
  if (beginsBefore)
    return ends == beginsBefore && (begins == 0 || begins == ends + 1);
  return ends == 0 && begins == endsBefore + 1;
}

LogicalResult RecordOp::verify() {
  const ArrayRef<int32_t> ends = getEnds(), begins = getBegins();
  if (ends.size() != getClocks().size() || begins.size() != ends.size())
    return emitOpError("needs two numbers for each read of the clock");
  if (ends.empty() || ends.size() > kMostClocks)
    return emitOpError("has up to ") << kMostClocks << " reads of the clock";
  for (size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i] && !begins[i])
      return emitOpError("ends or begins a scope at each read of the clock, or both");
    if (ends[i] < 0 || begins[i] < 0 || ends[i] > kMostScopes || begins[i] > kMostScopes)
      return emitOpError("needs numbers of scopes, from 1 to ") << kMostScopes;
    if (i > 0 && !follows(ends[i], begins[i], ends[i - 1], begins[i - 1]))
      return emitOpError("has scopes that overlap, or whose numbers do not follow each other");
  }
  return success();
}

LogicalResult OpenOp::verify() {
  if (getPrograms().empty() || getWarps().empty())
    return emitOpError("needs a program and a warp");
  if (llvm::any_of(getPrograms(), [](int64_t program) { return program < 0; }) ||
      llvm::any_of(getWarps(), [](int32_t warp) { return warp < 0; }))
    return emitOpError("numbers programs and warps from 0");
  if (!llvm::isPowerOf2_32(getRecords()))
    return emitOpError("needs a power of two of records");
  return success();
}

} // namespace tilescope::trace
