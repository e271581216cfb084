// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/import/ElementNames.h"

using namespace mlir;

namespace tilescope::model {

static std::string realName(FloatType type) {
  if (type.isF32())
    return "float";
  if (type.isF16())
    return "float16";
  if (type.isBF16())
    return "bfloat16";
  if (type.isF64())
    return "double";
  if (isa<Float8E4M3FNType>(type))
    return "float8e4m3fn";
  if (isa<Float8E4M3FNUZType>(type))
    return "float8e4m3fnuz";
  if (isa<Float8E5M2Type>(type))
    return "float8e5m2";
  return isa<Float8E5M2FNUZType>(type) ? "float8e5m2fnuz" : "unknown";
}

std::string elementTypeName(Type type) {
  if (const auto real = dyn_cast<FloatType>(type))
    return realName(real);
  const auto whole = dyn_cast<IntegerType>(type);
  if (!whole)
    return "unknown";
  if (whole.getWidth() == 1)
    return "bool";
  return (whole.isUnsigned() ? "uint" : "int") + std::to_string(whole.getWidth());
}

} // namespace tilescope::model
