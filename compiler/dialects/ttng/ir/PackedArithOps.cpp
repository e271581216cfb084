// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace tilescope::ttng {

/// Pairs of elements of this type, if there are such.
static std::optional<PackedArithType> pairOf(Type element) {
  if (element.isF32())
    return PackedArithType::F32X2;
  if (element.isF16())
    return PackedArithType::F16X2;
  return element.isBF16() ? std::optional(PackedArithType::BF16X2) : std::nullopt;
}

/// The elements of a pack as they are stored: two values of 4 bits share a byte in the dense form.
static unsigned storedElements(PackedArithType type) {
  switch (type) {
  case PackedArithType::F32X2:
  case PackedArithType::F16X2:
  case PackedArithType::BF16X2:
  case PackedArithType::E2M1X4:
    return 2;
  default:
    return 4;
  }
}

static bool holds(PackedArithType type, Type element) {
  switch (type) {
  case PackedArithType::E5M2X4:
    return isa<Float8E5M2Type>(element);
  case PackedArithType::E4M3X4:
    return isa<Float8E4M3FNType>(element);
  case PackedArithType::E2M1X4:
  case PackedArithType::E2M1P4X4:
    return element.isInteger(8);
  case PackedArithType::UE8M0X4:
    return isa<Float8E8M0FNUType>(element) || element.isInteger(8);
  default:
    return pairOf(element) == type;
  }
}

/// The dimension along which threads hold neighbors first.
static int32_t fastestDim(RankedTensorType type) {
  return type.getEncoding() ? ttg::fastestDims(type).front() : type.getRank() - 1;
}

/// Whether all packs are pairs of the same elements: then it makes no difference which share one.
static bool isPairwise(PackedArithOp op) {
  return pairOf(cast<RankedTensorType>(op.getType()).getElementType()) == op.getPackedType() &&
         llvm::all_of(op.getOperandPackedTypes(),
                      [&](int32_t type) { return type == int32_t(op.getPackedType()); });
}

/// Whether the operation's name says all of it.
static bool isShort(PackedArithOp op) {
  return isPairwise(op) &&
         op.getAxis() == uint32_t(fastestDim(cast<RankedTensorType>(op.getType())));
}

/// A word that names a value of an enumeration; `what` says which in the error.
template <typename Enum>
static FailureOr<Enum> parseEnum(OpAsmParser &parser, std::optional<Enum> (*symbolize)(StringRef),
                                 StringRef what) {
  StringRef word;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Enum> value = symbolize(word);
  if (!value)
    return parser.emitError(start, "unknown ") << what << " `" << word << "`";
  return *value;
}

static FailureOr<PackedArithType> parsePackedType(OpAsmParser &parser) {
  return parseEnum(parser, symbolizePackedArithType, "type of packs");
}

namespace {
/// What the long form says between the operation and the operands: the result's type of packs, and
/// the operands'.
struct PackTypes {
  PackedArithType result = PackedArithType::F32X2;
  SmallVector<int32_t> operands;
};
} // namespace

/// `f32x2, [f32x2, f16x2],`
static ParseResult parsePackTypes(OpAsmParser &parser, PackTypes &types) {
  FailureOr<PackedArithType> result = parsePackedType(parser);
  if (failed(result) || parser.parseComma())
    return failure();
  types.result = *result;
  const auto parseOperand = [&]() -> ParseResult {
    FailureOr<PackedArithType> type = parsePackedType(parser);
    if (failed(type))
      return failure();
    types.operands.push_back(int32_t(*type));
    return success();
  };
  return failure(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOperand) ||
                 parser.parseComma());
}

static ParseResult parseKind(OpAsmParser &parser, PackedArithOp::Properties &properties) {
  FailureOr<PackedArithOpKind> kind =
      parseEnum(parser, symbolizePackedArithOpKind, "packed arithmetic");
  if (failed(kind))
    return failure();
  properties.op_kind = PackedArithOpKindAttr::get(parser.getContext(), *kind);
  return success();
}

ParseResult PackedArithOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  if (parseKind(parser, properties))
    return failure();
  const bool isLong = succeeded(parser.parseOptionalComma());
  PackTypes packs;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  int32_t axis = 0;
  if ((isLong && parsePackTypes(parser, packs)) || parser.parseOperandList(operands) ||
      (isLong && (parser.parseKeyword("axis") || parser.parseEqual() || parser.parseInteger(axis))))
    return failure();
  FunctionType type;
  SMLoc start;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&start) || parser.parseType(type) ||
      parser.resolveOperands(operands, type.getInputs(), start, state.operands))
    return failure();
  auto result = type.getNumResults() == 1 ? dyn_cast<RankedTensorType>(type.getResult(0))
                                          : RankedTensorType();
  if (!result)
    return parser.emitError(start, "expected one block as the result");
  if (!isLong) {
    std::optional<PackedArithType> pair = pairOf(result.getElementType());
    if (!pair)
      return parser.emitError(start, "expected the types of the packs of ") << result;
    packs.result = *pair;
    packs.operands.assign(operands.size(), int32_t(*pair));
    axis = fastestDim(result);
  }
  Builder &builder = parser.getBuilder();
  properties.packed_type = PackedArithTypeAttr::get(parser.getContext(), packs.result);
  properties.operand_packed_types = builder.getDenseI32ArrayAttr(packs.operands);
  properties.axis = builder.getI32IntegerAttr(axis);
  state.addTypes(result);
  return success();
}

void PackedArithOp::print(OpAsmPrinter &printer) {
  printer << " " << stringifyPackedArithOpKind(getOpKind());
  const bool isLong = !isShort(*this);
  if (isLong) {
    printer << ", " << stringifyPackedArithType(getPackedType()) << ", [";
    llvm::interleaveComma(getOperandPackedTypes(), printer, [&](int32_t type) {
      printer << stringifyPackedArithType(PackedArithType(type));
    });
    printer << "],";
  }
  printer << " " << getOperands();
  if (isLong)
    printer << " axis = " << getAxis();
  printer.printOptionalAttrDict((*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
}

LogicalResult PackedArithOp::verify() {
  const bool isFma = getOpKind() == PackedArithOpKind::FMA;
  auto result = cast<RankedTensorType>(getType());
  if (getOperands().size() != (isFma ? 3u : 2u))
    return emitOpError("needs ") << (isFma ? 3 : 2) << " operands";
  if (getOperandPackedTypes().size() != getOperands().size())
    return emitOpError("needs the type of the packs of each operand");
  if (getAxis() >= uint32_t(result.getRank()))
    return emitOpError("axis ") << getAxis() << " is not a dimension of the result";
  if (!holds(getPackedType(), result.getElementType()))
    return emitOpError("a pack of `") << stringifyPackedArithType(getPackedType())
                                      << "` does not hold " << result.getElementType();
  for (auto [operand, number] : llvm::zip(getOperands(), getOperandPackedTypes())) {
    auto block = cast<RankedTensorType>(operand.getType());
    std::optional<PackedArithType> type = symbolizePackedArithType(number);
    if (!type || !holds(*type, block.getElementType()))
      return emitOpError("packs of operands do not hold ") << block.getElementType();
    // Two values of 4 bits share a byte in dense packs.
    SmallVector<int64_t> shape(block.getShape());
    if (*type == PackedArithType::E2M1X4 && getAxis() < shape.size())
      shape[getAxis()] *= 2;
    if (ArrayRef<int64_t>(shape) != result.getShape())
      return emitOpError("combines blocks of different shapes, ") << block << " to " << result;
  }
  if (!isPairwise(*this) && result.getEncoding() &&
      ttg::contiguousPerThread(result)[getAxis()] < storedElements(getPackedType()))
    return emitOpError("needs the elements of a pack in one thread, found ") << result;
  return success();
}

} // namespace tilescope::ttng
