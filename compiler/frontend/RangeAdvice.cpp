// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/RangeAdvice.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/Failure.h"
#include "compiler/frontend/ReducedIndices.h"
#include "compiler/frontend/Remedies.h"

namespace tilescope::compiler::frontend {

static bool isNamed(const ast::Expr *expr, std::string_view id) {
  const auto *name = expr ? ast::as<ast::Name>(expr) : nullptr;
  return name && name->id == id;
}

/// Whether the function computes with a name, or indexes with it, as with a block of numbers.
static bool isUsedAsBlock(const ast::FunctionDef &function, std::string_view id) {
  bool isUsed = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *operation = ast::as<ast::BinOp>(&node))
        isUsed |= isNamed(operation->left, id) || isNamed(operation->right, id);
      else if (const auto *compare = ast::as<ast::Compare>(&node))
        isUsed |= isNamed(compare->left, id);
      else if (const auto *entry = ast::as<ast::Subscript>(&node))
        isUsed |= isNamed(entry->slice, id);
      return !isUsed;
    });
  return isUsed;
}

/// Whether a loop of the function runs over a name.
static bool isIterated(const ast::FunctionDef &function, std::string_view id) {
  bool isIterated = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *loop = ast::as<ast::For>(&node))
        isIterated |= isNamed(loop->iter, id);
      return !isIterated;
    });
  return isIterated;
}

/// Whether it is only known at run time where a `range` ends.
static bool isOfRunTime(const Frame &frame, const ast::Call &call) {
  bool isOfRunTime = false;
  for (const ast::Expr *argument : call.args)
    ast::walk(*argument, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      const Value *value = name ? frame.locals.find(name->id) : nullptr;
      isOfRunTime |= value && value->tensor();
      return !isOfRunTime;
    });
  return isOfRunTime;
}

/// The number of indices, where the call states one that a block may have; else the block's name.
static ArrayName countOf(const Frame &frame, const ast::Call &call) {
  const auto &args = call.args;
  const auto *begin = args.size() == 2 ? ast::as<ast::Constant>(args.front()) : nullptr;
  const bool startsAtZero = args.size() == 1 || (begin && begin->intValue == 0);
  const ast::Expr *end = startsAtZero ? args.back() : nullptr;
  const auto *number = end ? ast::as<ast::Constant>(end) : nullptr;
  const int64_t count = number && number->intValue ? *number->intValue : 0;
  if (count > 0 && (count & (count - 1)) == 0)
    return {std::to_string(count)};
  const auto *name = end ? ast::as<ast::Name>(end) : nullptr;
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->isNumber() ? ArrayName{std::string(name->id)} : blockName(frame);
}

/// The call of Python's `range` that an expression of a kernel is; null for all else.
static const ast::Call *rangeOf(const Frame &frame, const ast::Expr &expr) {
  const auto *call = ast::as<ast::Call>(&expr);
  const bool isRange =
      call && isNamed(call->func, "range") && !call->args.empty() && !frame.locals.find("range");
  return isRange && !frame.isCompileTime && !frame.isModuleLevel && frame.function ? call : nullptr;
}

[[noreturn]] static void failRange(const Emitter &emitter, const Frame &frame,
                                   const ast::Call &call) {
  const ArrayName count = countOf(frame, call);
  const std::string code = "tl.arange(0, " + count.name + ")";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.fileRange(call.range);
  diagnostic.message = "`range` counts a loop; a block of indices is `" + code + "`";
  diagnostic.notes = newNameNotes({}, {}, count);
  const auto *end = ast::as<ast::Name>(call.args.back());
  const std::string all = end ? std::string(end->id) : std::string();
  const std::string loop =
      all.empty() || all == count.name ? std::string() : loopOverBlocks(frame, call, all, count);
  if (!loop.empty())
    diagnostic.notes.push_back(loop);
  else if (hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, code);
  throw Failure{std::move(diagnostic)};
}

void checkRangeOfIndices(Emitter &emitter, const ast::Assign &assign) {
  const Frame &frame = emitter.frame();
  const auto *target = ast::as<ast::Name>(assign.targets.front());
  const ast::Call *call = target ? rangeOf(frame, *assign.value) : nullptr;
  if (!call)
    return;
  // Nothing else can be meant by one whose end is not known to the compiler.
  const bool isBlock = isUsedAsBlock(*frame.function, target->id) ||
                       (isOfRunTime(frame, *call) && !isIterated(*frame.function, target->id));
  if (isBlock)
    failRange(emitter, frame, *call);
}

void checkRangeOperands(Emitter &emitter, const ast::BinOp &operation) {
  const Frame &frame = emitter.frame();
  for (const ast::Expr *operand : {operation.left, operation.right})
    if (const ast::Call *call = rangeOf(frame, *operand))
      failRange(emitter, frame, *call);
}

} // namespace tilescope::compiler::frontend
