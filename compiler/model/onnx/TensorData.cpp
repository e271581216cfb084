// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/TensorData.h"

#include "compiler/model/import/StoredElements.h"
#include "compiler/model/onnx/ElementTypes.h"

using namespace mlir;

namespace tilescope::model {

static Error invalid(const onnx::TensorProto &tensor, const std::string &what) {
  return {ErrorCode::InvalidInput, "tensor `" + tensor.name() + "` " + what, ""};
}

template <typename Field>
static void appendIntegers(const Field &field, unsigned bits, SmallVectorImpl<APInt> &values) {
  for (const auto value : field)
    values.emplace_back(bits, uint64_t(value), false, /*implicitTrunc=*/true);
}

/// From the fields of the message for some types; the format says which one is for which type.
static SmallVector<APInt> integersOf(const onnx::TensorProto &tensor, unsigned bits) {
  SmallVector<APInt> values;
  if (tensor.data_type() == onnx::TensorProto::INT64)
    appendIntegers(tensor.int64_data(), bits, values);
  else if (tensor.data_type() == onnx::TensorProto::UINT64 ||
           tensor.data_type() == onnx::TensorProto::UINT32)
    appendIntegers(tensor.uint64_data(), bits, values);
  else
    appendIntegers(tensor.int32_data(), bits, values);
  return values;
}

static SmallVector<APFloat> realsOf(const onnx::TensorProto &tensor, FloatType type) {
  SmallVector<APFloat> values;
  if (type.isF32()) {
    for (const float value : tensor.float_data())
      values.emplace_back(value);
  } else if (type.isF64()) {
    for (const double value : tensor.double_data())
      values.emplace_back(value);
  } else {
    // The bits of the narrow types are stored as whole numbers.
    SmallVector<APInt> bits;
    appendIntegers(tensor.int32_data(), type.getWidth(), bits);
    for (const APInt &value : bits)
      values.emplace_back(type.getFloatSemantics(), value);
  }
  return values;
}

template <typename Value>
static Result<ElementsAttr> elementsOf(const onnx::TensorProto &tensor, RankedTensorType type,
                                       ArrayRef<Value> values) {
  if (int64_t(values.size()) != type.getNumElements())
    return invalid(tensor, "has " + std::to_string(values.size()) + " elements, its extents " +
                               std::to_string(type.getNumElements()));
  return ElementsAttr(DenseElementsAttr::get(type, values));
}

static Result<ReadTensor> readBytes(const onnx::TensorProto &tensor, RankedTensorType type,
                                    ModelFiles &files) {
  ReadTensor result;
  result.type = type;
  const uint64_t bits = type.getElementTypeBitWidth(), size = storedBytes(type);
  Result<TensorBytes> place = files.bytesOf(tensor, size);
  if (!place)
    return place.error();
  result.place = *place;
  // Small ones may be what shapes are made of; those of 4 bits are weights at any size.
  const bool isSmall = place->bytes.size() <= kMostConstantBytes && (bits >= 8 || bits == 1);
  if (isSmall || type.getNumElements() == 0)
    result.elements = storedElements(type, StringRef(place->bytes.data(), place->bytes.size()));
  else if (place->isInline)
    return invalid(tensor, "has a type whose elements cannot be read");
  return result;
}

Result<ReadTensor> readTensor(MLIRContext *context, const onnx::TensorProto &tensor,
                              ModelFiles &files) {
  const Type element = elementType(context, tensor.data_type());
  if (!element)
    return invalid(tensor, "has elements of type " + dataTypeName(tensor.data_type()) +
                               ", which is not supported");
  tm::ExtentList extents;
  for (const int64_t extent : tensor.dims())
    extents.push_back(tm::number(context, extent));
  const RankedTensorType type = tm::tensorOf(extents, element);
  if (!type || tensor.has_segment())
    return invalid(tensor, tensor.has_segment() ? "is stored in segments, which is not supported"
                                                : "has extents that no tensor can have");
  if (ModelFiles::hasBytes(tensor))
    return readBytes(tensor, type, files);
  ReadTensor result;
  result.type = type;
  Result<ElementsAttr> elements = ElementsAttr();
  if (const auto real = dyn_cast<FloatType>(element))
    elements = elementsOf<APFloat>(tensor, type, realsOf(tensor, real));
  else
    elements = elementsOf<APInt>(tensor, type, integersOf(tensor, element.getIntOrFloatBitWidth()));
  if (!elements)
    return elements.error();
  result.elements = *elements;
  return result;
}

} // namespace tilescope::model
