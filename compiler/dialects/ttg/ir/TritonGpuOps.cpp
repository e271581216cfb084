// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The classes that ODS generates; verifiers and folds are in the files of their families.
#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

// The format of the offsets of a subslice: `[0, 32]`.
static ParseResult parseOffsets(OpAsmParser &parser, DenseI32ArrayAttr &offsets) {
  SmallVector<int32_t> values;
  if (parser.parseCommaSeparatedList([&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  offsets = parser.getBuilder().getDenseI32ArrayAttr(values);
  return success();
}

static void printOffsets(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr offsets) {
  llvm::interleaveComma(offsets.asArrayRef(), printer);
}

#define GET_OP_CLASSES
#include "compiler/dialects/ttg/ir/TritonGpuOps.cpp.inc"
