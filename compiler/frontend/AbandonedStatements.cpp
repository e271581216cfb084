// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Statements that an error has ended: what else is wrong with them, whatever the error was.
#include "compiler/frontend/Emitter.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// Expressions that are evaluated conditionally, have their own names, or are not part of the
/// language.
static bool hidesNames(const ast::Node &node) {
  switch (node.kind) {
  case ast::NodeKind::If:
  case ast::NodeKind::IfExp:
  case ast::NodeKind::BoolOp:
  case ast::NodeKind::Lambda:
  case ast::NodeKind::FunctionDef:
  case ast::NodeKind::ClassDef:
  case ast::NodeKind::Raise:
  case ast::NodeKind::Try:
  case ast::NodeKind::With:
    return true;
  default:
    return false;
  }
}

/// Whether the diagnostic holds however a condition turns out that is not known.
static bool isUnconditional(const Diagnostic &diagnostic) {
  return diagnostic.kind == DiagnosticKind::UndefinedName ||
         diagnostic.kind == DiagnosticKind::UnknownAttribute ||
         diagnostic.kind == DiagnosticKind::BadCall;
}

/// Whether the diagnostic is of a pointer that is indexed: so it is in whichever branch.
static bool indexesPointer(const Emitter &emitter, const Scope &locals, const ast::Stmt &statement,
                           const Diagnostic &diagnostic) {
  bool indexes = false;
  ast::walk(statement, [&](const ast::Node &node) {
    const auto *entry = ast::as<ast::Subscript>(&node);
    if (!entry || emitter.fileRange(entry->range) != diagnostic.range)
      return !indexes;
    const ast::Expr *base = entry->value;
    while (const auto *inner = ast::as<ast::Subscript>(base))
      base = inner->value;
    const auto *name = ast::as<ast::Name>(base);
    const Value *value = name ? locals.find(name->id) : nullptr;
    indexes |= value && value->tensor() && value->tensor()->type.isPointer();
    return !indexes;
  });
  return indexes;
}

/// The list or tuple that a statement was to change, `parts` of `parts.append(x)`; empty for others.
static std::string_view changedSequence(const Scope &locals, const ast::Stmt &statement) {
  const auto *expression = ast::as<ast::ExprStmt>(&statement);
  const auto *call = expression ? ast::as<ast::Call>(expression->value) : nullptr;
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto *name = callee ? ast::as<ast::Name>(callee->value) : nullptr;
  const Value *value = name ? locals.find(name->id) : nullptr;
  return value && value->asTuple() ? std::string_view(name->id) : std::string_view();
}

void Emitter::abandon(const ast::Stmt &statement) {
  // An error in the head of a loop or branch says nothing about its body.
  const auto examineLoop = [&](Statements body) {
    ++m_frame->loopDepth;
    llvm::scope_exit leave([&] { --m_frame->loopDepth; });
    emitStatements(body);
  };
  if (const auto *loop = ast::as<ast::For>(&statement); loop && !m_frame->isCompileTime) {
    ast::walk(*loop->target, [&](const ast::Node &child) {
      if (const auto *name = ast::as<ast::Name>(&child))
        m_frame->locals.set(name->id, Value::poison());
      return true;
    });
    examineLoop(loop->body);
  } else if (const auto *loop = ast::as<ast::While>(&statement); loop && !m_frame->isCompileTime) {
    examineLoop(loop->body);
  } else if (const auto *branch = ast::as<ast::If>(&statement); branch && !m_frame->isCompileTime) {
    const size_t numBefore = m_diagnostics.size();
    for (Statements body : {branch->body, branch->orelse}) {
      Scope before = m_frame->locals;
      emitStatements(body);
      m_frame->locals = std::move(before);
    }
    const auto found = m_diagnostics.begin() + static_cast<ptrdiff_t>(numBefore);
    const auto dropped =
        std::remove_if(found, m_diagnostics.end(), [&](const Diagnostic &diagnostic) {
          return !isUnconditional(diagnostic) &&
                 !indexesPointer(*this, m_frame->locals, statement, diagnostic);
        });
    m_numErrors -=
        static_cast<int>(std::count_if(dropped, m_diagnostics.end(), [](const Diagnostic &d) {
          return d.severity == Severity::Error;
        }));
    m_diagnostics.erase(dropped, m_diagnostics.end());
  }
  if (const std::string_view changed = changedSequence(m_frame->locals, statement);
      !changed.empty())
    m_frame->locals.set(changed, Value::poison());
  ast::walk(statement, [&](const ast::Node &child) {
    if (const auto *name = ast::as<ast::Name>(&child); name && name->ctx == ast::ExprContext::Store)
      m_frame->locals.set(name->id, Value::poison());
    if (const auto *function = ast::as<ast::FunctionDef>(&child))
      m_frame->locals.set(function->name, Value::poison());
    return true;
  });
  // The first error has ended the statement; names that are defined nowhere are errors of their
  // own.
  ast::walk(statement, [&](const ast::Node &child) {
    if (hidesNames(child))
      return false;
    if (const auto *name = ast::as<ast::Name>(&child);
        name && name->ctx == ast::ExprContext::Load) {
      try {
        Place place(*this, name->range);
        lookUp(*name);
      } catch (const Failure &failure) {
        report(failure.diagnostic);
      } catch (const PoisonUsed &) {
      }
    }
    return true;
  });
}

} // namespace tilescope::compiler::frontend
