// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/WholeReduction.h"

#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"

#include <string>

namespace tilescope::compiler::frontend {

/// `tl.sum(x)`, `tl.max(x)` and `tl.min(x)` without an axis; null for all else.
static const ast::Call *wholeReduction(const ast::Expr *value) {
  const auto *call = ast::as<ast::Call>(value);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const bool isReduction =
      callee && (callee->attr == "sum" || callee->attr == "max" || callee->attr == "min");
  return isReduction && call->args.size() == 1 && call->keywords.empty() ? call : nullptr;
}

/// `tl.max(x, 0)` and `tl.min(x, 0)`, whose 0 is the axis; null for all else, such as `axis=0`.
static const ast::Call *reductionWithZero(const ast::Expr *value) {
  const auto *call = ast::as<ast::Call>(value);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (!callee || (callee->attr != "max" && callee->attr != "min") || call->args.size() != 2 ||
      !call->keywords.empty())
    return nullptr;
  const auto *axis = ast::as<ast::Constant>(call->args[1]);
  const bool isZero = axis && axis->constantKind == ast::ConstantKind::Int && axis->intValue == 0;
  return isZero ? call : nullptr;
}

/// Warns of the largest element of a block, stored to each element of another one: a comparison with 0 is
/// written alike.
static void warnComparedWithZero(BuiltinCall &store, const Tensor &pointer,
                                 const ast::Call &reduction) {
  const Frame &frame = store.emitter.frame();
  const auto *name = ast::as<ast::Name>(reduction.args[0]);
  const Value *known = name ? frame.locals.find(name->id) : nullptr;
  if (known && known->tensor() && known->tensor()->type.shape != pointer.type.shape)
    return;
  const SourceRange range = store.emitter.fileRange(reduction.range);
  const SourceRange callee = store.emitter.fileRange(reduction.func->range);
  const std::string text(sourceText(frame, range)), function(sourceText(frame, callee));
  if (text.empty() || !text.starts_with(function) || text.find('\n') != std::string::npos)
    return;
  const bool isMax = function.ends_with("max");
  const std::string code = function + "imum" + text.substr(function.size());
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = range;
  diagnostic.message = "`" + text + "` is one number, the " + (isMax ? "largest" : "smallest") +
                       " element of its block, which each of the " +
                       std::to_string(pointer.type.shape[0]) + " elements gets: `" + code +
                       "` compares each element with 0";
  diagnostic.fixes = rewriteFix(frame, range, range, code);
  store.emitter.report(std::move(diagnostic));
}

void warnWholeReduction(BuiltinCall &store, const Tensor &pointer, const Tensor &value) {
  const Frame &frame = store.emitter.frame();
  if (!pointer.isBlock() || value.isBlock() || pointer.type.shape.size() != 1 || !frame.function ||
      frame.caller)
    return;
  const auto *stored = nodeAt<ast::Expr>(*frame.function, store.rangeOf(1));
  const auto *variable = ast::as<ast::Name>(stored);
  if (const ast::Assign *last = variable ? lastAssignment(frame, *variable) : nullptr)
    stored = last->value;
  if (const ast::Call *compared = reductionWithZero(stored))
    return warnComparedWithZero(store, pointer, *compared);
  const ast::Call *reduction = wholeReduction(stored);
  const auto *name = reduction ? ast::as<ast::Name>(reduction->args[0]) : nullptr;
  const Value *known = name ? frame.locals.find(name->id) : nullptr;
  const Tensor *matrix = known ? known->tensor() : nullptr;
  if (!matrix || matrix->type.shape.size() != 2)
    return;
  const int64_t extent = pointer.type.shape[0];
  const bool isOfRows = matrix->type.shape[0] == extent;
  const SourceRange range = store.emitter.fileRange(reduction->range);
  const std::string text(sourceText(frame, range));
  if ((!isOfRows && matrix->type.shape[1] != extent) || text.empty())
    return;
  const std::string code =
      text.substr(0, text.size() - 1) + ", axis=" + (isOfRows ? "1" : "0") + ")";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = range;
  diagnostic.message = "`" + text + "` is one number for all of `" + std::string(name->id) +
                       "`, which each of the " + std::to_string(extent) + " elements gets: `" +
                       code + "` is one for each " + (isOfRows ? "row" : "column");
  if (hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, range, range, code);
  store.emitter.report(std::move(diagnostic));
}

} // namespace tilescope::compiler::frontend
