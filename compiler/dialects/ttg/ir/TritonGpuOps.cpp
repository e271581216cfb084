// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The classes that ODS generates; verifiers and folds are in the files of their families.
#include "compiler/dialects/tt/ir/CachePolicy.h"
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

// The format of the memories of a barrier: `local|global_write`.
static ParseResult parseSpaces(OpAsmParser &parser, tilescope::ttg::MemorySpacesAttr &spaces) {
  using tilescope::ttg::MemorySpaces;
  MemorySpaces all = MemorySpaces::None;
  do {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<MemorySpaces> space = tilescope::ttg::symbolizeMemorySpaces(word);
    if (!space)
      return parser.emitError(loc, "unknown memory space `") << word << "`";
    all = all | *space;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  spaces = tilescope::ttg::MemorySpacesAttr::get(parser.getContext(), all);
  return success();
}

static void printSpaces(OpAsmPrinter &printer, Operation *,
                        tilescope::ttg::MemorySpacesAttr spaces) {
  printer << tilescope::ttg::stringifyMemorySpaces(spaces.getValue());
}

#define GET_OP_CLASSES
#include "compiler/dialects/ttg/ir/TritonGpuOps.cpp.inc"
