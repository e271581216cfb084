// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tm/ir/ExtentText.h"

using namespace mlir;

namespace tilescope::tm {

/// Which operators may stand beside an operand without parentheses.
enum class Binding { Sum, Product, Operand };

/// As a bare identifier of MLIR, or in quotation marks.
static std::string nameText(StringRef name) {
  const auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; };
  const bool isPlain = !name.empty() && !llvm::isDigit(name.front()) && name.front() != '.' &&
                       llvm::all_of(name, isWord) && name != "floordiv" && name != "ceildiv" &&
                       name != "mod";
  if (isPlain)
    return name.str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '"';
  llvm::printEscapedString(name, stream);
  stream << '"';
  return text;
}

static std::string text(AffineExpr extent, Binding binding);

static std::string binaryText(AffineBinaryOpExpr extent, Binding binding) {
  const bool isSum = extent.getKind() == AffineExprKind::Add;
  const auto constant = dyn_cast<AffineConstantExpr>(extent.getRHS());
  std::string result;
  if (isSum && constant && constant.getValue() < 0 &&
      constant.getValue() != std::numeric_limits<int64_t>::min())
    result = text(extent.getLHS(), Binding::Sum) + " - " + std::to_string(-constant.getValue());
  else if (isSum)
    result = text(extent.getLHS(), Binding::Sum) + " + " + text(extent.getRHS(), Binding::Product);
  else {
    const StringRef sign = extent.getKind() == AffineExprKind::Mul        ? " * "
                           : extent.getKind() == AffineExprKind::FloorDiv ? " floordiv "
                           : extent.getKind() == AffineExprKind::CeilDiv  ? " ceildiv "
                                                                          : " mod ";
    result = text(extent.getLHS(), Binding::Product) + sign.str() +
             text(extent.getRHS(), Binding::Operand);
  }
  const bool isBound = binding == Binding::Operand || (binding == Binding::Product && isSum);
  return isBound ? "(" + result + ")" : result;
}

static std::string text(AffineExpr extent, Binding binding) {
  if (const auto constant = dyn_cast<AffineConstantExpr>(extent))
    return std::to_string(constant.getValue());
  if (const auto symbol = dyn_cast<AffineSymbolExpr>(extent))
    return nameText(
        extent.getContext()->getLoadedDialect<TMDialect>()->symbolName(symbol.getPosition()));
  if (const auto binary = dyn_cast<AffineBinaryOpExpr>(extent))
    return binaryText(binary, binding);
  return "?";
}

std::string extentText(AffineExpr extent) { return text(extent, Binding::Sum); }

static AffineExpr parseOperand(AsmParser &parser) {
  if (succeeded(parser.parseOptionalLParen())) {
    const AffineExpr inner = parseExtent(parser);
    return inner && succeeded(parser.parseRParen()) ? inner : AffineExpr();
  }
  int64_t number = 0;
  if (const OptionalParseResult parsed = parser.parseOptionalInteger(number); parsed.has_value())
    return succeeded(*parsed) ? getAffineConstantExpr(number, parser.getContext()) : AffineExpr();
  std::string quoted;
  StringRef name;
  if (succeeded(parser.parseOptionalString(&quoted)))
    name = quoted;
  else if (failed(parser.parseOptionalKeyword(&name))) {
    parser.emitError(parser.getCurrentLocation(), "expected a number or a name");
    return {};
  }
  return parser.getContext()->getOrLoadDialect<TMDialect>()->symbol(name);
}

static AffineExpr parseProduct(AsmParser &parser) {
  AffineExpr left = parseOperand(parser);
  while (left) {
    const bool isProduct = succeeded(parser.parseOptionalStar());
    StringRef word;
    if (!isProduct && failed(parser.parseOptionalKeyword(&word, {"floordiv", "ceildiv", "mod"})))
      return left;
    const AffineExpr right = parseOperand(parser);
    if (!right)
      return {};
    left = isProduct            ? left * right
           : word == "floordiv" ? left.floorDiv(right)
           : word == "ceildiv"  ? left.ceilDiv(right)
                                : left % right;
  }
  return left;
}

AffineExpr parseExtent(AsmParser &parser) {
  AffineExpr left = parseProduct(parser);
  while (left) {
    if (succeeded(parser.parseOptionalPlus())) {
      const AffineExpr right = parseProduct(parser);
      left = right ? left + right : AffineExpr();
      continue;
    }
    // A minus before digits belongs to the number.
    int64_t number = 0;
    const OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (!parsed.has_value())
      return left;
    left = succeeded(*parsed) && number < 0 ? left + number : AffineExpr();
  }
  return left;
}

} // namespace tilescope::tm
