// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `if` and the conditional expression. On constexprs only the branch taken exists; on run-time
// values both are emitted, and names that they change become results of the `scf.if`.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/ConditionAdvice.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include <algorithm>

namespace scf = mlir::scf;

namespace tilescope::compiler::frontend {

/// One side of a run-time condition, emitted into its own region.
struct Emitter::Branch {
  mlir::Region region;
  Scope locals;
  Outcome outcome;

  mlir::Block *block() { return &region.front(); }
  bool returns() const { return outcome.kind == Outcome::Kind::Returns; }
  bool falls() const { return outcome.kind == Outcome::Kind::Falls; }
};

/// What to write in place of a branch on a block.
static std::string answersNote(const Emitter &emitter, const Frame &frame, SourceRange range) {
  std::string condition = elementwiseCondition(emitter, frame, range);
  if (condition.empty())
    condition = "condition";
  return "a branch takes one answer: `tl.where(" + condition +
         ", a, b)` is `a` where it is true and `b` elsewhere";
}

std::optional<mlir::Value> Emitter::conditionOf(const Value &value, bool &known) {
  if (const Tensor *tensor = value.tensor()) {
    Tensor scalar = *tensor;
    if (scalar.isBlock()) {
      if (scalar.type.numElements() != 1)
        failAt(m_range, DiagnosticKind::AmbiguousCondition,
               {"this condition is {} answers at once, one for each element of {}: use `mask=` or "
                "`tl.where`",
                scalar.type.numElements(), scalar.type},
               {answersNote(*this, *m_frame, m_range),
                "to leave out elements of a load or store, pass the condition as its `mask=`"});
      scalar = ops.unsplat(scalar);
    }
    return ops.cast(scalar, ScalarType{DType::Int1}).handle;
  }
  const constant::Value *constant = value.constant();
  bool isAllowed = constant && (constant->isBool() || constant->isInt() || constant->isNone());
  if (!isAllowed && !m_frame->isCompileTime)
    fail(DiagnosticKind::AmbiguousCondition,
         {"conditions can only be of type bool, int or None, got {}", value});
  known = constexprTruth(value);
  return std::nullopt;
}

std::optional<mlir::Value> Emitter::condition(const ast::Expr &test, bool &known) {
  Value value = evaluate(test);
  Place place(*this, test.range);
  return conditionOf(value, known);
}

/// What `condition` returns. Where it fails since the condition is a block, with what chooses element
/// by element.
template <typename Branching, typename Condition>
static auto withElementwiseFix(Emitter &emitter, const Branching &branching,
                               Condition &&condition) {
  try {
    return condition();
  } catch (Failure &failure) {
    Diagnostic &diagnostic = failure.diagnostic;
    if (diagnostic.kind == DiagnosticKind::AmbiguousCondition &&
        diagnostic.range == emitter.fileRange(branching.test->range))
      diagnostic.fixes = elementwiseFix(emitter, emitter.frame(), branching);
    throw;
  }
}

Outcome Emitter::emitIf(const ast::If &statement, Rest &rest) {
  bool known = false;
  std::optional<mlir::Value> runtime =
      withElementwiseFix(*this, statement, [&] { return condition(*statement.test, known); });
  if (runtime)
    return emitRuntimeIf(statement, *runtime, rest);
  return emitStatements(known ? statement.body : statement.orelse, rest.isTail && rest.isEmpty);
}

void Emitter::emitBranch(Branch &branch, const Scope &before, llvm::function_ref<Outcome()> body) {
  mlir::OpBuilder::InsertionGuard guard(ops.builder);
  ops.builder.setInsertionPointToStart(&branch.region.emplaceBlock());
  m_frame->locals = before;
  branch.outcome = body();
  branch.locals = m_frame->locals;
}

void Emitter::extendBranch(Branch &branch, Rest &rest) {
  mlir::OpBuilder::InsertionGuard guard(ops.builder);
  ops.builder.setInsertionPointToEnd(branch.block());
  m_frame->locals = branch.locals;
  branch.outcome = rest.emit();
  branch.locals = m_frame->locals;
  rest.isConsumed = true;
}

Outcome Emitter::emitRuntimeIf(const ast::If &statement, mlir::Value condition, Rest &rest) {
  Scope before = m_frame->locals;
  bool isTail = rest.isTail && rest.isEmpty;
  Branch thenBranch, elseBranch;
  emitBranch(thenBranch, before, [&] { return emitStatements(statement.body, isTail); });
  emitBranch(elseBranch, before, [&] { return emitStatements(statement.orelse, isTail); });
  // When exactly one side returns, the rest of the statements belongs to the other.
  if (thenBranch.returns() && elseBranch.falls())
    extendBranch(elseBranch, rest);
  else if (elseBranch.returns() && thenBranch.falls())
    extendBranch(thenBranch, rest);
  // At the end of the function, falling off is a return as well.
  if (isTail || (rest.isTail && rest.isConsumed)) {
    auto endsFunction = [](Branch &branch, const Branch &other) {
      if (branch.falls() && !other.falls())
        branch.outcome = {Outcome::Kind::Returns, Value(), {}, true};
    };
    endsFunction(thenBranch, elseBranch);
    endsFunction(elseBranch, thenBranch);
  }
  return joinBranches(thenBranch, elseBranch, condition, before);
}

/// Appends `value`'s handles to a branch's results, or undefined values of the types of `like`.
static void yieldValue(TensorOps &ops, const Value *value, const Value &like,
                       llvm::SmallVectorImpl<mlir::Value> &results) {
  if (value) {
    value->flatten(results);
    return;
  }
  llvm::SmallVector<mlir::Value> handles;
  like.flatten(handles);
  for (mlir::Value handle : handles)
    results.push_back(ops.create<mlir::ub::PoisonOp>(handle.getType()));
}

/// Makes the results of two returns alike: numbers become tensors unless they are equal anyway.
bool Emitter::unifyReturns(Value &left, Branch &leftBranch, Value &right, Branch &rightBranch) {
  if (left.hasTypeOf(right))
    return true;
  const TupleValue *a = left.asTuple(), *b = right.asTuple();
  if (a && b && a->items.size() == b->items.size()) {
    TupleValue leftCopy = *a, rightCopy = *b;
    for (auto [x, y] : llvm::zip(leftCopy.items, rightCopy.items))
      if (!unifyReturns(x, leftBranch, y, rightBranch))
        return false;
    left = std::move(leftCopy);
    right = std::move(rightCopy);
    return true;
  }
  mlir::OpBuilder::InsertionGuard guard(ops.builder);
  auto decay = [&](Value &value, Branch &branch) {
    ops.builder.setInsertionPointToEnd(branch.block());
    if (value.isNumber())
      value = ops.literal(*value.constant());
  };
  decay(left, leftBranch);
  decay(right, rightBranch);
  return left.hasTypeOf(right);
}

/// A name whose value differs by branch, or was made in one.
struct Emitter::Joined {
  std::string_view name;
  Value thenValue;
  Value elseValue;
};

static bool sameHandles(const Value &a, const Value &b) {
  llvm::SmallVector<mlir::Value> left, right;
  a.flatten(left);
  b.flatten(right);
  return left == right;
}

static const ast::Name *lastAssignment(ast::Seq<ast::Stmt> body, std::string_view name) {
  const ast::Name *last = nullptr;
  for (const ast::Stmt *statement : body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *target = ast::as<ast::Name>(&node);
      if (target && target->id == name && target->ctx == ast::ExprContext::Store)
        last = target;
      return true;
    });
  return last;
}

void Emitter::joinName(std::string_view name, const Value *old, const Value *thenValue,
                       const Value *elseValue, std::vector<Joined> &joined) {
  auto reject = [&](Message message) {
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::BranchType;
    diagnostic.range = m_range;
    std::move(message).about(name).writeTo(diagnostic);
    if (const ast::If *branch =
            m_frame->function ? nodeAt<ast::If>(*m_frame->function, m_range) : nullptr)
      for (auto [body, value] : {std::pair{branch->body, thenValue}, {branch->orelse, elseValue}})
        if (const ast::Name *target = lastAssignment(body, name))
          diagnostic.labels.push_back(
              {fileRange(target->range),
               "`" + std::string(name) + "` is `" + value->describe() + "` here"});
    report(std::move(diagnostic));
    m_frame->locals.set(name, Value::poison());
  };
  if (thenValue->isPoison() || elseValue->isPoison()) {
    m_frame->locals.set(name, Value::poison());
    return;
  }
  bool sameType = thenValue->hasTypeOf(*elseValue);
  if (old && !old->isPoison() && !(sameType && thenValue->hasTypeOf(*old))) {
    bool thenKeeps = thenValue->hasTypeOf(*old);
    return reject({"initial value for `{}` is of type `{}`, but the {} block redefines it as `{}`",
                   name, *old, thenKeeps ? "else" : "then", *(thenKeeps ? elseValue : thenValue)});
  }
  if (!sameType)
    return reject({"mismatched type for `{}` between then block (`{}`) and else block (`{}`)", name,
                   *thenValue, *elseValue});
  if (sameHandles(*thenValue, *elseValue))
    m_frame->locals.set(name, *thenValue);
  else
    joined.push_back({name, *thenValue, *elseValue});
}

std::vector<Emitter::Joined> Emitter::joinNames(const Branch &thenBranch, const Branch &elseBranch,
                                                const Scope &before) {
  std::vector<Joined> joined;
  m_frame->locals = before;
  if (thenBranch.returns() && elseBranch.returns())
    return joined;
  if (thenBranch.returns() || elseBranch.returns()) {
    // Only one side goes on: its names count.
    const Scope &names = thenBranch.returns() ? elseBranch.locals : thenBranch.locals;
    for (const Scope::Entry &entry : names.entries()) {
      const Value *old = before.find(entry.name);
      if (entry.value.isConstexpr() || entry.value.isPoison() ||
          (old && sameHandles(*old, entry.value)))
        m_frame->locals.set(entry.name, entry.value);
      else
        joined.push_back({entry.name, entry.value, entry.value});
    }
    return joined;
  }
  for (const Scope::Entry &entry : thenBranch.locals.entries())
    if (const Value *elseValue = elseBranch.locals.find(entry.name))
      joinName(entry.name, before.find(entry.name), &entry.value, elseValue, joined);
  // Names that only the branches know come after the others, in alphabetical order.
  auto isNew = [&](const Joined &name) { return !before.find(name.name); };
  std::ranges::sort(std::ranges::find_if(joined, isNew), joined.end(), {}, &Joined::name);
  return joined;
}

/// What two branches return together: the value whose types the results have. Poison when they
/// disagree.
Value Emitter::joinReturns(Branch &thenBranch, Branch &elseBranch) {
  Value &left = thenBranch.outcome.value, &right = elseBranch.outcome.value;
  bool thenHas = !thenBranch.falls() && !thenBranch.outcome.isImplicit;
  bool elseHas = !elseBranch.falls() && !elseBranch.outcome.isImplicit;
  if ((thenHas && left.isPoison()) || (elseHas && right.isPoison()))
    return Value::poison();
  if (!thenHas || !elseHas)
    return thenHas ? left : elseHas ? right : Value();
  if (unifyReturns(left, thenBranch, right, elseBranch))
    return left;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::ReturnType;
  diagnostic.range = m_range;
  Message("return type mismatch: `{}` and `{}`", left, right).writeTo(diagnostic);
  if (m_frame->function)
    for (const ast::Stmt *statement : m_frame->function->body)
      ast::walk(*statement, [&](const ast::Node &node) {
        if (ast::is<ast::Return>(&node))
          diagnostic.labels.push_back({fileRange(node.range), "it returns here"});
        return true;
      });
  report(std::move(diagnostic));
  return Value::poison();
}

Outcome Emitter::joinBranches(Branch &thenBranch, Branch &elseBranch, mlir::Value condition,
                              const Scope &before) {
  std::vector<Joined> joined = joinNames(thenBranch, elseBranch, before);
  bool bothReturn = thenBranch.returns() && elseBranch.returns();
  bool anyReturns = !thenBranch.falls() || !elseBranch.falls();
  bool needsFlag = anyReturns && !bothReturn;
  Value result = anyReturns ? joinReturns(thenBranch, elseBranch) : Value();

  // The results are: whether the branch returned, what it returned, the names.
  auto finish = [&](Branch &branch, bool isThen) {
    llvm::SmallVector<mlir::Value> results;
    mlir::OpBuilder::InsertionGuard guard(ops.builder);
    ops.builder.setInsertionPointToEnd(branch.block());
    const Outcome &outcome = branch.outcome;
    if (needsFlag)
      results.push_back(outcome.kind == Outcome::Kind::Maybe
                            ? outcome.flag
                            : ops.constantInt(branch.returns() ? 1 : 0, DType::Int1).handle);
    if (anyReturns && !result.isPoison())
      yieldValue(ops, branch.falls() || outcome.isImplicit ? nullptr : &outcome.value, result,
                 results);
    for (const Joined &name : joined) {
      const Value &value = isThen ? name.thenValue : name.elseValue;
      yieldValue(ops, branch.returns() ? nullptr : &value, value, results);
    }
    ops.create<scf::YieldOp>(results);
    return llvm::SmallVector<mlir::Type>(mlir::ValueRange(results).getTypes());
  };
  bool isElseEmpty = elseBranch.block()->empty();
  llvm::SmallVector<mlir::Type> types = finish(thenBranch, true);
  finish(elseBranch, false);
  auto ifOp = scf::IfOp::create(ops.builder, location(), types, condition, false, false);
  ifOp.getThenRegion().takeBody(thenBranch.region);
  if (!isElseEmpty || !types.empty())
    ifOp.getElseRegion().takeBody(elseBranch.region);

  llvm::SmallVector<mlir::Value> handles(ifOp.getResults());
  llvm::ArrayRef<mlir::Value> remaining = handles;
  Outcome outcome;
  if (needsFlag) {
    outcome.kind = Outcome::Kind::Maybe;
    outcome.flag = remaining.front();
    remaining = remaining.drop_front();
  } else if (bothReturn) {
    outcome.kind = Outcome::Kind::Returns;
    outcome.isImplicit = thenBranch.outcome.isImplicit && elseBranch.outcome.isImplicit;
  }
  outcome.value = result.rebuild(remaining);
  for (const Joined &name : joined)
    m_frame->locals.set(name.name, name.thenValue.rebuild(remaining));
  return outcome;
}

Outcome Emitter::continueAfter(Outcome outcome, Rest &rest) {
  Scope before = m_frame->locals;
  Branch returned, continued;
  Outcome already = outcome;
  already.kind = Outcome::Kind::Returns;
  emitBranch(returned, before, [&] { return already; });
  emitBranch(continued, before, rest.emit);
  if (rest.isTail && continued.falls())
    continued.outcome = {Outcome::Kind::Returns, Value(), {}, true};
  return joinBranches(returned, continued, outcome.flag, before);
}

Value Emitter::emitConditional(const ast::IfExp &expr) {
  bool known = false;
  std::optional<mlir::Value> runtime =
      withElementwiseFix(*this, expr, [&] { return condition(*expr.test, known); });
  if (!runtime)
    return evaluate(known ? *expr.body : *expr.orelse);
  Scope before = m_frame->locals;
  Branch thenBranch, elseBranch;
  auto side = [&](const ast::Expr &value) {
    return
        [&]() -> Outcome { return {Outcome::Kind::Returns, assigned(evaluate(value)), {}, false}; };
  };
  emitBranch(thenBranch, before, side(*expr.body));
  emitBranch(elseBranch, before, side(*expr.orelse));
  Value &left = thenBranch.outcome.value, &right = elseBranch.outcome.value;
  if (!left.hasTypeOf(right))
    fail(DiagnosticKind::BranchType,
         {"ternary expression with dynamic condition has inconsistent types `{}` and `{}`", left,
          right});
  Outcome outcome = joinBranches(thenBranch, elseBranch, *runtime, before);
  return outcome.value;
}

} // namespace tilescope::compiler::frontend
