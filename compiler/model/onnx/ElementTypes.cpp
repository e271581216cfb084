// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/ElementTypes.h"

#include "onnx.pb.h"

using namespace mlir;

namespace tilescope::model {

using Proto = onnx::TensorProto;

Type elementType(MLIRContext *context, int32_t dataType) {
  Builder builder(context);
  const auto isUnsigned = IntegerType::Unsigned;
  switch (dataType) {
  case Proto::FLOAT:
    return builder.getF32Type();
  case Proto::FLOAT16:
    return builder.getF16Type();
  case Proto::BFLOAT16:
    return builder.getBF16Type();
  case Proto::DOUBLE:
    return builder.getF64Type();
  case Proto::BOOL:
    return builder.getI1Type();
  case Proto::INT8:
    return builder.getI8Type();
  case Proto::INT16:
    return builder.getI16Type();
  case Proto::INT32:
    return builder.getI32Type();
  case Proto::INT64:
    return builder.getI64Type();
  case Proto::UINT8:
    return IntegerType::get(context, 8, isUnsigned);
  case Proto::UINT16:
    return IntegerType::get(context, 16, isUnsigned);
  case Proto::UINT32:
    return IntegerType::get(context, 32, isUnsigned);
  case Proto::UINT64:
    return IntegerType::get(context, 64, isUnsigned);
  case Proto::INT4:
    return IntegerType::get(context, 4);
  case Proto::UINT4:
    return IntegerType::get(context, 4, isUnsigned);
  case Proto::FLOAT8E4M3FN:
    return Float8E4M3FNType::get(context);
  case Proto::FLOAT8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case Proto::FLOAT8E5M2:
    return Float8E5M2Type::get(context);
  case Proto::FLOAT8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  default:
    return {};
  }
}

std::string dataTypeName(int32_t dataType) {
  if (!Proto::DataType_IsValid(dataType))
    return "type " + std::to_string(dataType);
  return StringRef(Proto::DataType_Name(Proto::DataType(dataType))).lower();
}

} // namespace tilescope::model
