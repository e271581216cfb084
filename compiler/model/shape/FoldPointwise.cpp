// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Folds computations on known elements: those with which models compute shapes.
#include "compiler/model/shape/KnownValues.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

using Element = std::optional<KnownElement>;
using Binary = std::function<Element(const KnownElement &, const KnownElement &)>;

static Element whole(tm::Extent extent) {
  return extent ? Element(KnownElement{extent}) : std::nullopt;
}
static Element real(std::optional<double> value) {
  return value ? Element(KnownElement{{}, *value}) : std::nullopt;
}
static Element truth(MLIRContext *context, bool value) {
  return KnownElement{tm::number(context, value ? 1 : 0)};
}

/// Where the element of the result is among an operand's, whose extents of 1 are repeated.
static size_t placeIn(RankedTensorType operand, RankedTensorType result, size_t place) {
  size_t at = 0, stride = 1;
  const int64_t skipped = result.getRank() - operand.getRank();
  for (int64_t axis = result.getRank() - 1; axis >= 0; --axis) {
    const size_t extent = size_t(result.getDimSize(axis)), index = place % extent;
    place /= extent;
    if (axis < skipped)
      continue;
    const size_t own = size_t(operand.getDimSize(axis - skipped));
    at += own == 1 ? 0 : index * stride;
    stride *= own;
  }
  return at;
}

static std::optional<Known> forAll(Operation *operation, ArrayRef<const Known *> operands,
                                   const std::function<Element(ArrayRef<KnownElement>)> &compute) {
  const auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  Known known;
  for (size_t i = 0, size = size_t(type.getNumElements()); i < size; ++i) {
    SmallVector<KnownElement> elements;
    for (const auto &[operand, value] : llvm::zip_equal(operands, operation->getOperands()))
      elements.push_back((*operand)[placeIn(cast<RankedTensorType>(value.getType()), type, i)]);
    const Element element = compute(elements);
    if (!element)
      return std::nullopt;
    known.push_back(*element);
    if (element->whole)
      continue;
    // Rounding of other types is not done here, so they are not folded. A selection does not round.
    if (isa<tm::WhereOp>(operation))
      continue;
    if (!type.getElementType().isF32() && !type.getElementType().isF64())
      return std::nullopt;
    if (type.getElementType().isF32())
      known.back().real = float(element->real);
  }
  return known;
}

/// By extents where both are whole numbers, else by numbers.
static Element arithmetic(const KnownElement &a, const KnownElement &b,
                          tm::Extent (*ofExtents)(tm::Extent, tm::Extent),
                          double (*ofNumbers)(double, double)) {
  if (a.whole && b.whole)
    return whole(ofExtents(a.whole, b.whole));
  const auto x = a.value(), y = b.value();
  return x && y ? real(ofNumbers(*x, *y)) : std::nullopt;
}

static Element divide(const KnownElement &a, const KnownElement &b, bool isReal) {
  const auto x = a.value(), y = b.value();
  if (isReal)
    return x && y ? real(*x / *y) : b.whole && tm::isNumber(b.whole, 1) ? Element(a) : std::nullopt;
  // Whole numbers are rounded towards 0, which is down where nothing is below 0, as extents are.
  if (!a.whole || !b.whole || (y && *y <= 0))
    return std::nullopt;
  if (x && *x < 0)
    return whole(tm::subtract(
        tm::number(a.whole.getContext(), 0),
        tm::floorDivide(tm::subtract(tm::number(a.whole.getContext(), 0), a.whole), b.whole)));
  return whole(tm::floorDivide(a.whole, b.whole));
}

/// Of two that are not both numbers: the one that is larger whatever the extents are.
static Element extremum(const KnownElement &a, const KnownElement &b, bool isMax) {
  const auto x = a.value(), y = b.value();
  if (x && y)
    return (*x > *y) == isMax ? a : b;
  return a.whole && a.whole == b.whole ? Element(a) : std::nullopt;
}

/// Extents are not below 0, so a symbolic one differs from every number that is.
static Element compare(tm::Comparison predicate, const KnownElement &a, const KnownElement &b,
                       MLIRContext *context) {
  const auto x = a.value(), y = b.value();
  if (!x || !y) {
    if (predicate != tm::Comparison::Equal)
      return std::nullopt;
    if (a.whole && a.whole == b.whole)
      return truth(context, true);
    const bool differs = (x && *x < 0) || (y && *y < 0);
    return differs ? truth(context, false) : std::nullopt;
  }
  switch (predicate) {
  case tm::Comparison::Equal:
    return truth(context, *x == *y);
  case tm::Comparison::Less:
    return truth(context, *x < *y);
  case tm::Comparison::LessEqual:
    return truth(context, *x <= *y);
  case tm::Comparison::Greater:
    return truth(context, *x > *y);
  case tm::Comparison::GreaterEqual:
    return truth(context, *x >= *y);
  }
  return std::nullopt;
}

static Element cast(const KnownElement &from, Type type) {
  if (isa<FloatType>(type) && from.whole && tm::numberOf(from.whole))
    return real(from.value());
  if (isa<FloatType>(type) || from.whole)
    // A symbolic number stays the same; a truth value of one is not known.
    return type.isInteger(1) && !tm::numberOf(from.whole) ? std::nullopt : Element(from);
  const double value = std::trunc(from.real);
  if (!std::isfinite(value) || std::abs(value) > double(tm::kMostExtent))
    return std::nullopt;
  return whole(tm::number(type.getContext(), int64_t(value)));
}

/// Of an element that may be a symbolic whole number that was cast to a real one.
static Element rounded(const KnownElement &from, double (*round)(double)) {
  return from.whole ? Element(from) : real(round(from.real));
}

static std::optional<Known> reduce(tm::ReduceOp operation, const Known &operand) {
  const auto type = mlir::cast<RankedTensorType>(operation.getOperand().getType());
  // Of vectors alone, as the shapes of tensors are.
  if (type.getRank() > 1 || operand.empty() || operation.getAxes().size() != size_t(type.getRank()))
    return std::nullopt;
  Element result = operand.front();
  for (const KnownElement &element : llvm::drop_begin(operand)) {
    if (operation.getKind() == tm::ReduceKind::Prod)
      result = arithmetic(*result, element, tm::multiply, [](double a, double b) { return a * b; });
    else if (operation.getKind() == tm::ReduceKind::Sum)
      result = arithmetic(*result, element, tm::add, [](double a, double b) { return a + b; });
    else if (operation.getKind() != tm::ReduceKind::Mean)
      result = extremum(*result, element, operation.getKind() == tm::ReduceKind::Max);
    else
      return std::nullopt;
    if (!result)
      return std::nullopt;
  }
  return Known{*result};
}

static Binary binaryOf(Operation *operation) {
  const bool isReal = isa<FloatType>(getElementTypeOrSelf(operation->getResult(0)));
  MLIRContext *context = operation->getContext();
  using E = const KnownElement &;
  return llvm::TypeSwitch<Operation *, Binary>(operation)
      .Case<tm::AddOp>([](auto) {
        return [](E a, E b) {
          return arithmetic(a, b, tm::add, [](double x, double y) { return x + y; });
        };
      })
      .Case<tm::SubOp>([](auto) {
        return [](E a, E b) {
          return arithmetic(a, b, tm::subtract, [](double x, double y) { return x - y; });
        };
      })
      .Case<tm::MulOp>([](auto) {
        return [](E a, E b) {
          return arithmetic(a, b, tm::multiply, [](double x, double y) { return x * y; });
        };
      })
      .Case<tm::ModOp>([](auto mod) -> Binary {
        if (mod.getFmod())
          return {};
        return [](E a, E b) {
          return a.whole && b.whole ? whole(tm::remainder(a.whole, b.whole)) : std::nullopt;
        };
      })
      .Case<tm::DivOp>(
          [isReal](auto) { return [isReal](E a, E b) { return divide(a, b, isReal); }; })
      .Case<tm::MaxOp>([](auto) { return [](E a, E b) { return extremum(a, b, true); }; })
      .Case<tm::MinOp>([](auto) { return [](E a, E b) { return extremum(a, b, false); }; })
      .Case<tm::AndOp, tm::OrOp>([context](Operation *op) -> Binary {
        // Bits of whole numbers are left to kernels.
        if (!getElementTypeOrSelf(op->getResult(0)).isInteger(1))
          return {};
        const bool isAnd = isa<tm::AndOp>(op);
        return [context, isAnd](E a, E b) -> Element {
          const auto x = a.value(), y = b.value();
          return x && y ? truth(context, isAnd ? *x != 0 && *y != 0 : *x != 0 || *y != 0)
                        : std::nullopt;
        };
      })
      .Case<tm::CompareOp>([context](tm::CompareOp op) {
        return [context, predicate = op.getPredicate()](E a, E b) {
          return compare(predicate, a, b, context);
        };
      })
      .Default([](Operation *) { return Binary(); });
}

using Unary = std::function<Element(const KnownElement &)>;

static Unary unaryOf(Operation *operation) {
  MLIRContext *context = operation->getContext();
  const Type type = getElementTypeOrSelf(operation->getResult(0));
  using E = const KnownElement &;
  const auto ofNumber = [](double (*compute)(double)) -> Unary {
    return [compute](E a) { return a.whole ? std::nullopt : real(compute(a.real)); };
  };
  return llvm::TypeSwitch<Operation *, Unary>(operation)
      .Case<tm::CastOp>([type](auto) { return [type](E a) { return model::cast(a, type); }; })
      .Case<tm::NegOp>([context](auto) {
        return [context](E a) {
          return a.whole ? whole(tm::subtract(tm::number(context, 0), a.whole)) : real(-a.real);
        };
      })
      .Case<tm::FloorOp>([](auto) { return [](E a) { return rounded(a, std::floor); }; })
      .Case<tm::CeilOp>([](auto) { return [](E a) { return rounded(a, std::ceil); }; })
      .Case<tm::RoundOp>([](auto) { return [](E a) { return rounded(a, std::nearbyint); }; })
      .Case<tm::SqrtOp>([&](auto) { return ofNumber(std::sqrt); })
      .Case<tm::ReciprocalOp>([&](auto) { return ofNumber([](double x) { return 1 / x; }); })
      .Case<tm::NotOp>([context](auto) {
        return
            [context](E a) { return a.value() ? truth(context, *a.value() == 0) : std::nullopt; };
      })
      .Default([](Operation *) { return Unary(); });
}

std::optional<Known> foldPointwise(Operation *operation, ArrayRef<const Known *> operands) {
  if (auto op = dyn_cast<tm::ReduceOp>(operation))
    return reduce(op, *operands[0]);
  if (isa<tm::WhereOp>(operation))
    return forAll(operation, operands, [](ArrayRef<KnownElement> e) -> Element {
      const auto condition = e[0].value();
      return condition ? Element(*condition != 0 ? e[1] : e[2]) : std::nullopt;
    });
  if (operands.size() == 1)
    if (const Unary unary = unaryOf(operation))
      return forAll(operation, operands, [&](ArrayRef<KnownElement> e) { return unary(e[0]); });
  if (operands.size() == 2)
    if (const Binary binary = binaryOf(operation))
      return forAll(operation, operands,
                    [&](ArrayRef<KnownElement> e) { return binary(e[0], e[1]); });
  return std::nullopt;
}

} // namespace tilescope::model
