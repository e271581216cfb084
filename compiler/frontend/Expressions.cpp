// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Expressions: computed now when all operands are constexprs, else emitted. Subscripts are in
// Subscripts.cpp.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/AxisAdvice.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/ConditionAdvice.h"
#include "compiler/frontend/ForgottenLoad.h"
#include "compiler/frontend/OffsetAdvice.h"
#include "compiler/frontend/OperandChecks.h"
#include "compiler/frontend/Portability.h"
#include "compiler/frontend/RangeAdvice.h"
#include "compiler/frontend/Recovery.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/TruthArithmetic.h"
#include "compiler/frontend/UnsupportedSyntax.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// Loops that join tuples with themselves, or put them into others twice, double them each time.
static constexpr int64_t kMaxTupleItems = 4096;

/// Whether the tuple has more items than `room`, which it takes up; items of items count as well.
static bool isLarger(const TupleValue &tuple, int64_t &room) {
  room -= static_cast<int64_t>(tuple.items.size());
  return room < 0 ||
         std::ranges::any_of(
             tuple.items,
             [&](const Value &item) { return item.asTuple() && isLarger(*item.asTuple(), room); });
}

static void limitTuple(Emitter &emitter, const Value &value) {
  int64_t room = kMaxTupleItems;
  if (value.asTuple() && isLarger(*value.asTuple(), room))
    emitter.fail(DiagnosticKind::ConstantEvaluation,
                 "the tuple has more than " + std::to_string(kMaxTupleItems) + " items");
}

Value Emitter::evaluate(const ast::Expr &expr) {
  Place place(*this, expr.range);
  Value value = evaluateUnrecorded(expr);
  if (value.isPoison())
    throw PoisonUsed{};
  if (expr.kind != ast::NodeKind::Name)
    limitTuple(*this, value);
  record(expr, value, false);
  return value;
}

static Value evaluateSequence(Emitter &emitter, ast::Seq<ast::Expr> elements) {
  Recovery recovery(emitter);
  std::vector<Value> values;
  for (const ast::Expr *element : elements) {
    if (const auto *starred = ast::as<ast::Starred>(element)) {
      for (Value &item : emitter.items(emitter.evaluate(*starred->value)))
        values.push_back(std::move(item));
    } else {
      values.push_back(recovery.value(*element));
    }
  }
  recovery.finish();
  return Value::tuple(std::move(values));
}

static Value evaluateDictionary(Emitter &emitter, const ast::Dict &dictionary) {
  constant::Value::Entries entries;
  for (auto [name, item] : llvm::zip(dictionary.keys, dictionary.values)) {
    std::optional<constant::Value> value = emitter.evaluate(*item).toConstant();
    if (!name && value && value->isDict()) {
      llvm::append_range(entries, value->entries());
      continue;
    }
    std::optional<constant::Value> key = name ? emitter.evaluate(*name).toConstant() : std::nullopt;
    if (!key || !value)
      emitter.fail(DiagnosticKind::NotConstexpr,
                   "keys and values of a dictionary must be constexprs");
    entries.push_back({std::move(*key), std::move(*value)});
  }
  return constant::Value::dict(std::move(entries));
}

Value Emitter::evaluateUnrecorded(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::NodeKind::Constant:
    return evaluateConstant(*ast::as<ast::Constant>(&expr));
  case ast::NodeKind::Name:
    return lookUp(*ast::as<ast::Name>(&expr));
  case ast::NodeKind::BinOp: {
    const auto *operation = ast::as<ast::BinOp>(&expr);
    checkRangeOperands(*this, *operation);
    Recovery recovery(*this);
    Value left = recovery.value(*operation->left);
    Value right = recovery.value(*operation->right);
    recovery.finish();
    failAsFunction(left, operation->left);
    failAsFunction(right, operation->right);
    if (operation->op == ast::BinaryOpKind::MatMult && (left.tensor() || right.tensor()))
      failMatrixProduct(*this, *operation, left, right);
    checkArrays(*this, *operation);
    checkAddresses(*this, *operation, left, right);
    checkOperands(*this, *operation, left, right);
    checkOffset(*this, *operation, left, right);
    warnTruthArithmetic(*this, *operation, left, right);
    try {
      return binary(operation->op, left, right);
    } catch (Failure &failure) {
      if (failure.diagnostic.kind == DiagnosticKind::TypeMismatch)
        explainOffset(failure.diagnostic, *this, *operation, left, right);
      if (failure.diagnostic.kind != DiagnosticKind::ShapeMismatch)
        throw;
      if (areVectors(left, right) || arePlaces(left, right))
        explainAxes(failure.diagnostic, *this, *m_frame, *operation);
      else
        explainRows(failure.diagnostic, *this, *m_frame, *operation, left, right);
      if (failure.diagnostic.fixes.empty())
        explainTurned(failure.diagnostic, *this, *m_frame, *operation, left, right);
      throw;
    }
  }
  case ast::NodeKind::UnaryOp:
    return evaluateUnary(*ast::as<ast::UnaryOp>(&expr));
  case ast::NodeKind::BoolOp:
    return evaluateBoolOp(*ast::as<ast::BoolOp>(&expr));
  case ast::NodeKind::Compare:
    return evaluateCompare(*ast::as<ast::Compare>(&expr));
  case ast::NodeKind::Call:
    return evaluateCall(*ast::as<ast::Call>(&expr));
  case ast::NodeKind::Attribute: {
    const auto *access = ast::as<ast::Attribute>(&expr);
    Value base = evaluate(*access->value);
    // Arrays of the host know their size.
    if (access->attr == "size" && base.tensor() && base.tensor()->type.isPointer())
      failShapeless(*this, *access);
    return attribute(base, access->attr, fileRange(access->attrRange));
  }
  case ast::NodeKind::Subscript:
    return evaluateSubscript(*ast::as<ast::Subscript>(&expr));
  case ast::NodeKind::IfExp:
    return emitConditional(*ast::as<ast::IfExp>(&expr));
  case ast::NodeKind::Tuple:
  case ast::NodeKind::List:
    return evaluateSequence(*this, expr.kind == ast::NodeKind::Tuple
                                       ? ast::as<ast::Tuple>(&expr)->elts
                                       : ast::as<ast::List>(&expr)->elts);
  case ast::NodeKind::Dict:
    if (!m_frame->isModuleLevel && !m_frame->isCompileTime)
      failSyntax(*this, expr);
    return evaluateDictionary(*this, *ast::as<ast::Dict>(&expr));
  case ast::NodeKind::ListComp:
  case ast::NodeKind::GeneratorExp:
    return evaluateListComp(*ast::as<ast::ListComp>(&expr));
  case ast::NodeKind::JoinedStr:
    return evaluateFormatted(*ast::as<ast::JoinedStr>(&expr));
  case ast::NodeKind::NamedExpr: {
    const auto *named = ast::as<ast::NamedExpr>(&expr);
    Value value = assigned(evaluate(*named->value));
    assignTo(*named->target, value);
    return value;
  }
  case ast::NodeKind::InvalidExpr:
    // The parser has reported it.
    throw PoisonUsed{};
  default:
    failSyntax(*this, expr);
  }
}

Value Emitter::evaluateConstant(const ast::Constant &literal) {
  switch (literal.constantKind) {
  case ast::ConstantKind::None:
    return Value();
  case ast::ConstantKind::True:
    return Value::boolean(true);
  case ast::ConstantKind::False:
    return Value::boolean(false);
  case ast::ConstantKind::Int:
    if (literal.intValue)
      return Value::integer(*literal.intValue);
    if (std::optional<constant::Int> value = constant::Int::fromLiteral(literal.text))
      return constant::Value::integer(*value);
    fail(DiagnosticKind::ConstantEvaluation, "malformed integer");
  case ast::ConstantKind::Float:
    return constant::Value::real(literal.floatValue);
  case ast::ConstantKind::Str:
    return constant::Value::string(std::string(literal.text));
  case ast::ConstantKind::Ellipsis:
    return constant::Value::ellipsis();
  default:
    fail(DiagnosticKind::UnsupportedSyntax, "complex numbers and bytes are not supported");
  }
}

/// Tuples can be joined and repeated.
static std::optional<Value> tupleBinary(ast::BinaryOpKind op, const TupleValue &left,
                                        const Value &right) {
  std::vector<Value> items = left.items;
  const auto append = [&](const TupleValue &other) {
    items.insert(items.end(), other.items.begin(), other.items.end());
  };
  if (const TupleValue *other = right.asTuple(); other && op == ast::BinaryOpKind::Add) {
    append(*other);
    return Value::tuple(std::move(items));
  }
  const constant::Value *times = right.constant();
  if (op != ast::BinaryOpKind::Mult || !times || !(times->isInt() || times->isBool()))
    return std::nullopt;
  const int64_t count = left.items.empty() ? 0 : times->toInt64().value_or(kMaxTupleItems + 1);
  if (count <= 0)
    return Value::tuple({});
  // Beyond the limit, how far beyond does not matter.
  for (int64_t i = 1; i < count && std::ssize(items) <= kMaxTupleItems; ++i)
    append(left);
  return Value::tuple(std::move(items));
}

Value Emitter::binary(ast::BinaryOpKind op, const Value &left, const Value &right) {
  if (left.asTuple())
    if (std::optional<Value> result = tupleBinary(op, *left.asTuple(), right)) {
      limitTuple(*this, *result);
      return *result;
    }
  for (const Value *operand : {&left, &right})
    failAsFunction(*operand);
  if (left.constant() && right.constant())
    return orFail(constant::applyBinary(op, *left.constant(), *right.constant()));
  return ops.binary(op, left, right);
}

Value Emitter::compare(ast::CompareOpKind op, const Value &left, const Value &right) {
  using enum ast::CompareOpKind;
  std::optional<constant::Value> leftConstant = left.toConstant();
  std::optional<constant::Value> rightConstant = right.toConstant();
  if (op == Is || op == IsNot) {
    bool same = leftConstant && rightConstant && constant::identical(*leftConstant, *rightConstant);
    return Value::boolean(same == (op == Is));
  }
  if (leftConstant && rightConstant)
    return orFail(constant::applyCompare(op, *leftConstant, *rightConstant));
  if (const TupleValue *a = left.asTuple()) {
    const TupleValue *b = right.asTuple();
    if (b && (op == Eq || op == NotEq) && a->items.size() != b->items.size())
      return Value::boolean(op == NotEq);
  }
  // None, strings and types differ from every run-time value.
  bool isComparable = (left.tensor() || left.isNumber()) && (right.tensor() || right.isNumber());
  if (!isComparable && (left.isNone() || right.isNone()) && (op == Eq || op == NotEq))
    return Value::boolean(op == NotEq);
  return ops.compare(op, left, right);
}

Value Emitter::evaluateUnary(const ast::UnaryOp &expr) {
  Value operand = evaluate(*expr.operand);
  if (std::optional<constant::Value> known = operand.toConstant())
    return orFail(constant::applyUnary(expr.op, *known));
  if (!operand.tensor())
    fail(DiagnosticKind::TypeMismatch,
         {"wrong type argument to unary `{}`: {}", ast::opText(expr.op), operand});
  return ops.unary(expr.op, *operand.tensor());
}

Value Emitter::evaluateBoolOp(const ast::BoolOp &expr) {
  // Constexprs decide or drop out; what remains is combined from the right.
  std::vector<Value> remaining;
  Value last;
  for (const ast::Expr *operand : expr.values) {
    last = evaluate(*operand);
    if (!last.tensor()) {
      bool isTrue = constexprTruth(last);
      if (isTrue == (expr.op == ast::BoolOpKind::Or))
        return last;
    } else {
      remaining.push_back(last);
    }
  }
  if (remaining.empty())
    return last;
  bool isOfBlocks = false;
  while (remaining.size() > 1) {
    Value right = std::move(remaining.back());
    remaining.pop_back();
    const Value &left = remaining.back();
    isOfBlocks |= left.tensor()->isBlock() && right.tensor()->isBlock();
    try {
      remaining.back() = ops.logical(expr.op, left, right);
    } catch (Failure &failure) {
      if (failure.diagnostic.kind == DiagnosticKind::ShapeMismatch && areVectors(left, right))
        explainAxes(failure.diagnostic, *this, *m_frame, expr);
      throw;
    }
  }
  if (isOfBlocks)
    warnLogical(*this, expr);
  return remaining.front();
}

Value Emitter::evaluateCompare(const ast::Compare &expr) {
  if (expr.ops.size() > 1) {
    if (!m_frame->isCompileTime)
      failComparison(*this, expr);
    Value left = evaluate(*expr.left);
    Value result = Value::boolean(true);
    for (auto [op, comparator] : llvm::zip(expr.ops, expr.comparators)) {
      Value right = evaluate(*comparator);
      result = compare(op, left, right);
      if (!constexprTruth(result))
        return result;
      left = right;
    }
    return result;
  }
  Recovery recovery(*this);
  Value left = recovery.value(*expr.left);
  Value right = recovery.value(*expr.comparators.front());
  recovery.finish();
  Value result = compare(expr.ops.front(), left, right);
  if (expr.ops.front() == ast::CompareOpKind::In || expr.ops.front() == ast::CompareOpKind::NotIn)
    warnUnportable(*this, "`in` in a kernel");
  return result;
}

Value Emitter::evaluateListComp(const ast::ListComp &expr) {
  // Host code may have generators too: all of their items are wanted sooner or later.
  bool isHost = m_frame->isModuleLevel || m_frame->isCompileTime;
  bool isList =
      expr.kind == ast::NodeKind::ListComp || (isHost && expr.kind == ast::NodeKind::GeneratorExp);
  if (!isList || expr.generators.size() != 1 || expr.generators.front()->isAsync)
    fail(DiagnosticKind::UnsupportedSyntax,
         "only list comprehensions with one `for` are supported");
  const ast::Comprehension &generator = *expr.generators.front();
  const auto *call = ast::as<ast::Call>(generator.iter);
  const auto *callee = call ? ast::as<ast::Name>(call->func) : nullptr;
  if (callee && (callee->id == "range" || callee->id == "enumerate" || callee->id == "zip"))
    warnUnportable(*this, "a list comprehension over anything but a tuple",
                   "the numbers themselves are a block, `tl.arange(0, 4)`; what is to be done for "
                   "each of them is written below `for i in tl.static_range(4):`");
  const Value iterated = evaluate(*generator.iter);
  if (const Tensor *tensor = iterated.tensor())
    failComprehension(*this, expr, *tensor);
  std::vector<Value> source = items(iterated);
  Scope saved = m_frame->locals;
  std::vector<Value> results;
  for (const Value &item : source) {
    assignTo(*generator.target, item);
    bool isWanted = std::ranges::all_of(generator.ifs, [&](const ast::Expr *condition) {
      return constexprTruth(evaluate(*condition));
    });
    if (isWanted)
      results.push_back(evaluate(*expr.elt));
  }
  m_frame->locals = std::move(saved);
  return Value::tuple(std::move(results));
}

Value Emitter::evaluateFormatted(const ast::JoinedStr &expr) {
  std::string text;
  for (const ast::Expr *part : expr.values) {
    const auto *field = ast::as<ast::FormattedValue>(part);
    if (!field) {
      text += evaluate(*part).constant()->str();
      continue;
    }
    Value value = evaluate(*field->value);
    std::optional<constant::Value> known = value.toConstant();
    if (!known)
      failFormatted(*this, expr, *field, value);
    if (field->conversion == 'r' || field->conversion == 'a')
      known = constant::Value::string(constant::repr(*known));
    else if (field->conversion == 's')
      known = constant::Value::string(constant::str(*known));
    std::string spec = field->formatSpec ? evaluate(*field->formatSpec).constant()->str() : "";
    text += orFail(constant::format(*known, spec));
  }
  return constant::Value::string(std::move(text));
}

} // namespace tilescope::compiler::frontend
