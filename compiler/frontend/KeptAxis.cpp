// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/KeptAxis.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Suggestions.h"
#include "compiler/syntax/VectorAxes.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

namespace {
/// A reduction, and the argument that makes it keep its axis.
struct KeepingReduction {
  const ast::Call *call = nullptr;
  const ast::Keyword *keeps = nullptr;
};
} // namespace

/// Whether a reduction of a matrix goes along its rows, `axis=1` or `axis=-1`.
static bool reducesRows(const ast::Call &call) {
  const ast::Expr *axis = call.args.size() > 1 ? call.args[1] : nullptr;
  for (const ast::Keyword *keyword : call.keywords)
    if (keyword->arg == "axis")
      axis = keyword->value;
  const auto *sign = axis ? ast::as<ast::UnaryOp>(axis) : nullptr;
  const auto *number = axis ? ast::as<ast::Constant>(sign ? sign->operand : axis) : nullptr;
  return number && number->intValue == 1;
}

static KeepingReduction keepingReduction(const ast::Node &code) {
  KeepingReduction found;
  ast::walk(code, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (!callee || !reducesRows(*call) ||
        (callee->attr != "max" && callee->attr != "min" && callee->attr != "sum"))
      return !found.call;
    for (const ast::Keyword *keyword : call->keywords) {
      const auto *value = ast::as<ast::Constant>(keyword->value);
      if (keyword->arg == "keep_dims" && value && value->constantKind == ast::ConstantKind::True)
        found = {call, keyword};
    }
    return !found.call;
  });
  return found;
}

/// Whether a statement of a loop around `code` gives the name `carried` the value of `target`, or is that of `code`.
static bool isCarried(const ast::FunctionDef &function, std::string_view carried,
                      std::string_view target, const ast::Node &code) {
  const ast::Name *first = findAssignment(function, carried);
  bool isFound = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &loop) {
      const bool isLoop = ast::is<ast::For>(&loop) || ast::is<ast::While>(&loop);
      if (!isLoop || !loop.range.contains(code.range.begin) || !first ||
          !(first->range.begin < loop.range.begin))
        return !isFound;
      isFound |= carried == target;
      ast::walk(loop, [&](const ast::Node &node) {
        const auto *assign = ast::as<ast::Assign>(&node);
        const auto *name = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
        const auto *value = name ? ast::as<ast::Name>(assign->value) : nullptr;
        isFound |= value && name->id == carried && value->id == target;
        return !isFound;
      });
      return !isFound;
    });
  return isFound;
}

/// The variable of one dimension that the loop carries, and that `code` reads; null where there is none.
static const ast::Name *carriedVector(const Frame &frame, std::string_view target,
                                      const ast::Node &code, int64_t extent) {
  const ast::Name *found = nullptr;
  ast::walk(code, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const Value *value = name ? frame.locals.find(name->id) : nullptr;
    if (value && value->tensor() && value->tensor()->type.shape == Shape{extent} &&
        isCarried(*frame.function, name->id, target, code))
      found = name;
    return !found;
  });
  return found;
}

/// Whether the function makes a column of one of the names, `m[:, None]`: then its elements are the rows' numbers.
static bool isMadeColumn(const ast::FunctionDef &function, std::string_view one,
                         std::string_view other) {
  bool isFound = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *part = ast::as<ast::Subscript>(&node);
      const auto *name = part ? ast::as<ast::Name>(part->value) : nullptr;
      isFound |= name && (name->id == one || name->id == other) &&
                 ast::axisOf(*part) == ast::VectorAxis::Down;
      return !isFound;
    });
  return isFound;
}

/// Leaves an argument out that stands behind others.
static std::vector<DiagnosticFix> withoutKeeping(Emitter &emitter, const KeepingReduction &kept) {
  Position before = kept.call->func->range.end;
  const auto behind = [&](const ast::Node &argument) {
    if (argument.range.end < kept.keeps->range.begin && before < argument.range.end)
      before = argument.range.end;
  };
  for (const ast::Expr *argument : kept.call->args)
    behind(*argument);
  for (const ast::Keyword *argument : kept.call->keywords)
    behind(*argument);
  const SourceRange range =
      emitter.fileRange({before, kept.keeps->range.end, kept.keeps->range.file});
  const std::string_view text = sourceText(emitter.frame(), range);
  if (!text.starts_with(',') || text.find_first_of("\n#") != text.npos)
    return {};
  return {{range, "", "leave `keep_dims=True` out"}};
}

void checkKeptAxis(Emitter &emitter, std::string_view target, const ast::Node &code,
                   const Value &value) {
  const Frame &frame = emitter.frame();
  const Tensor *block = value.tensor();
  if (!frame.function || frame.isCompileTime || frame.loopDepth == 0 || !block ||
      block->type.shape.size() != 2 || block->type.shape[0] != block->type.shape[1])
    return;
  const KeepingReduction kept = keepingReduction(code);
  const int64_t extent = block->type.shape[0];
  const ast::Name *vector = kept.call ? carriedVector(frame, target, code, extent) : nullptr;
  if (!vector)
    return;
  const std::string name(vector->id), count = std::to_string(extent);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::LoopCarriedType;
  diagnostic.range = emitter.fileRange(kept.call->range);
  diagnostic.message = "`" + name + "` begins with the shape [" + count +
                       "], and together with this reduction, whose shape is [" + count +
                       ", 1] because of `keep_dims=True`, it becomes [" + count + ", " + count +
                       "]: a loop-carried variable keeps its shape";
  diagnostic.labels.push_back(
      {emitter.fileRange(findAssignment(*frame.function, vector->id)->range),
       "it gets its first value here"});
  diagnostic.notes = {"without `keep_dims=True` the reduction has the shape [" + count +
                      "], too; `x[:, None]` makes a column of such a block `x`"};
  if (isMadeColumn(*frame.function, name, target))
    diagnostic.fixes = withoutKeeping(emitter, kept);
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
