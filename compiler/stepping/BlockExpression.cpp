// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/BlockExpression.h"

#include "compiler/stepping/BlockFunctions.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace tilescope::compiler::stepping {

struct ParsedBlockExpression {
  ast::ParsedExpression parsed;
  /// Values of the IR, in place of which names stand that the parser reads.
  std::vector<std::string> irNames;
};

/// In front of the number of a value of the IR.
static constexpr std::string_view kIrName = "__ir_value_";

static Error wrong(std::string message) { return Error{ErrorCode::Usage, std::move(message), ""}; }

static double truth(bool value) { return value ? 1 : 0; }

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

static bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Whether what was read so far ends in a value, behind which `%` is the remainder.
static bool endsInValue(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t");
  if (last == std::string_view::npos)
    return false;
  text = text.substr(0, last + 1);
  if (text.back() == ')' || text.back() == ']')
    return true;
  if (!isNamePart(text.back()))
    return false;
  size_t begin = text.size();
  while (begin > 0 && isNamePart(text[begin - 1]))
    --begin;
  const std::string_view word = text.substr(begin);
  return word != "not" && word != "and" && word != "or";
}

/// The text with a plain name for each `%name` of the IR, which go to `names`.
static std::string withPlainNames(const std::string &text, std::vector<std::string> &names) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '%' || endsInValue(plain)) {
      plain += text[at++];
      continue;
    }
    size_t end = at + 1;
    while (end < text.size() && (isNamePart(text[end]) || text[end] == '$' || text[end] == '#'))
      ++end;
    plain += std::string(kIrName) + std::to_string(names.size());
    names.push_back(text.substr(at, end - at));
    at = end;
  }
  return plain;
}

/// What the user has written where the parser read `name`.
static std::string meantName(const std::string &name, const std::vector<std::string> &irNames) {
  if (!name.starts_with(kIrName))
    return name;
  const size_t index = std::strtoul(name.c_str() + kIrName.size(), nullptr, 10);
  return index < irNames.size() ? irNames[index] : name;
}

/// `np` of `np.max(x)`: functions are the same wherever they are from.
static bool isModule(const ast::Expr &expr) {
  static constexpr std::string_view kModules[] = {"jnp", "math", "np", "numpy", "tl", "torch"};
  const auto *name = ast::as<ast::Name>(&expr);
  return name && std::ranges::find(kModules, name->id) != std::end(kModules);
}

namespace {

class Evaluation {
public:
  Evaluation(const NameLookup &lookup, const std::vector<std::string> &irNames)
      : m_lookup(lookup), m_irNames(irNames) {}

  Result<NumberBlock> of(const ast::Expr *expr) const {
    if (const auto *name = ast::as<ast::Name>(expr))
      return ofName(std::string(name->id));
    if (const auto *constant = ast::as<ast::Constant>(expr))
      return ofConstant(*constant);
    if (const auto *binary = ast::as<ast::BinOp>(expr))
      return ofPair(binary->left, binary->right, functionOf(binary->op),
                    binary->op == ast::BinaryOpKind::BitAnd ? Decider::Zero : Decider::Nothing);
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
    return wrong("this is not an expression over values: use names, numbers, operators, "
                 "`x[i, j]` and functions such as `any`, `max` and `isnan`");
  }

private:
  Result<NumberBlock> ofName(const std::string &name) const {
    return m_lookup(meantName(name, m_irNames));
  }

  Result<NumberBlock> ofConstant(const ast::Constant &constant) const {
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
      return NumberBlock::scalar(constant.floatValue);
    default:
      break;
    }
    return wrong("this constant is not a number");
  }

  Result<NumberBlock> ofPair(const ast::Expr *left, const ast::Expr *right, BinaryFunction function,
                             Decider decider = Decider::Nothing) const {
    if (!function)
      return wrong("this operator is not known here");
    Result<NumberBlock> a = of(left);
    if (!a)
      return a;
    Result<NumberBlock> b = of(right);
    return b ? combine(*a, *b, function, decider) : b;
  }

  Result<NumberBlock> ofUnary(const ast::UnaryOp &unary) const {
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
    return value;
  }

  Result<NumberBlock> ofCompare(const ast::Compare &compare) const {
    std::optional<NumberBlock> all;
    const ast::Expr *left = compare.left;
    for (size_t i = 0; i < compare.ops.size(); ++i) {
      Result<NumberBlock> one = ofPair(left, compare.comparators[i], functionOf(compare.ops[i]));
      if (one && all)
        one = combine(*all, *one, [](double a, double b) { return a * b; }, Decider::Zero);
      if (!one)
        return one;
      all = std::move(*one);
      left = compare.comparators[i];
    }
    return *all;
  }

  Result<NumberBlock> ofBoolOp(const ast::BoolOp &both) const {
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

  /// `any(x)`, `x.any()` or `np.any(x)`, with `axis` behind it.
  Result<NumberBlock> ofCall(const ast::Call &call) const {
    std::vector<const ast::Expr *> arguments(call.args.begin(), call.args.end());
    std::string name;
    if (const auto *plain = ast::as<ast::Name>(call.func)) {
      name = std::string(plain->id);
    } else if (const auto *method = ast::as<ast::Attribute>(call.func)) {
      name = std::string(method->attr);
      if (!isModule(*method->value))
        arguments.insert(arguments.begin(), method->value);
    } else {
      return wrong("only functions with a name can be called");
    }
    for (const ast::Keyword *keyword : call.keywords)
      if (keyword->arg == "axis")
        arguments.push_back(keyword->value);
    if (arguments.empty() || arguments.size() > 2)
      return wrong("`" + name + "` takes one block and, perhaps, an axis");
    std::optional<int64_t> axis;
    if (arguments.size() == 2) {
      const Result<int64_t> number = wholeNumber(arguments[1]);
      if (!number)
        return number.error();
      axis = *number;
    }
    const Result<NumberBlock> block = of(arguments[0]);
    return block ? applyFunction(name, *block, axis) : block;
  }

  Result<int64_t> wholeNumber(const ast::Expr *expr) const {
    const Result<NumberBlock> value = of(expr);
    if (!value)
      return value.error();
    if (!value->isScalar() || value->numbers[0] != std::floor(value->numbers[0]))
      return wrong("an index is a whole number");
    if (!value->isDefined(0))
      return wrong("this index is undefined: a masked-off load has left it so");
    return static_cast<int64_t>(value->numbers[0]);
  }

  Result<NumberBlock> ofSubscript(const ast::Subscript &subscript) const {
    const Result<NumberBlock> block = of(subscript.value);
    if (!block)
      return block;
    std::vector<const ast::Expr *> parts{subscript.slice};
    if (const auto *tuple = ast::as<ast::Tuple>(subscript.slice))
      parts.assign(tuple->elts.begin(), tuple->elts.end());
    std::vector<int64_t> index;
    for (const ast::Expr *part : parts) {
      const Result<int64_t> number = wholeNumber(part);
      if (!number)
        return number.error();
      index.push_back(*number);
    }
    return elementsAt(*block, index);
  }

  const NameLookup &m_lookup;
  const std::vector<std::string> &m_irNames;
};

} // namespace

Result<BlockExpression> BlockExpression::parse(const std::string &text) {
  auto parsed = std::make_shared<ParsedBlockExpression>();
  parsed->parsed = ast::parseExpression(withPlainNames(text, parsed->irNames));
  const ast::ParsedExpression &read = parsed->parsed;
  if (!read.expr || (read.tree && read.tree->hasErrors()))
    return wrong(read.tree && !read.tree->diagnostics.empty()
                     ? read.tree->diagnostics.front().message
                     : "`" + text + "` is not an expression");
  BlockExpression expression;
  expression.m_parsed = std::move(parsed);
  return expression;
}

std::string BlockExpression::unknownFunction() const {
  std::string unknown;
  ast::walk(*m_parsed->parsed.expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *plain = call ? ast::as<ast::Name>(call->func) : nullptr;
    const auto *method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const std::string_view name = plain ? plain->id : method ? method->attr : std::string_view();
    if (call && !isFunction(name))
      unknown = name;
    return unknown.empty();
  });
  return unknown;
}

std::vector<std::string> BlockExpression::names() const {
  std::vector<std::string> found;
  std::vector<const ast::Node *> functions;
  ast::walk(*m_parsed->parsed.expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call)
      functions.push_back(call->func);
    if (const auto *member = call ? ast::as<ast::Attribute>(call->func) : nullptr;
        member && isModule(*member->value))
      functions.push_back(member->value);
    const auto *name = ast::as<ast::Name>(&node);
    if (!name || std::ranges::find(functions, &node) != functions.end())
      return true;
    std::string meant = meantName(std::string(name->id), m_parsed->irNames);
    if (std::ranges::find(found, meant) == found.end())
      found.push_back(std::move(meant));
    return true;
  });
  return found;
}

Result<NumberBlock> BlockExpression::evaluate(const NameLookup &lookup) const {
  return Evaluation(lookup, m_parsed->irNames).of(m_parsed->parsed.expr);
}

Result<bool> BlockExpression::holds(const NameLookup &lookup) const {
  const Result<NumberBlock> value = evaluate(lookup);
  if (!value)
    return value.error();
  for (size_t i = 0; i < value->numbers.size(); ++i)
    if (value->numbers[i] != 0 && value->isDefined(i))
      return true;
  return false;
}

} // namespace tilescope::compiler::stepping
