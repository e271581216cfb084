// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxTensorUnit.h"

#include <cmath>

namespace tilescope::tests {

static size_t typeBits(std::string_view type) {
  if (type == "e2m1")
    return 4;
  if (type == "ue8m0" || type == "ue4m3")
    return 8;
  return static_cast<size_t>(matrixElementBits(type));
}

double tensorElement(uint32_t bits, std::string_view type) {
  if (type == "e2m1") {
    constexpr double kValues[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    return bits & 8 ? -kValues[bits & 7] : kValues[bits & 7];
  }
  if (type == "ue8m0")
    return bits == 0xff ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - 127);
  return matrixElement(bits, 0, type == "ue4m3" ? "e4m3" : type);
}

std::optional<PtxTensorProduct> tensorProduct(const PtxInstruction &instruction,
                                              uint32_t description) {
  const auto field = [&](int from, int bits) { return description >> from & ((1u << bits) - 1); };
  const auto isKind = [&](const char *kind) {
    return instruction.has(std::string("kind::") + kind);
  };
  const auto narrow = [](uint32_t code) -> std::string {
    return code == 0 ? "e4m3" : code == 1 ? "e5m2" : code == 5 ? "e2m1" : "";
  };
  PtxTensorProduct product;
  const uint32_t left = field(7, 3), right = field(10, 3);
  const bool isPacked = isKind("mxf4") || isKind("mxf4nvf4");
  const bool isScaled = isPacked || isKind("mxf8f6f4");
  constexpr const char *kResults[] = {"f16", "f32", "s32", ""};
  product.result = isScaled ? "f32" : kResults[field(4, 2)];
  if (isKind("f16")) {
    product.left.type = left == 0 ? "f16" : "bf16";
    product.right.type = right == 0 ? "f16" : "bf16";
  } else if (isKind("tf32")) {
    product.left.type = product.right.type = "tf32";
  } else if (isKind("i8")) {
    product.left.type = left == 0 ? "u8" : "s8";
    product.right.type = right == 0 ? "u8" : "s8";
  } else if (isKind("f8f6f4") || isKind("mxf8f6f4")) {
    product.left.type = narrow(left);
    product.right.type = narrow(right);
  } else if (isPacked) {
    product.left.type = product.right.type = left == 1 && right == 1 ? "e2m1" : "";
  }
  if (product.left.type.empty() || product.right.type.empty() || product.result.empty())
    return std::nullopt;
  product.columns = field(17, 6) * 8;
  product.rows = isScaled ? field(27, 2) * 128 : field(24, 5) * 16;
  product.depth = isPacked ? 64 : 256 / std::max<size_t>(8, typeBits(product.left.type));
  if ((product.rows != 64 && product.rows != 128) || product.columns == 0 ||
      product.columns > 256 || product.columns % (product.rows == 64 ? 8 : 16) != 0)
    return std::nullopt;
  for (PtxTensorFactor *factor : {&product.left, &product.right}) {
    factor->bits = typeBits(factor->type);
    if (factor->bits == 4 && !isPacked)
      factor->dense = 16;
  }
  if (isScaled) {
    product.perScale = instruction.has("scale_vec::4X") ? 16 : 32;
    product.scaleType = field(23, 1) ? "ue8m0" : "ue4m3";
    product.left.firstScale = field(29, 2);
    product.right.firstScale = field(4, 2);
  }
  return product;
}

} // namespace tilescope::tests
