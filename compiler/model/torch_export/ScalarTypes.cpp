// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/ScalarTypes.h"

using namespace mlir;

namespace tilescope::model {

namespace {
struct ScalarType {
  int64_t number;
  const char *name;
  Type (*type)(Builder &builder);
};
} // namespace

template <unsigned width> static Type whole(Builder &builder) {
  return builder.getIntegerType(width);
}
template <unsigned width> static Type unsignedWhole(Builder &builder) {
  return IntegerType::get(builder.getContext(), width, IntegerType::Unsigned);
}
template <typename Real> static Type real(Builder &builder) {
  return Real::get(builder.getContext());
}
static Type none(Builder &) { return {}; }

static constexpr ScalarType kTypes[] = {
    {1, "uint8", unsignedWhole<8>},
    {2, "int8", whole<8>},
    {3, "int16", whole<16>},
    {4, "int32", whole<32>},
    {5, "int64", whole<64>},
    {6, "float16", real<Float16Type>},
    {7, "float32", real<Float32Type>},
    {8, "float64", real<Float64Type>},
    {9, "complex32", none},
    {10, "complex64", none},
    {11, "complex128", none},
    {12, "bool", whole<1>},
    {13, "bfloat16", real<BFloat16Type>},
    {28, "uint16", unsignedWhole<16>},
    {29, "float8_e4m3fn", real<Float8E4M3FNType>},
    {30, "float8_e5m2", real<Float8E5M2Type>},
    {31, "float8_e4m3fnuz", real<Float8E4M3FNUZType>},
    {32, "float8_e5m2fnuz", real<Float8E5M2FNUZType>},
    {34, "uint32", unsignedWhole<32>},
    {35, "uint64", unsignedWhole<64>},
};

static const ScalarType *find(int64_t number) {
  const auto found =
      llvm::find_if(kTypes, [&](const ScalarType &each) { return each.number == number; });
  return found == std::end(kTypes) ? nullptr : found;
}

Type elementTypeOf(MLIRContext *context, int64_t scalarType) {
  Builder builder(context);
  const ScalarType *found = find(scalarType);
  return found ? found->type(builder) : Type();
}

std::string scalarTypeName(int64_t scalarType) {
  const ScalarType *found = find(scalarType);
  return found ? found->name : "type " + std::to_string(scalarType);
}

Type promotedType(Type a, Type b) {
  const auto kind = [](Type type) { return isa<FloatType>(type) ? 2 : type.isInteger(1) ? 0 : 1; };
  if (a == b || kind(a) > kind(b))
    return a;
  if (kind(b) > kind(a))
    return b;
  const unsigned left = a.getIntOrFloatBitWidth(), right = b.getIntOrFloatBitWidth();
  if (left != right)
    return left > right ? a : b;
  // Of the same width: halves of two kinds become floats, and bytes of two kinds a short.
  if (isa<FloatType>(a))
    return Float32Type::get(a.getContext());
  return IntegerType::get(a.getContext(), std::min(64u, left * 2));
}

} // namespace tilescope::model
