// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/TritonVersion.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

void TMEMAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  OpResult result = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), result, TensorMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), result, TensorMemory::get());
}

static LogicalResult verifyPlace(Operation *op, ttg::MemDescType buffer, bool isWritten) {
  if (!isInTensorMemory(buffer))
    return op->emitOpError("needs a buffer in tensor memory, found ") << buffer;
  if (isWritten && !buffer.getMutableMemory())
    return op->emitOpError("needs a mutable buffer");
  return success();
}

static LogicalResult verifyElements(Operation *op, Type type, ttg::MemDescType buffer) {
  auto block = cast<RankedTensorType>(type);
  if (block.getShape() != buffer.getShape() || block.getElementType() != buffer.getElementType())
    return op->emitOpError("moves ")
           << block << " to or from a buffer with other elements, " << buffer;
  return success();
}

LogicalResult TMEMAllocOp::verify() {
  if (failed(verifyPlace(*this, getType(), /*isWritten=*/!getSrc())))
    return failure();
  return getSrc() ? verifyElements(*this, getSrc().getType(), getType()) : success();
}

/// A reduction's result has an element for each row, in the layout of the rows.
static LogicalResult verifyReduction(TMEMLoadOp op) {
  auto block = cast<RankedTensorType>(op.getResult().getType());
  if (!op.getRedOp()) {
    if (op.getRed() || op.getAbs() || op.getNaN())
      return op.emitOpError("needs a `redOp` for a reduction");
    return success();
  }
  if (!op.getRed())
    return op.emitOpError("needs a second result for its reduction");
  auto reduced = cast<RankedTensorType>(op.getRed().getType());
  if (block.getRank() != 2 || !block.getElementType().isF32())
    return op.emitOpError("reduces matrices of `f32` only");
  auto slice = dyn_cast_or_null<ttg::SliceEncodingAttr>(reduced.getEncoding());
  if (reduced.getShape() != block.getShape().take_front() || !reduced.getElementType().isF32() ||
      !slice || slice.getDim() != 1 || slice.getParent() != block.getEncoding())
    return op.emitOpError("needs a reduction with an element for each row, found ") << reduced;
  return success();
}

LogicalResult TMEMLoadOp::verify() {
  if (failed(verifyPlace(*this, getSrc().getType(), false)) || failed(verifyReduction(*this)))
    return failure();
  return verifyElements(*this, getResult().getType(), getSrc().getType());
}

LogicalResult TMEMStoreOp::verify() {
  if (failed(verifyPlace(*this, getDst().getType(), true)))
    return failure();
  return verifyElements(*this, getSrc().getType(), getDst().getType());
}

// The key of the offset up to Triton 3.8.
static constexpr StringLiteral kOlderOffset = "N";

ParseResult TMEMSubSliceOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand source;
  Type from, to;
  if (parser.parseOperand(source) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(from) || parser.parseArrow() || parser.parseType(to) ||
      parser.resolveOperand(source, from, state.operands))
    return failure();
  if (Attribute older = state.attributes.erase(kOlderOffset))
    state.attributes.set(getOffsetAttrName(state.name), older);
  state.addTypes(to);
  return success();
}

void TMEMSubSliceOp::print(OpAsmPrinter &printer) {
  printer << " " << getSrc();
  const bool isOlder = tt::PrintedVersion::of(getContext()) < tt::kTensorMemoryParts;
  if (isOlder && getDim() == 1) {
    NamedAttrList attributes((*this)->getDiscardableAttrDictionary());
    attributes.set(kOlderOffset, getOffsetAttr());
    printer.printOptionalAttrDict(attributes);
  } else {
    printer.printOptionalAttrDict((*this)->getAttrs(), getDim() == 1
                                                           ? ArrayRef<StringRef>(getDimAttrName())
                                                           : ArrayRef<StringRef>());
  }
  printer << " : " << getSrc().getType() << " -> " << getResult().getType();
}

LogicalResult TMEMSubSliceOp::verify() {
  ttg::MemDescType source = getSrc().getType(), result = getResult().getType();
  if (failed(verifyPlace(*this, source, false)) || failed(verifyPlace(*this, result, false)))
    return failure();
  const int64_t dim = getDim();
  if (dim < 0 || dim >= source.getRank())
    return emitOpError("dim ") << dim << " is not a dimension of the source";
  if (source.getRank() != result.getRank() || source.getElementType() != result.getElementType())
    return emitOpError("must keep the elements");
  for (int64_t other = 0; other < source.getRank(); ++other)
    if (other != dim && source.getDimSize(other) != result.getDimSize(other))
      return emitOpError("must keep all extents but that of dimension ") << dim;
  const int64_t begin = getOffset(), end = begin + result.getDimSize(dim);
  if (begin < 0 || end > source.getDimSize(dim))
    return emitOpError("reaches beyond the source");
  return success();
}

LogicalResult TMEMCopyOp::verify() {
  if (isInTensorMemory(getSrc().getType()))
    return emitOpError("copies shared memory");
  return verifyPlace(*this, getDst().getType(), true);
}

} // namespace tilescope::ttng
