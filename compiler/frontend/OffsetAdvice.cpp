// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/OffsetAdvice.h"

#include "compiler/frontend/Failure.h"
#include "compiler/frontend/Remedies.h"

namespace tilescope::compiler::frontend {

static bool isPointer(const Value &value) {
  return value.tensor() && value.tensor()->type.isPointer();
}

static bool isReal(const Value &value) {
  return value.tensor() && !value.tensor()->type.isPointer() &&
         isFloating(value.tensor()->type.scalar.dtype);
}

/// The first division by `/` in an expression; null when there is none.
static const ast::BinOp *divisionIn(const ast::Expr &expr) {
  const ast::BinOp *found = nullptr;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *operation = ast::as<ast::BinOp>(&node);
    if (operation && operation->op == ast::BinaryOpKind::Div && !found)
      found = operation;
    // What is divided in a call's arguments is not what the call returns.
    return !found && !ast::is<ast::Call>(&node);
  });
  return found;
}

/// The division in an offset, or in the last assignment to its name above.
static const ast::BinOp *divisionOf(const ast::FunctionDef &function, const ast::Expr &offset) {
  if (const ast::BinOp *division = divisionIn(offset))
    return division;
  const auto *name = ast::as<ast::Name>(&offset);
  const ast::BinOp *found = nullptr;
  for (size_t i = 0; name && i < function.body.size(); ++i)
    ast::walk(*function.body[i], [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      if (!assign || !(assign->range.begin < offset.range.begin))
        return true;
      const auto *target = ast::as<ast::Name>(assign->targets.front());
      if (target && target->id == name->id)
        found = divisionIn(*assign->value);
      return true;
    });
  return found;
}

void checkOffset(Emitter &emitter, const ast::BinOp &sum, const Value &left, const Value &right) {
  const bool isSum = sum.op == ast::BinaryOpKind::Add || sum.op == ast::BinaryOpKind::Sub;
  const ast::Expr *offset = isPointer(left) && isReal(right)   ? sum.right
                            : isReal(left) && isPointer(right) ? sum.left
                                                               : nullptr;
  const Frame &frame = emitter.frame();
  const ast::BinOp *division =
      isSum && offset && frame.function ? divisionOf(*frame.function, *offset) : nullptr;
  if (!division)
    return;
  const SourceRange range = emitter.fileRange(division->range);
  // Between the operands stand blanks, brackets and the operator.
  const SourceRange between{division->left->range.end, division->right->range.begin, range.file};
  const std::string_view text = sourceText(frame, between);
  const size_t at = text.find('/');
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = range;
  diagnostic.message = "`/` makes a real number, which cannot be added to a pointer: use `//`, "
                       "which divides integers";
  diagnostic.labels.push_back({emitter.currentRange(), "it is an offset here"});
  if (at != text.npos && text.find_first_of("\n\\#") == text.npos) {
    SourceRange place = between;
    place.begin.column += static_cast<uint32_t>(at);
    place.end = {place.begin.line, place.begin.column + 1};
    diagnostic.fixes.push_back({place, "//", "divide with `//`"});
  }
  throw Failure{std::move(diagnostic)};
}

void explainOffset(Diagnostic &diagnostic, Emitter &emitter, const ast::BinOp &sum,
                   const Value &left, const Value &right) {
  const ast::Expr *offset = isPointer(left) && isReal(right)   ? sum.right
                            : isReal(left) && isPointer(right) ? sum.left
                                                               : nullptr;
  if (!offset || (sum.op != ast::BinaryOpKind::Add && sum.op != ast::BinaryOpKind::Sub) ||
      !diagnostic.fixes.empty())
    return;
  const SourceRange range = emitter.fileRange(offset->range);
  const std::string text(sourceText(emitter.frame(), range));
  const bool isPrimary = ast::is<ast::Name>(offset) || ast::is<ast::Call>(offset) ||
                         ast::is<ast::Attribute>(offset) || ast::is<ast::Subscript>(offset);
  const std::string code = (isPrimary ? text : "(" + text + ")") + ".to(tl.int32)";
  if (!text.empty() && hasLanguageName(emitter.frame()))
    diagnostic.fixes = rewriteFix(emitter.frame(), range, range, code);
  if (!diagnostic.fixes.empty())
    diagnostic.notes.push_back("`" + code + "` cuts what is behind the point off, and is an index");
}

} // namespace tilescope::compiler::frontend
