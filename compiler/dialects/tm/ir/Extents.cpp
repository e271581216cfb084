// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tm/ir/Extents.h"

#include "compiler/dialects/tm/ir/ExtentText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace tilescope::tm {

/// An expression of more operations is replaced by a symbol: what is computed from it stays short.
static constexpr int kMostOperations = 48;
static constexpr uint64_t kMostBytes = uint64_t{1} << 60;

Extent number(MLIRContext *context, int64_t value) {
  if (value > kMostExtent || value < -kMostExtent)
    return {};
  return getAffineConstantExpr(value, context);
}

std::optional<int64_t> numberOf(Extent extent) {
  if (const auto constant = dyn_cast_if_present<AffineConstantExpr>(extent))
    return constant.getValue();
  return std::nullopt;
}

static TMDialect &dialectOf(MLIRContext *context) {
  return *context->getOrLoadDialect<TMDialect>();
}

Extent symbol(MLIRContext *context, StringRef name) { return dialectOf(context).symbol(name); }

static int numOperations(Extent extent) {
  const auto binary = dyn_cast<AffineBinaryOpExpr>(extent);
  return binary ? 1 + numOperations(binary.getLHS()) + numOperations(binary.getRHS()) : 0;
}

/// A symbol for what no short expression says: the same for the same text.
static Extent symbolFor(MLIRContext *context, const std::string &text) {
  static constexpr size_t kMostLetters = 80;
  return symbol(context, text.size() <= kMostLetters
                             ? text
                             : "size " + llvm::utohexstr(llvm::xxh3_64bits(text), true));
}

/// In one form for the same value, as far as MLIR finds it.
static Extent simplified(Extent extent) {
  MLIRContext *context = extent.getContext();
  extent = simplifyAffineExpr(extent, 0, dialectOf(context).numSymbols());
  if (const auto value = numberOf(extent))
    return number(context, *value);
  return numOperations(extent) > kMostOperations ? symbolFor(context, extentText(extent)) : extent;
}

Extent add(Extent a, Extent b) { return a && b ? simplified(a + b) : Extent(); }
Extent subtract(Extent a, Extent b) { return a && b ? simplified(a - b) : Extent(); }

Extent multiply(Extent a, Extent b) {
  if (!a || !b)
    return {};
  const auto x = numberOf(a), y = numberOf(b);
  int64_t checked = 0;
  if (x && y && llvm::MulOverflow(*x, *y, checked))
    return {};
  return simplified(a * b);
}

template <typename Divide> static Extent divide(Extent a, Extent b, Divide operation) {
  if (!a || !b)
    return {};
  const auto divisor = numberOf(b);
  if (divisor == 0)
    return {};
  // MLIR divides by numbers above 0 alone.
  if (divisor && *divisor < 0)
    return divide(simplified(-a), simplified(-b), operation);
  return simplified(operation(a, b));
}

/// (e floordiv c + k) floordiv d is (e + k * c) floordiv (c * d); null for other forms.
static Extent nestedQuotient(Extent a, Extent b) {
  const auto sum = dyn_cast<AffineBinaryOpExpr>(a);
  const bool isSum = sum && sum.getKind() == AffineExprKind::Add && numberOf(sum.getRHS());
  const auto inner = dyn_cast<AffineBinaryOpExpr>(isSum ? sum.getLHS() : a);
  const auto by = numberOf(b);
  if (!inner || inner.getKind() != AffineExprKind::FloorDiv || !numberOf(inner.getRHS()) || !by ||
      *by < 1)
    return {};
  const Extent more = isSum ? sum.getRHS() : number(a.getContext(), 0);
  return floorDivide(add(inner.getLHS(), multiply(more, inner.getRHS())),
                     multiply(inner.getRHS(), b));
}

Extent floorDivide(Extent a, Extent b) {
  if (a && b)
    if (const Extent nested = nestedQuotient(a, b))
      return nested;
  return divide(a, b, [](Extent x, Extent y) { return x.floorDiv(y); });
}
Extent ceilDivide(Extent a, Extent b) {
  return divide(a, b, [](Extent x, Extent y) { return x.ceilDiv(y); });
}
Extent remainder(Extent a, Extent b) {
  const auto divisor = numberOf(b);
  if (!a || !b || (divisor && *divisor <= 0))
    return {};
  return simplified(a % b);
}

Extent product(MLIRContext *context, ArrayRef<Extent> factors) {
  Extent result = number(context, 1);
  for (const Extent factor : factors) {
    if (isNumber(factor, 0))
      return factor;
    result = multiply(result, factor);
  }
  return result;
}

/// The factors of a product, with the product of its numbers apart.
static int64_t collectFactors(Extent extent, SmallVectorImpl<Extent> &factors) {
  if (const auto value = numberOf(extent))
    return *value;
  const auto binary = dyn_cast<AffineBinaryOpExpr>(extent);
  if (binary && binary.getKind() == AffineExprKind::Mul)
    return llvm::SaturatingMultiply<uint64_t>(collectFactors(binary.getLHS(), factors),
                                              collectFactors(binary.getRHS(), factors));
  factors.push_back(extent);
  return 1;
}

Extent quotient(Extent total, Extent factors) {
  if (!total || !factors || isNumber(factors, 0))
    return {};
  if (total == factors)
    return number(total.getContext(), 1);
  SmallVector<Extent> above, below;
  const int64_t times = collectFactors(total, above), by = collectFactors(factors, below);
  for (const Extent factor : below) {
    const auto found = llvm::find(above, factor);
    if (found == above.end())
      return {};
    above.erase(found);
  }
  if (times % by == 0)
    return multiply(number(total.getContext(), times / by), product(total.getContext(), above));
  return above.empty() ? Extent()
                       : floorDivide(multiply(number(total.getContext(), times),
                                              product(total.getContext(), above)),
                                     number(total.getContext(), by));
}

Extent repeated(Extent a, Extent b) {
  if (!a || !b || a == b || isNumber(b, 1))
    return a && b ? a : Extent();
  const auto x = numberOf(a), y = numberOf(b);
  if (isNumber(a, 1) || (y && !x))
    return b;
  if (x)
    return y ? Extent() : a;
  return symbolFor(a.getContext(), "max(" + extentText(a) + ", " + extentText(b) + ")");
}

Extent atLeastZero(Extent extent) {
  if (!extent)
    return {};
  if (const auto value = numberOf(extent))
    return *value < 0 ? number(extent.getContext(), 0) : extent;
  return isa<AffineSymbolExpr>(extent)
             ? extent
             : symbolFor(extent.getContext(), "max(0, " + extentText(extent) + ")");
}

ExtentList extentsOf(RankedTensorType type) {
  if (const auto extents = dyn_cast_if_present<ExtentsAttr>(type.getEncoding()))
    return ExtentList(extents.getValues());
  ExtentList result;
  for (const int64_t extent : type.getShape())
    result.push_back(ShapedType::isDynamic(extent) ? Extent() : number(type.getContext(), extent));
  return result;
}

RankedTensorType tensorOf(ArrayRef<Extent> extents, Type element) {
  SmallVector<int64_t> shape;
  uint64_t bytes = std::max(1u, element.getIntOrFloatBitWidth() / 8);
  bool isSymbolic = false;
  for (const Extent extent : extents) {
    const auto value = numberOf(extent);
    if (!extent || (value && (*value < 0 || *value >= kMostExtent)))
      return {};
    shape.push_back(value.value_or(ShapedType::kDynamic));
    isSymbolic |= !value;
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, value.value_or(1));
    // An extent of 0 further on makes no use of a size that no memory has.
    if (bytes > kMostBytes)
      return {};
  }
  Attribute encoding;
  if (isSymbolic)
    encoding = ExtentsAttr::get(element.getContext(), extents);
  return RankedTensorType::get(shape, element, encoding);
}

std::optional<uint64_t> bytesOf(RankedTensorType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  return (uint64_t(type.getNumElements()) * type.getElementTypeBitWidth() + 7) / 8;
}

std::string extentsText(ArrayRef<Extent> extents) {
  std::string result = "[";
  for (const Extent extent : extents)
    result += (result.size() > 1 ? ", " : "") + (extent ? extentText(extent) : std::string("?"));
  return result + "]";
}

} // namespace tilescope::tm
