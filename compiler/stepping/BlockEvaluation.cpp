// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/BlockEvaluation.h"

#include "compiler/stepping/ElementFunctions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace tilescope::compiler::stepping {

static BinaryFunction functionOf(ast::BinaryOpKind kind) {
  using Kind = ast::BinaryOpKind;
  switch (kind) {
  case Kind::Add:
    return [](double a, double b) { return a + b; };
  case Kind::Sub:
    return [](double a, double b) { return a - b; };
  case Kind::Mult:
    return [](double a, double b) { return a * b; };
  case Kind::Div:
    return [](double a, double b) { return a / b; };
  case Kind::FloorDiv:
    return [](double a, double b) { return std::floor(a / b); };
  case Kind::Mod:
    return [](double a, double b) { return a - std::floor(a / b) * b; };
  case Kind::Pow:
    return [](double a, double b) { return std::pow(a, b); };
  // Of truth values; bits of larger numbers are integers.
  case Kind::BitAnd:
    return [](double a, double b) {
      return static_cast<double>(static_cast<int64_t>(a) & static_cast<int64_t>(b));
    };
  case Kind::BitOr:
    return [](double a, double b) {
      return static_cast<double>(static_cast<int64_t>(a) | static_cast<int64_t>(b));
    };
  case Kind::BitXor:
    return [](double a, double b) {
      return static_cast<double>(static_cast<int64_t>(a) ^ static_cast<int64_t>(b));
    };
  // Nothing is lost at the left: numbers have no width here.
  case Kind::LShift:
    return [](double a, double b) { return std::ldexp(std::trunc(a), static_cast<int>(b)); };
  case Kind::RShift:
    return [](double a, double b) {
      return std::floor(std::ldexp(std::trunc(a), -static_cast<int>(b)));
    };
  default:
    return nullptr;
  }
}

static BinaryFunction functionOf(ast::CompareOpKind kind) {
  using Kind = ast::CompareOpKind;
  switch (kind) {
  case Kind::Eq:
    return [](double a, double b) { return truth(a == b); };
  case Kind::NotEq:
    return [](double a, double b) { return truth(a != b); };
  case Kind::Lt:
    return [](double a, double b) { return truth(a < b); };
  case Kind::LtE:
    return [](double a, double b) { return truth(a <= b); };
  case Kind::Gt:
    return [](double a, double b) { return truth(a > b); };
  case Kind::GtE:
    return [](double a, double b) { return truth(a >= b); };
  default:
    return nullptr;
  }
}

bool isModule(const ast::Expr &expr) {
  static constexpr std::string_view kModules[] = {"jnp", "math", "np", "numpy", "tl", "torch"};
  const auto *name = ast::as<ast::Name>(&expr);
  return name && std::ranges::find(kModules, name->id) != std::end(kModules);
}

Result<NumberBlock> BlockEvaluation::of(const ast::Expr *expr) const {
  if (const auto *name = ast::as<ast::Name>(expr))
    return m_lookup(std::string(name->id));
  if (const auto *constant = ast::as<ast::Constant>(expr))
    return ofConstant(*constant);
  if (const auto *binary = ast::as<ast::BinOp>(expr))
    return ofOperation(*binary);
  if (const auto *unary = ast::as<ast::UnaryOp>(expr))
    return ofUnary(*unary);
  if (const auto *compare = ast::as<ast::Compare>(expr))
    return ofCompare(*compare);
  if (const auto *both = ast::as<ast::BoolOp>(expr))
    return ofBoolOp(*both);
  if (const auto *call = ast::as<ast::Call>(expr))
    return ofCall(*call);
  if (const auto *subscript = ast::as<ast::Subscript>(expr))
    return ofSubscript(*subscript);
  if (const auto *choice = ast::as<ast::IfExp>(expr))
    return ofElements(*findElementFunction("where"), {choice->test, choice->body, choice->orelse});
  return blockError("this is not an expression over values: use names, numbers, operators, "
                    "`x[i, j]` and functions such as `any`, `max` and `isnan`");
}

Result<NumberBlock> BlockEvaluation::ofConstant(const ast::Constant &constant) const {
  using Kind = ast::ConstantKind;
  switch (constant.constantKind) {
  case Kind::False:
    return NumberBlock::scalar(0);
  case Kind::True:
    return NumberBlock::scalar(1);
  case Kind::Int:
    if (constant.intValue)
      return NumberBlock::scalar(static_cast<double>(*constant.intValue));
    break;
  case Kind::Float:
    return NumberBlock{{}, {constant.floatValue}, 0, {}, true};
  default:
    break;
  }
  return blockError("this constant is not a number");
}

/// Of a pointer and a number of elements, another pointer.
static std::shared_ptr<const PointedArray> pointedBy(const NumberBlock &a, const NumberBlock &b,
                                                     ast::BinaryOpKind kind) {
  if (kind == ast::BinaryOpKind::Add && !a.pointed)
    return b.pointed;
  const bool isMoved = kind == ast::BinaryOpKind::Add || kind == ast::BinaryOpKind::Sub;
  return isMoved && !b.pointed ? a.pointed : nullptr;
}

Result<NumberBlock> BlockEvaluation::ofOperation(const ast::BinOp &binary) const {
  using Kind = ast::BinaryOpKind;
  const BinaryFunction function = functionOf(binary.op);
  if (!function)
    return blockError("this operator is not known here");
  const Result<NumberBlock> a = of(binary.left);
  if (!a)
    return a;
  const Result<NumberBlock> b = of(binary.right);
  if (!b)
    return b;
  Result<NumberBlock> result =
      combine(*a, *b, function, binary.op == Kind::BitAnd ? Decider::Zero : Decider::Nothing);
  if (!result)
    return result;
  result->isReal |= binary.op == Kind::Div;
  result->pointed = pointedBy(*a, *b, binary.op);
  return result;
}

Result<NumberBlock> BlockEvaluation::ofUnary(const ast::UnaryOp &unary) const {
  Result<NumberBlock> value = of(unary.operand);
  if (!value)
    return value;
  const double allBits = std::ldexp(1, value->unsignedBits) - 1;
  for (double &number : value->numbers)
    switch (unary.op) {
    case ast::UnaryOpKind::Not:
      number = truth(number == 0);
      break;
    // Of a truth value, since masks are inverted like this.
    case ast::UnaryOpKind::Invert:
      if (value->unsignedBits > 0)
        number = allBits - number;
      else
        number = number == 0 || number == 1 ? 1 - number : -number - 1;
      break;
    case ast::UnaryOpKind::USub:
      number = -number;
      break;
    case ast::UnaryOpKind::UAdd:
      break;
    }
  if (unary.op != ast::UnaryOpKind::Invert)
    value->unsignedBits = 0;
  value->isReal &= unary.op != ast::UnaryOpKind::Not;
  value->pointed = nullptr;
  return value;
}

Result<NumberBlock> BlockEvaluation::ofCompare(const ast::Compare &compare) const {
  std::optional<NumberBlock> all;
  const ast::Expr *left = compare.left;
  for (size_t i = 0; i < compare.ops.size(); ++i) {
    const BinaryFunction function = functionOf(compare.ops[i]);
    if (!function)
      return blockError("this operator is not known here");
    const Result<NumberBlock> a = of(left), b = a ? of(compare.comparators[i]) : a;
    if (!b)
      return b;
    Result<NumberBlock> one = combine(*a, *b, function);
    if (one && all)
      one = combine(*all, *one, [](double a, double b) { return a * b; }, Decider::Zero);
    if (!one)
      return one;
    all = std::move(*one);
    all->isReal = false;
    left = compare.comparators[i];
  }
  return *all;
}

Result<NumberBlock> BlockEvaluation::ofBoolOp(const ast::BoolOp &both) const {
  std::optional<NumberBlock> all;
  const bool isAnd = both.op == ast::BoolOpKind::And;
  for (const ast::Expr *each : both.values) {
    Result<NumberBlock> one = of(each);
    if (one && all)
      one = combine(
          *all, *one,
          isAnd ? [](double a, double b) { return truth(a != 0 && b != 0); }
                : [](double a, double b) { return truth(a != 0 || b != 0); },
          isAnd ? Decider::Zero : Decider::Other);
    if (!one)
      return one;
    all = std::move(*one);
  }
  return *all;
}

Result<int64_t> BlockEvaluation::wholeNumber(const ast::Expr *expr) const {
  const Result<NumberBlock> value = of(expr);
  if (!value)
    return value.error();
  if (!value->isScalar() || value->numbers[0] != std::floor(value->numbers[0]))
    return blockError("an index is a whole number");
  if (!value->isDefined(0))
    return blockError("this index is undefined: a masked-off load has left it so");
  return static_cast<int64_t>(value->numbers[0]);
}

static Result<NumberBlock> loadedAt(const NumberBlock &pointer, const NumberBlock &number) {
  Result<NumberBlock> addresses =
      combine(pointer, number, [](double a, double b) { return a + b; });
  if (!addresses)
    return addresses;
  addresses->pointed = pointer.pointed;
  Result<NumberBlock> result = loaded(*addresses);
  if (result && result->isScalar() && addresses->isDefined(0) && !result->isDefined(0))
    return blockError("`" + pointer.pointed->name() + "` has " +
                      std::to_string(pointer.pointed->numElements()) + " elements, and none at " +
                      std::to_string(static_cast<int64_t>(addresses->numbers[0])));
  return result;
}

/// Neither a slice nor `None`.
static bool isIndex(const ast::Expr *part) {
  const auto *constant = ast::as<ast::Constant>(part);
  return !ast::is<ast::Slice>(part) &&
         !(constant && constant->constantKind == ast::ConstantKind::None);
}

Result<NumberBlock> BlockEvaluation::elementAt(const NumberBlock &pointer,
                                               const std::vector<const ast::Expr *> &parts) const {
  const std::vector<int64_t> shape = pointer.pointed->shape();
  std::vector<int64_t> index;
  bool isInside = parts.size() == shape.size();
  int64_t number = 0;
  for (const ast::Expr *part : parts) {
    const Result<int64_t> at = wholeNumber(part);
    if (!at)
      return at.error();
    if (isInside) {
      const int64_t extent = shape[index.size()];
      isInside = *at >= 0 && *at < extent;
      number = number * extent + *at;
    }
    index.push_back(*at);
  }
  if (!isInside)
    return blockError(
        "`" + pointer.pointed->name() + "` has the shape " +
        shapeText(shape.empty() ? std::vector{pointer.pointed->numElements()} : shape) +
        ", and no element at " + shapeText(index));
  return loadedAt(pointer, NumberBlock::scalar(static_cast<double>(number)));
}

Result<NumberBlock> BlockEvaluation::ofSubscript(const ast::Subscript &subscript) const {
  const Result<NumberBlock> block = of(subscript.value);
  if (!block)
    return block;
  std::vector<const ast::Expr *> parts{subscript.slice};
  if (const auto *tuple = ast::as<ast::Tuple>(subscript.slice))
    parts.assign(tuple->elts.begin(), tuple->elts.end());
  // `x_ptr[3]` is what lies there.
  if (block->pointed && block->isScalar() && parts.size() == 1 && !ast::is<ast::Slice>(parts[0])) {
    const Result<NumberBlock> number = of(parts[0]);
    if (!number)
      return number;
    return loadedAt(*block, *number);
  }
  // `x_ptr[0, 3]` is the element that findings call so.
  if (block->pointed && block->isScalar() && parts.size() > 1 &&
      std::ranges::all_of(parts, isIndex))
    return elementAt(*block, parts);
  std::vector<BlockIndex> index;
  for (const ast::Expr *part : parts) {
    const Result<BlockIndex> place = placeOf(part);
    if (!place)
      return place.error();
    index.push_back(*place);
  }
  return elementsAt(*block, index);
}

Result<BlockIndex> BlockEvaluation::placeOf(const ast::Expr *part) const {
  BlockIndex place;
  if (const auto *constant = ast::as<ast::Constant>(part);
      constant && constant->constantKind == ast::ConstantKind::None) {
    place.kind = BlockIndex::Kind::NewAxis;
    return place;
  }
  const auto *slice = ast::as<ast::Slice>(part);
  if (!slice) {
    const Result<int64_t> number = wholeNumber(part);
    if (!number)
      return number.error();
    place.at = *number;
    return place;
  }
  place.kind = BlockIndex::Kind::Slice;
  std::optional<int64_t> step;
  const std::pair<const ast::Expr *, std::optional<int64_t> *> bounds[] = {
      {slice->lower, &place.begin}, {slice->upper, &place.end}, {slice->step, &step}};
  for (const auto &[expr, bound] : bounds) {
    if (!expr)
      continue;
    const Result<int64_t> number = wholeNumber(expr);
    if (!number)
      return number.error();
    *bound = *number;
  }
  place.step = step.value_or(1);
  if (place.step == 0)
    return blockError("a slice does not go on by 0");
  return place;
}

} // namespace tilescope::compiler::stepping
