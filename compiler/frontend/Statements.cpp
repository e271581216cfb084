// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Statements. An error ends the enclosing statement; the names that the statement would have bound
// are poisoned, and emission goes on, so that several independent errors are found at once.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/ArrayIndexing.h"
#include "compiler/frontend/BlockWrites.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/KeptAxis.h"
#include "compiler/frontend/LostResults.h"
#include "compiler/frontend/MistakenNames.h"
#include "compiler/frontend/OperandChecks.h"
#include "compiler/frontend/RangeAdvice.h"
#include "compiler/frontend/Recovery.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/TurnedOperators.h"
#include "compiler/frontend/UnsupportedSyntax.h"
#include "compiler/frontend/UnusedValues.h"
#include "compiler/support/Counted.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

Outcome Emitter::emitStatements(Statements statements, bool isTail) {
  for (size_t i = 0; i < statements.size(); ++i) {
    checkStop();
    const ast::Stmt &statement = *statements[i];
    Statements following = statements.subspan(i + 1);
    auto emitFollowing = [&] { return emitStatements(following, isTail); };
    Rest rest{emitFollowing, following.empty(), isTail, false};
    Outcome outcome;
    try {
      outcome = emitStatement(statement, rest);
    } catch (const Failure &failure) {
      report(failure.diagnostic);
      abandon(statement);
      // Code after an assertion relies on it. The rest of the kernel is still checked: there may be
      // other errors.
      const bool isAssertion = failure.diagnostic.kind == DiagnosticKind::StaticAssertFailed;
      // What fails in a function that comes along with the compiler is the user's call of it.
      const bool endsCall = isAssertion || m_frame->module->isPrelude;
      if (endsCall && m_frame->caller && m_frame->loopDepth == 0)
        return {Outcome::Kind::Returns, Value::poison(), {}, false};
    } catch (const PoisonUsed &) {
      abandon(statement);
    }
    if (rest.isConsumed || outcome.kind == Outcome::Kind::Returns)
      return outcome;
    if (outcome.kind == Outcome::Kind::Maybe)
      return continueAfter(std::move(outcome), rest);
  }
  return {};
}

Outcome Emitter::emitStatement(const ast::Stmt &statement, Rest &rest) {
  Place place(*this, statement.range);
  switch (statement.kind) {
  case ast::NodeKind::Assign:
    emitAssign(*ast::as<ast::Assign>(&statement));
    return {};
  case ast::NodeKind::AnnAssign:
    emitAnnAssign(*ast::as<ast::AnnAssign>(&statement));
    return {};
  case ast::NodeKind::AugAssign:
    emitAugAssign(*ast::as<ast::AugAssign>(&statement));
    return {};
  case ast::NodeKind::Expr:
    emitExpression(*ast::as<ast::ExprStmt>(&statement)->value);
    return {};
  case ast::NodeKind::Return:
    return emitReturn(*ast::as<ast::Return>(&statement));
  case ast::NodeKind::If:
    return emitIf(*ast::as<ast::If>(&statement), rest);
  case ast::NodeKind::For:
    return emitFor(*ast::as<ast::For>(&statement));
  case ast::NodeKind::While:
    emitWhile(*ast::as<ast::While>(&statement));
    return {};
  case ast::NodeKind::Assert:
    emitAssert(*ast::as<ast::Assert>(&statement));
    return {};
  case ast::NodeKind::Try:
    if (m_frame->isCompileTime)
      return emitTry(*ast::as<ast::Try>(&statement));
    failSyntax(*this, statement);
  case ast::NodeKind::Raise:
    if (m_frame->isCompileTime)
      fail(DiagnosticKind::ConstantEvaluation,
           "`" + std::string(m_frame->module->tree->text(statement.range)) + "` is reached");
    failSyntax(*this, statement);
  case ast::NodeKind::Pass:
  case ast::NodeKind::InvalidStmt:
    return {};
  default:
    failSyntax(*this, statement);
  }
}

/// From the name to the end of what it is assigned.
static SourceRange boundBy(SourceRange target, const SourceRange &value) {
  if (value.file == target.file && target.end < value.end)
    target.end = value.end;
  return target;
}

void Emitter::assignTo(const ast::Expr &target, const Value &value) {
  if (const auto *name = ast::as<ast::Name>(&target)) {
    m_frame->locals.set(name->id, value);
    record(target, value, true);
    keepBinding(name->id, value, boundBy(fileRange(target.range), m_range));
    return;
  }
  ast::Seq<ast::Expr> targets;
  if (const auto *tuple = ast::as<ast::Tuple>(&target))
    targets = tuple->elts;
  else if (const auto *list = ast::as<ast::List>(&target))
    targets = list->elts;
  else if (const auto *field = ast::as<ast::Attribute>(&target))
    return assignField(*field, value);
  else if (const auto *entry = ast::as<ast::Subscript>(&target); entry && m_frame->isCompileTime)
    return assignEntry(*entry, value);
  else if (!ast::is<ast::Subscript>(&target))
    // The parser has refused it.
    throw PoisonUsed();
  else
    failAt(fileRange(target.range), DiagnosticKind::UnsupportedSyntax,
           "only names and tuples of names can be assigned in a kernel",
           {"`tl.store` writes to memory, and `tl.where` makes a block with other elements"});
  std::vector<Value> values = items(value);
  for (const ast::Expr *part : targets)
    if (ast::is<ast::Starred>(part))
      failAt(fileRange(part->range), DiagnosticKind::UnsupportedSyntax,
             "starred assignment targets are not supported");
  // Triton gives each name the value at its place, and drops the rest.
  const bool dropsRest = values.size() > targets.size() && !m_frame->isCompileTime;
  if (values.size() != targets.size() && !dropsRest)
    failAt(fileRange(target.range), DiagnosticKind::TypeMismatch,
           Message("cannot unpack {} into {}", counted(values.size(), "value"),
                   counted(targets.size(), "name"))
               .needs(Need::Sequence));
  if (dropsRest)
    warn(DiagnosticKind::TypeMismatch, fileRange(target.range),
         counted(values.size(), "value") + " are unpacked into " + counted(targets.size(), "name") +
             ": Triton drops the rest, and Python refuses this");
  for (auto [part, item] : llvm::zip(targets, values))
    assignTo(*part, item);
}

void Emitter::assignEntry(const ast::Subscript &target, const Value &value) {
  const auto *name = ast::as<ast::Name>(target.value);
  const Value *table = name ? m_frame->locals.find(name->id) : nullptr;
  const Value key = evaluate(*target.slice);
  const std::optional<constant::Value> item = value.toConstant();
  if (!table || !table->constant() || !table->constant()->isDict() || !key.constant() || !item)
    failAt(
        fileRange(target.range), DiagnosticKind::UnsupportedSyntax,
        "only names, and entries of a dictionary by a constant, can be assigned while compiling");
  // Values are never changed: the name gets a new dictionary.
  constant::Value::Entries entries = table->constant()->entries();
  entries.emplace_back(*key.constant(), *item);
  m_frame->locals.set(name->id, Value(constant::Value::dict(std::move(entries))));
}

namespace {
/// Values emitted while it lives carry the name of the variable they are for.
class NameScope {
public:
  NameScope(mlir::StringAttr &slot, mlir::MLIRContext *context, const ast::Expr &target)
      : m_slot(slot), m_saved(slot) {
    if (const auto *name = ast::as<ast::Name>(&target))
      m_slot = mlir::StringAttr::get(context, name->id);
  }
  ~NameScope() { m_slot = m_saved; }
  NameScope(const NameScope &) = delete;

private:
  mlir::StringAttr &m_slot;
  mlir::StringAttr m_saved;
};
} // namespace

/// `meta["BLOCK"]` of a local dictionary.
static bool isDictionaryEntry(const ast::Expr &expr, const Scope &locals) {
  const auto *entry = ast::as<ast::Subscript>(&expr);
  const auto *name = entry ? ast::as<ast::Name>(entry->value) : nullptr;
  const Value *value = name ? locals.find(name->id) : nullptr;
  return value && value->constant() && value->constant()->isDict();
}

/// What the parser accepts on the left of `=`; it has reported all else.
static bool isTarget(const ast::Expr *expr) {
  return ast::is<ast::Name>(expr) || ast::is<ast::Attribute>(expr) ||
         ast::is<ast::Subscript>(expr) || ast::is<ast::Starred>(expr) || ast::is<ast::List>(expr) ||
         ast::is<ast::Tuple>(expr);
}

void Emitter::emitAssign(const ast::Assign &assign) {
  if (!std::ranges::all_of(assign.targets, isTarget))
    throw PoisonUsed{};
  if (assign.targets.size() != 1)
    fail(DiagnosticKind::UnsupportedSyntax, "simultaneous multiple assignment is not supported");
  const ast::Expr &target = *assign.targets.front();
  checkHiddenModule(*this, assign);
  checkRangeOfIndices(*this, assign);
  NameScope name(m_name, ops.context(), target);
  Recovery recovery(*this);
  const bool isEntry = ast::is<ast::Subscript>(&target) && !m_frame->isCompileTime;
  Value value = isEntry ? recovery.value(*assign.value) : evaluate(*assign.value);
  if (isEntry) {
    checkArrayWrite(*this, assign, value);
    checkBlockWrite(*this, assign);
  }
  recovery.finish();
  if (const auto *name = ast::as<ast::Name>(&target))
    checkKeptAxis(*this, name->id, *assign.value, value);
  warnLostResult(*this, assign, value);
  warnTurnedOperator(*this, assign);
  // A name declared as `x: tl.constexpr` before stays one, and `**meta` holds constants.
  const auto *simple = ast::as<ast::Name>(&target);
  bool keepsConstexpr = (simple && m_frame->declaredConstexprs.contains(simple->id)) ||
                        isDictionaryEntry(*assign.value, m_frame->locals);
  Place place(*this, assign.value->range);
  assignTo(target, keepsConstexpr ? value : assigned(value));
}

void Emitter::emitAnnAssign(const ast::AnnAssign &assign) {
  bool isConstexpr = isConstexprAnnotation(*m_frame->module, assign.annotation);
  const auto *name = ast::as<ast::Name>(assign.target);
  if (!assign.value) {
    if (isConstexpr && name)
      m_frame->declaredConstexprs.insert(name->id);
    return;
  }
  NameScope scope(m_name, ops.context(), *assign.target);
  Value value = evaluate(*assign.value);
  if (!isConstexpr)
    return assignTo(*assign.target, assigned(value));
  if (name && m_frame->locals.find(name->id) && !m_frame->isUnrolled(name->id, assign))
    failAt(fileRange(assign.target->range), DiagnosticKind::ConstexprReassigned,
           "`" + std::string(name->id) + "` is already defined: a constexpr cannot be reassigned");
  // Around a run-time value a constexpr means nothing.
  if (name)
    m_frame->constexprDefinitions[name->id] = &assign;
  assignTo(*assign.target, value);
}

void Emitter::emitAugAssign(const ast::AugAssign &assign) {
  const auto *name = ast::as<ast::Name>(assign.target);
  if (!name) {
    checkArrayWrite(*this, assign);
    checkBlockWrite(*this, assign);
    fail(DiagnosticKind::UnsupportedSyntax, "only names can be assigned in a kernel");
  }
  NameScope scope(m_name, ops.context(), *assign.target);
  Recovery recovery(*this);
  Value left = recovery.value(*assign.target);
  Value right = recovery.value(*assign.value);
  recovery.finish();
  checkLostUpdate(*this, assign, left, right);
  checkUpdate(*this, assign, left);
  Value value = binary(assign.op, left, right);
  if (left.tensor() && left.tensor()->type.shape.size() == 1)
    checkKeptAxis(*this, name->id, assign, value);
  value = assigned(value);
  m_frame->locals.set(name->id, value);
  keepBinding(name->id, value, m_range);
}

void Emitter::emitAssert(const ast::Assert &assertion) {
  if (m_frame->isCompileTime) {
    if (!constexprTruth(evaluate(*assertion.test)))
      fail(DiagnosticKind::ConstantEvaluation,
           "`" + std::string(m_frame->module->tree->text(assertion.range)) + "` fails");
    return;
  }
  std::vector<CallArgument> arguments;
  arguments.push_back({evaluate(*assertion.test), fileRange(assertion.test->range), {}});
  if (assertion.msg)
    arguments.push_back({evaluate(*assertion.msg), fileRange(assertion.msg->range), {}});
  callBuiltin(*this, *findBuiltin("device_assert"), std::move(arguments), m_range);
}

/// In a function that runs while compiling. The first error of the body is what Python would raise,
/// and any handler takes it.
Outcome Emitter::emitTry(const ast::Try &attempt) {
  const size_t numDiagnostics = m_diagnostics.size();
  const int numErrors = m_numErrors;
  Outcome outcome;
  try {
    outcome = emitStatements(attempt.body);
  } catch (const FirstError &) {
  }
  if (m_numErrors > numErrors && !attempt.handlers.empty()) {
    m_diagnostics.erase(m_diagnostics.begin() + static_cast<ptrdiff_t>(numDiagnostics),
                        m_diagnostics.end());
    m_numErrors = numErrors;
    outcome = emitStatements(attempt.handlers.front()->body);
  } else if (outcome.kind != Outcome::Kind::Returns) {
    outcome = emitStatements(attempt.orelse);
  }
  Outcome last = emitStatements(attempt.finalbody);
  return last.kind == Outcome::Kind::Returns ? last : outcome;
}

void Emitter::emitExpression(const ast::Expr &expr) {
  // Docstrings
  if (expr.kind == ast::NodeKind::Constant)
    return;
  checkMeantAssignment(*this, expr);
  Value value = evaluate(expr);
  if (value.blockPointer())
    failAt(fileRange(expr.range), DiagnosticKind::UnusedResult,
           "the result of `tl.advance` is not being used: it does not change its argument",
           {"write `p = tl.advance(p, ...)`"});
  warnUnusedCall(*this, expr, value);
  warnUnusedValue(*this, expr);
}

Outcome Emitter::emitReturn(const ast::Return &statement) {
  if (m_frame->loopDepth > 0)
    fail(DiagnosticKind::ReturnInLoop,
         "cannot have `return` statements inside `while` or `for` statements");
  Outcome outcome;
  outcome.kind = Outcome::Kind::Returns;
  try {
    if (statement.value)
      outcome.value = evaluate(*statement.value);
  } catch (const Failure &failure) {
    report(failure.diagnostic);
    outcome.value = Value::poison();
  } catch (const PoisonUsed &) {
    outcome.value = Value::poison();
  }
  return outcome;
}

} // namespace tilescope::compiler::frontend
