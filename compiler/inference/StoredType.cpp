// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What stored values are that no cast says: integers that are made of numbers of programs, counters, and
// constants, and conditions.
#include "compiler/inference/NameWords.h"
#include "compiler/inference/ValueFlow.h"

#include <algorithm>

namespace tilescope::compiler::inference {

using namespace ast;

/// Fits any type: an integer constant.
static const std::string kAny = "any";
static const std::string kInteger = "i32", kCondition = "i1";

/// Of two operands or alternatives; empty where one of them is not known.
static std::string joined(const std::string &one, const std::string &other) {
  if (one.empty() || other.empty())
    return {};
  if (one == other || other == kAny)
    return one;
  if (one == kAny)
    return other;
  const bool areIntegers =
      (one == kInteger && other == kCondition) || (one == kCondition && other == kInteger);
  return areIntegers ? kInteger : std::string();
}

std::string ValueFlow::storedType(const Expr *expr) {
  m_typed.clear();
  const std::string type = integerType(expr);
  return type == kAny ? std::string() : type;
}

std::string ValueFlow::integerTypeOfCall(const Call &call) {
  if (std::string cast = castTypeOf(&call); !cast.empty())
    return cast == kInteger || cast == kCondition ? cast : std::string();
  const std::string name = languageCall(call);
  if (name == "program_id" || name == "num_programs" || name == "arange" || name == "cdiv")
    return kInteger;
  if (name == "zeros" || name == "full") {
    const Expr *type = argument(call, name == "zeros" ? 1 : 2, "dtype");
    return isLanguageType(type, "int32")  ? kInteger
           : isLanguageType(type, "int1") ? kCondition
                                          : std::string();
  }
  if (name == "where")
    return call.args.size() == 3 ? joined(integerType(call.args[1]), integerType(call.args[2]))
                                 : std::string();
  if (call.args.empty())
    return {};
  const std::string first = integerType(call.args[0]);
  if (name == "minimum" || name == "maximum")
    return call.args.size() > 1 ? joined(first, integerType(call.args[1])) : std::string();
  if (name == "sum" || name == "cumsum")
    return first.empty() ? first : kInteger;
  const bool keepsType = name == "max" || name == "min" || name == "abs" || name == "zeros_like" ||
                         name == "broadcast_to" || name == "expand_dims" || name == "reshape";
  return keepsType ? first : std::string();
}

/// Constexprs are sides of blocks, strides and numbers, unless a name says otherwise.
static bool isNamedReal(std::string_view name) {
  return hasAnyWord(lowered(name),
                    {"scale", "alpha", "beta", "eps", "p", "slope", "factor", "value"});
}

std::string ValueFlow::integerTypeOfName(const Name &name) {
  if (const ParameterInfo *parameter = m_kernel.findParameter(name.id))
    return parameter->annotationKind == AnnotationKind::Constexpr && !isNamedReal(name.id)
               ? kAny
               : std::string();
  if (m_loops.contains(name.id))
    return kInteger;
  // What goes around a loop is what it was before. Each name is followed once: each of `b = a + a`, `c = b + b`, ...
  // leads to the one before it twice.
  const auto [known, isNew] = m_typed.try_emplace(name.id, kAny);
  if (!isNew)
    return known->second;
  const auto found = m_definitions.find(name.id);
  if (found == m_definitions.end())
    return known->second = std::string();
  std::string type = kAny;
  for (const Expr *definition : found->second) {
    const bool isDivided = std::ranges::any_of(m_sums, [&](const AugAssign *sum) {
      return sum->value == definition && sum->op == BinaryOpKind::Div;
    });
    type = joined(type, isDivided ? std::string() : integerType(definition));
  }
  return known->second = type;
}

std::string ValueFlow::integerType(const Expr *expr) {
  using enum BinaryOpKind;
  // Of a call that is being typed.
  if (!expr)
    return {};
  if (auto *name = as<Name>(expr))
    return integerTypeOfName(*name);
  if (auto *constant = as<Constant>(expr))
    return constant->constantKind == ConstantKind::Int ? kAny : std::string();
  if (is<Compare>(expr) || is<BoolOp>(expr))
    return kCondition;
  if (auto *operation = as<UnaryOp>(expr))
    return operation->op == UnaryOpKind::Not ? kCondition : integerType(operation->operand);
  if (auto *part = as<Subscript>(expr))
    return integerType(part->value);
  if (auto *call = as<Call>(expr))
    return integerTypeOfCall(*call);
  auto *operation = as<BinOp>(expr);
  if (!operation || operation->op == Div || operation->op == Pow)
    return {};
  const std::string type = joined(integerType(operation->left), integerType(operation->right));
  const bool isOfBits =
      operation->op == BitAnd || operation->op == BitOr || operation->op == BitXor;
  return type == kCondition && !isOfBits ? kInteger : type;
}

} // namespace tilescope::compiler::inference
