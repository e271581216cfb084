// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

using namespace mlir;

namespace tilescope::tt {

// Types
// ----------------------------------------------------------------------------------------------

static LogicalResult verifyAxis(std::optional<Location> location, int64_t axis,
                                RankedTensorType type) {
  if (axis < 0 || axis >= type.getRank())
    return emitOptionalError(location, "has axis ", axis, " for blocks of rank ", type.getRank());
  return success();
}

static FailureOr<Type> inferReduced(RankedTensorType source, int64_t axis,
                                    std::optional<Location> location) {
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  if (shape.empty())
    return source.getElementType();
  Attribute encoding;
  if (const InferLayoutInterface *layouts = getInferLayoutInterface(source.getEncoding())) {
    auto emit = [&] { return emitError(*location); };
    FailureOr<Attribute> inferred =
        layouts->inferReduce(source.getEncoding(), axis, location ? EmitError(emit) : EmitError());
    if (failed(inferred))
      return failure();
    encoding = *inferred;
  }
  return Type(RankedTensorType::get(shape, source.getElementType(), encoding));
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                         Adaptor adaptor, SmallVectorImpl<Type> &results) {
  int64_t axis = static_cast<int32_t>(adaptor.getAxis());
  for (Value source : adaptor.getSrcs()) {
    auto type = cast<RankedTensorType>(source.getType());
    if (failed(verifyAxis(location, axis, type)))
      return failure();
    FailureOr<Type> result = inferReduced(type, axis, location);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  return success();
}

bool ReduceOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) {
  return a.size() == b.size() && llvm::all_of_zip(a, b, areCompatibleTypes);
}

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange srcs, int32_t axis) {
  SmallVector<Type> results;
  for (Value source : srcs) {
    FailureOr<Type> type =
        inferReduced(cast<RankedTensorType>(source.getType()), axis, state.location);
    results.push_back(succeeded(type) ? *type : source.getType());
  }
  build(builder, state, results, srcs, axis);
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                       Adaptor adaptor, SmallVectorImpl<Type> &results) {
  for (Value source : adaptor.getSrcs()) {
    if (failed(verifyAxis(location, static_cast<int32_t>(adaptor.getAxis()),
                          cast<RankedTensorType>(source.getType()))))
      return failure();
    results.push_back(source.getType());
  }
  return success();
}

bool ScanOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) {
  return a.size() == b.size() && llvm::all_of_zip(a, b, areCompatibleTypes);
}

void ScanOp::build(OpBuilder &builder, OperationState &state, ValueRange srcs, int32_t axis,
                   bool reverse) {
  build(builder, state, TypeRange(srcs), srcs, axis, reverse);
}

// Verifiers
// ------------------------------------------------------------------------------------------

template <typename OpTy> static LogicalResult verifySources(OpTy op) {
  if (op.getSrcs().empty())
    return op.emitOpError("needs at least one source");
  return success();
}

LogicalResult ReduceOp::verify() { return verifySources(*this); }

LogicalResult ScanOp::verify() { return verifySources(*this); }

/// The region takes `copies` scalars of each source's element type, in the order that `interleaved`
/// says (a b a b, or a a b b), and returns scalars of `returned`.
static LogicalResult verifyArguments(Operation *op, Region &region, ArrayRef<Type> expected) {
  Block &entry = region.front();
  if (entry.getNumArguments() != expected.size())
    return op->emitOpError("needs a region of ")
           << expected.size() << " arguments, not " << entry.getNumArguments();
  for (auto [index, argument, type] : llvm::enumerate(entry.getArgumentTypes(), expected))
    if (argument != type)
      return op->emitOpError("needs argument ")
             << index << " of its region to be " << type << ", not " << argument;
  return success();
}

template <typename ReturnTy>
static LogicalResult verifyReturns(Operation *op, Region &region, ArrayRef<Type> expected) {
  for (Block &block : region) {
    auto returned = dyn_cast<ReturnTy>(block.getTerminator());
    if (!returned) {
      if (block.getNumSuccessors() == 0)
        return op->emitOpError("needs a region that ends in `")
               << ReturnTy::getOperationName() << "`";
      continue;
    }
    if (!llvm::equal(returned.getResult().getTypes(), expected))
      return op->emitOpError("has a region that returns other types than it combines");
  }
  return success();
}

template <typename ReturnTy, typename OpTy> static LogicalResult verifyCombineRegion(OpTy op) {
  SmallVector<Type> elements = op.getElementTypes();
  SmallVector<Type> arguments(elements);
  arguments.append(elements);
  if (failed(verifyArguments(op, op.getCombineOp(), arguments)))
    return failure();
  return verifyReturns<ReturnTy>(op, op.getCombineOp(), elements);
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombineRegion<ReduceReturnOp>(*this); }

LogicalResult ScanOp::verifyRegions() { return verifyCombineRegion<ScanReturnOp>(*this); }

LogicalResult MapElementwiseOp::verifyRegions() {
  if (getSrcs().empty())
    return emitOpError("needs at least one source");
  if (getScalarOp().empty())
    return emitOpError("needs a region");
  int64_t pack = static_cast<int32_t>(getPack());
  if (pack < 1 || cast<RankedTensorType>(getSrcs().front().getType()).getNumElements() % pack != 0)
    return emitOpError("works on packs of ") << pack << " elements, which do not divide its blocks";
  SmallVector<Type> arguments, returned;
  for (Type type : getSrcs().getTypes())
    arguments.append(pack, getElementTypeOrSelf(type));
  for (Type type : getResultTypes())
    returned.append(pack, getElementTypeOrSelf(type));
  if (failed(verifyArguments(*this, getScalarOp(), arguments)))
    return failure();
  return verifyReturns<MapElementwiseReturnOp>(*this, getScalarOp(), returned);
}

// Queries
// --------------------------------------------------------------------------------------------

static SmallVector<RankedTensorType> tensorTypes(OperandRange values) {
  return llvm::map_to_vector(values,
                             [](Value value) { return cast<RankedTensorType>(value.getType()); });
}

static SmallVector<Type> elementTypes(OperandRange values) {
  return llvm::map_to_vector(values,
                             [](Value value) { return getElementTypeOrSelf(value.getType()); });
}

SmallVector<RankedTensorType> ReduceOp::getInputTypes() { return tensorTypes(getSrcs()); }
SmallVector<Type> ReduceOp::getElementTypes() { return elementTypes(getSrcs()); }
SmallVector<RankedTensorType> ScanOp::getInputTypes() { return tensorTypes(getSrcs()); }
SmallVector<Type> ScanOp::getElementTypes() { return elementTypes(getSrcs()); }

Operation *ReduceOp::getSingleCombiner() {
  if (getSrcs().size() != 1)
    return nullptr;
  Block &block = getCombineOp().front();
  Operation *combiner = block.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      &block.front() != combiner || combiner->getNextNode() != block.getTerminator())
    return nullptr;
  Value left = block.getArgument(0), right = block.getArgument(1);
  Value first = combiner->getOperand(0), second = combiner->getOperand(1);
  bool usesBoth = (first == left && second == right) || (first == right && second == left);
  return usesBoth ? combiner : nullptr;
}

} // namespace tilescope::tt
