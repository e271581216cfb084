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

LogicalResult MarkOp::verify() {
  if (!getEnds() && !getBegins())
    return emitOpError("ends or begins a scope, or both");
  if (failed(verifyNumber(*this, getEnds())))
    return failure();
  return verifyNumber(*this, getBegins());
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
