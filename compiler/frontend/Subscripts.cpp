// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Subscripts: of tuples and constants, and how blocks and pointers are indexed.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/ArrayIndexing.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/ElementAdvice.h"
#include "compiler/frontend/Failure.h"
#include "compiler/frontend/Remedies.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

constant::Value Emitter::sliceConstant(const ast::Slice &slice) {
  auto part = [&](const ast::Expr *expr) {
    if (!expr)
      return constant::Value::none();
    Value value = evaluate(*expr);
    if (!value.constant())
      failAt(fileRange(expr->range), DiagnosticKind::NotConstexpr,
             {"slice bounds must be constexprs, got {}", value});
    return *value.constant();
  };
  constant::Value lower = part(slice.lower), upper = part(slice.upper), step = part(slice.step);
  return constant::Value::slice(lower, upper, step);
}

Value Emitter::tupleSubscript(const TupleValue &tuple, const constant::Value &index) {
  const std::optional<int64_t> number = index.isInt() ? index.toInt64() : std::nullopt;
  if (const auto size = static_cast<int64_t>(tuple.items.size());
      number && (*number < -size || *number >= size))
    fail(DiagnosticKind::ConstantEvaluation,
         "IndexError: tuple index out of range: the index is " + std::to_string(*number) +
             ", and the tuple has " + std::to_string(size) + (size == 1 ? " item" : " items"));
  // Indices go through the same rules as those of constant tuples: on a tuple of positions.
  constant::Value::Items positions;
  for (size_t i = 0; i < tuple.items.size(); ++i)
    positions.push_back(constant::Value::integer(static_cast<int64_t>(i)));
  constant::Value found =
      orFail(constant::subscript(constant::Value::tuple(std::move(positions)), index));
  if (found.isInt())
    return tuple.items[*found.toInt64()];
  std::vector<Value> items;
  for (const constant::Value &position : found.items())
    items.push_back(tuple.items[*position.toInt64()]);
  return Value::tuple(std::move(items));
}

/// The loop over `range(…)` around an expression whose turns a name counts; null where there is none.
static const ast::For *loopOf(const ast::FunctionDef &function, const ast::Name &name) {
  const ast::For *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *target = loop ? ast::as<ast::Name>(loop->target) : nullptr;
      const auto *range = target ? ast::as<ast::Call>(loop->iter) : nullptr;
      const auto *callee = range ? ast::as<ast::Name>(range->func) : nullptr;
      if (callee && callee->id == "range" && target->id == name.id &&
          loop->range.begin < name.range.begin && name.range.end <= loop->range.end)
        found = loop;
      return true;
    });
  return found;
}

/// The index of a list or a tuple is known at run time only.
[[noreturn]] static void failIndex(Emitter &emitter, const ast::Expr &index, const Value &value) {
  Failure failure;
  failure.diagnostic.kind = DiagnosticKind::NotConstexpr;
  failure.diagnostic.range = emitter.fileRange(index.range);
  Message("an index must be a constexpr, got {}", value).writeTo(failure.diagnostic);
  const Frame &frame = emitter.frame();
  const auto *name = ast::as<ast::Name>(&index);
  const ast::For *loop = name && frame.function ? loopOf(*frame.function, *name) : nullptr;
  if (loop) {
    failure.diagnostic.notes.push_back("in a loop over `tl.static_range`, which is unrolled, `" +
                                       std::string(name->id) + "` is one in each turn");
    const SourceRange callee = ast::as<ast::Call>(loop->iter)->func->range;
    if (hasLanguageName(frame))
      failure.diagnostic.fixes = rewriteFix(frame, emitter.fileRange(callee),
                                            emitter.fileRange(callee), "tl.static_range");
  }
  throw failure;
}

Value Emitter::tensorSubscript(const Tensor &tensor, const ast::Expr &index) {
  const auto *tuple = ast::as<ast::Tuple>(&index);
  std::vector<const ast::Expr *> parts;
  if (tuple)
    parts.assign(tuple->elts.begin(), tuple->elts.end());
  else
    parts.push_back(&index);
  Tensor result = tensor;
  int64_t axis = 0;
  for (const ast::Expr *part : parts) {
    const auto *slice = ast::as<ast::Slice>(part);
    const auto *constant = ast::as<ast::Constant>(part);
    auto isNothing = [&](const ast::Expr *bound) { return !bound || evaluate(*bound).isNone(); };
    bool isFull =
        slice && isNothing(slice->lower) && isNothing(slice->upper) && isNothing(slice->step);
    bool isNone = constant ? constant->constantKind == ast::ConstantKind::None
                           : !slice && evaluate(*part).isNone();
    if (!isNone && !isFull && tensor.type.shape.empty() && tensor.type.isPointer())
      failArrayRead(*this);
    if (!isNone && !isFull && !tensor.isBlock())
      failNumber(*this, tensor);
    const auto rank = static_cast<int64_t>(result.type.shape.size());
    if (isNone && axis > rank && rank > 0)
      fail(DiagnosticKind::BadArgument, Message("the index has {} parts for a block of shape {}",
                                                parts.size(), tensor.type.shape)
                                            .needs(Need::Rank));
    // `:` goes past the end without a word, so scalars take `[:, None]` and become blocks of one.
    if (isNone)
      result = ops.expandDims(result, std::min(axis, rank));
    else if (!isFull)
      failElement(*this, *part);
    ++axis;
  }
  return result;
}

Value Emitter::evaluateSubscript(const ast::Subscript &expr) {
  const Value base = evaluate(*expr.value);
  if (const TupleValue *tuple = base.asTuple(); tuple && tuple->items.empty())
    if (const auto *shape = ast::as<ast::Attribute>(expr.value); shape && shape->attr == "shape")
      failShapeless(*this, *shape);
  return subscript(base, *expr.slice);
}

Value Emitter::subscript(const Value &base, const ast::Expr &index) {
  if (const Tensor *tensor = base.tensor())
    return tensorSubscript(*tensor, index);
  constant::Value key;
  if (const auto *slice = ast::as<ast::Slice>(&index)) {
    key = sliceConstant(*slice);
  } else {
    Value value = evaluate(index);
    if (!value.constant())
      failIndex(*this, index, value);
    key = *value.constant();
  }
  if (const TupleValue *tuple = base.asTuple())
    return tupleSubscript(*tuple, key);
  if (base.constant())
    return orFail(constant::subscript(*base.constant(), key));
  fail(DiagnosticKind::TypeMismatch, {"{} cannot be indexed", base});
}

} // namespace tilescope::compiler::frontend
