// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/TruthArithmetic.h"

#include "compiler/frontend/Remedies.h"

namespace tilescope::compiler::frontend {

static bool isTruth(const Value &value) {
  const Tensor *tensor = value.tensor();
  return tensor && !tensor->type.isPointer() && tensor->dtype() == DType::Int1;
}

/// The operand as an integer: `(x > 0).to(tl.int32)`.
static std::string asInteger(Emitter &emitter, const ast::Expr &operand) {
  const std::string text(sourceText(emitter.frame(), emitter.fileRange(operand.range)));
  const bool isAtom = ast::is<ast::Name>(&operand) || ast::is<ast::Call>(&operand);
  return text.empty() ? text : (isAtom ? text : "(" + text + ")") + ".to(tl.int32)";
}

void warnTruthArithmetic(Emitter &emitter, const ast::BinOp &expr, const Value &left,
                         const Value &right) {
  const bool isSum = expr.op == ast::BinaryOpKind::Add;
  if ((!isSum && expr.op != ast::BinaryOpKind::Sub) || !isTruth(left) || !isTruth(right))
    return;
  const std::string one = asInteger(emitter, *expr.left), other = asInteger(emitter, *expr.right);
  // The language's own functions know what they do.
  if (one.empty() || other.empty())
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = emitter.fileRange(expr.range);
  diagnostic.message =
      std::string(isSum ? "the sum" : "the difference") + " of two truth values is one, too: " +
      (isSum ? "true and true make false; cast them to `tl.int32`, or write `|` for \"or\""
             : "false minus true is true; cast them to `tl.int32`");
  if (hasLanguageName(emitter.frame()))
    diagnostic.fixes = rewriteFix(emitter.frame(), diagnostic.range, diagnostic.range,
                                  one + (isSum ? " + " : " - ") + other);
  emitter.report(std::move(diagnostic));
}

} // namespace tilescope::compiler::frontend
