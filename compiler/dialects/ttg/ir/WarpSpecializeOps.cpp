// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttg {

static ParseResult parsePartition(OpAsmParser &parser, int index, OperationState &result,
                                  SmallVector<int32_t> &numWarps) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseKeyword("num_warps") || parser.parseLParen() ||
      parser.parseInteger(numWarps.emplace_back()) || parser.parseRParen())
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

ParseResult WarpSpecializeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> captures;
  const SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(captures, AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("default") || parser.parseRegion(*result.addRegion()))
    return failure();
  SmallVector<int32_t> numWarps;
  for (int index = 0; succeeded(parser.parseOptionalKeyword(("partition" + Twine(index)).str()));
       ++index)
    if (parsePartition(parser, index, result, numWarps))
      return failure();
  result.addAttribute(getPartitionNumWarpsAttrName(result.name),
                      parser.getBuilder().getDenseI32ArrayAttr(numWarps));
  FunctionType types;
  if (parser.parseColonType(types) ||
      parser.resolveOperands(captures, types.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(types.getResults());
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter &printer) {
  printer << "(" << getCaptures() << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion(), /*printEntryBlockArgs=*/false);
  for (auto [index, partition] : llvm::enumerate(getPartitions())) {
    printer.printNewline();
    printer << "partition" << index << "(";
    llvm::interleaveComma(partition.getArguments(), printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") num_warps(" << getPartitionNumWarps()[index] << ") ";
    printer.printRegion(partition, /*printEntryBlockArgs=*/false);
  }
  printer << " : ";
  printer.printFunctionalType(*this);
}

LogicalResult WarpSpecializeOp::verify() {
  if (getPartitionNumWarps().size() != getPartitions().size())
    return emitOpError("needs a number of warps for each partition");
  for (int32_t count : getPartitionNumWarps())
    if (count < 1 || !llvm::isPowerOf2_32(count))
      return emitOpError("the number of warps of a partition must be a power of two");
  for (std::optional<ArrayRef<int32_t>> perPartition :
       {getWarpGroupStartIds(), getRequestedRegisters()})
    if (perPartition && perPartition->size() != getPartitions().size())
      return emitOpError("needs one number per partition in its lists");
  return success();
}

LogicalResult WarpSpecializeOp::verifyRegions() {
  for (Region &partition : getPartitions()) {
    if (partition.getArgumentTypes() != getCaptures().getTypes())
      return emitOpError("each partition takes the captured values as its arguments");
    WalkResult found = partition.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (!partition.isAncestor(operand.getParentRegion()))
          return op->emitOpError("uses a value that its partition has not captured"),
                 WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (found.wasInterrupted())
      return failure();
  }
  for (Block &block : getDefaultRegion())
    if (auto yield = dyn_cast<WarpYieldOp>(block.getTerminator()))
      if (yield.getValues().getTypes() != getResultTypes())
        return yield.emitOpError("must yield values of the types of the operation's results");
  return success();
}

} // namespace tilescope::ttg
