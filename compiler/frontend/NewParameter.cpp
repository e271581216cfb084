// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/NewParameter.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/MistakenNames.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>
#include <cctype>

namespace tilescope::compiler::frontend {

std::optional<Position> parametersEnd(const Frame &frame) {
  const ast::FunctionDef *function = frame.function;
  const bool isDocument = frame.module->tree && frame.module->file == 0 && !frame.caller;
  if (!function || !isDocument || frame.isModuleLevel || frame.isCompileTime)
    return std::nullopt;
  const ast::Arguments &declared = *function->args;
  const std::vector<const ast::Arg *> all = parametersOf(*function);
  if (all.empty() || declared.vararg || declared.kwarg || !declared.kwonlyargs.empty() ||
      !declared.defaults.empty())
    return std::nullopt;
  return all.back()->range.end;
}

/// Whether a name is written as those of constexprs are: `BLOCK`, `BLOCK_M`; a letter alone may be
/// the extent of an array.
static bool soundsLikeConstexpr(std::string_view name) {
  return name.size() > 1 && std::ranges::all_of(name, [](unsigned char c) {
           return std::isupper(c) || std::isdigit(c) || c == '_';
         });
}

/// Whether the name at a place is called: no parameter can be.
static bool isCalled(const Frame &frame, const SourceRange &range) {
  bool isFound = false;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      isFound |= call && call->func->range.begin == range.begin && ast::is<ast::Name>(call->func);
      return !isFound;
    });
  return isFound;
}

/// Whether the name at a place is the function that a reduction or a scan combines with: no parameter can be.
static bool isCombineFunction(const Frame &frame, const SourceRange &range) {
  bool isFound = false;
  ast::walk(*frame.function, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const bool isCombining =
        function && (function->attr == "reduce" || function->attr == "associative_scan");
    const ast::Expr *combine = isCombining ? argument(*call, 2, "combine_fn") : nullptr;
    isFound |= combine && combine->range == range;
    return !isFound;
  });
  return isFound;
}

/// The mask of a load or a store; null: it is neither, or has none.
static const ast::Expr *maskOfAccess(const ast::Node &node) {
  const auto *call = ast::as<ast::Call>(&node);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (!function || (function->attr != "load" && function->attr != "store"))
    return nullptr;
  return argument(*call, function->attr == "load" ? 1 : 2, "mask");
}

/// Whether all that a name does is to pick elements of arrays: `x_ptr[i]`, `x_ptr[i + 1]`.
static bool isOnlyIndex(const Frame &frame, std::string_view name) {
  size_t numUses = 0, numIndices = 0;
  const auto count = [&](const ast::Node &within, size_t &number) {
    ast::walk(within, [&](const ast::Node &node) {
      const auto *use = ast::as<ast::Name>(&node);
      number += use && use->id == name;
      return true;
    });
  };
  for (const ast::Stmt *statement : frame.function->body) {
    count(*statement, numUses);
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *part = ast::as<ast::Subscript>(&node);
      const auto *base = part ? ast::as<ast::Name>(part->value) : nullptr;
      const Value *array = base ? frame.locals.find(base->id) : nullptr;
      if (array && array->tensor() && array->tensor()->type.isPointer())
        count(*part->slice, numIndices);
      return true;
    });
  }
  return numUses > 0 && numUses == numIndices;
}

/// Offers to begin with the indices of the program's elements: a parameter would be one number for all programs.
static bool addIndices(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const ast::Stmt *first = nullptr;
  for (const ast::Stmt *statement : frame.function->body) {
    const auto *line = ast::as<ast::ExprStmt>(statement);
    const bool isText = line && ast::is<ast::Constant>(line->value);
    if (!first && !isText)
      first = statement;
  }
  const ArrayName block = blockName(frame);
  if (!first || diagnostic.range.file != 0 || !hasLanguageName(frame) || block.isNew ||
      block.isPlain || !isOnlyIndex(frame, name))
    return false;
  const std::string code = std::string(name) + " = tl.program_id(0) * " + block.name +
                           " + tl.arange(0, " + block.name + ")";
  const Position begin = first->range.begin;
  diagnostic.fixes.push_back({{begin, begin, 0},
                              code + "\n" + std::string(begin.column, ' '),
                              "begin with `" + code + "`"});
  return true;
}

/// The access whose mask is the name at a place; null: it is something else.
static const ast::Call *maskedBy(const Frame &frame, const SourceRange &range) {
  const ast::Call *found = nullptr;
  ast::walk(*frame.function, [&](const ast::Node &node) {
    const ast::Expr *mask = maskOfAccess(node);
    if (mask && mask->range == range)
      found = ast::as<ast::Call>(&node);
    return !found;
  });
  return found;
}

/// Offers the comparison by which another access of the same index is masked: a parameter would be one truth value for all
/// elements.
static void offerMask(Diagnostic &diagnostic, const ast::Call &access, const Frame &frame) {
  const ast::Expr *pointer = argument(access, 0, "pointer");
  ast::walk(*frame.function, [&](const ast::Node &node) {
    const auto *compare = ast::as<ast::Compare>(maskOfAccess(node));
    const auto *index = compare ? ast::as<ast::Name>(compare->left) : nullptr;
    if (!index || !pointer || !ast::mentions(*pointer, index->id))
      return true;
    const std::string code(sourceText(frame, compare->range));
    diagnostic.fixes.push_back({diagnostic.range, code, "write `" + code + "`"});
    return false;
  });
}

void addParameter(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const std::optional<Position> end = parametersEnd(frame);
  if (!end || diagnostic.range.file != 0 || isCalled(frame, diagnostic.range))
    return;
  if (isCombineFunction(frame, diagnostic.range)) {
    diagnostic.notes.push_back("it is to be a function: write `@triton.jit`, and below it `def " +
                               std::string(name) + "(a, b): return …`, in front of this one");
    return;
  }
  if (const ast::Call *access = maskedBy(frame, diagnostic.range))
    return offerMask(diagnostic, *access, frame);
  if (addIndices(diagnostic, name, frame))
    return;
  offerProgramNumber(diagnostic, name, frame);
  const std::string parameter =
      std::string(name) + (soundsLikeConstexpr(name) ? ": tl.constexpr" : "");
  diagnostic.fixes.push_back(
      {{*end, *end, 0}, ", " + parameter, "add the parameter `" + parameter + "`"});
}

std::vector<DiagnosticFix> withParameter(const Frame &frame, const std::string &parameter,
                                         std::vector<DiagnosticFix> fixes) {
  const std::optional<Position> end = parametersEnd(frame);
  if (!end)
    return {};
  for (DiagnosticFix &fix : fixes) {
    const std::string_view between = sourceText(frame, {*end, fix.range.begin, 0});
    fix.replacement = ", " + parameter + std::string(between) + fix.replacement;
    fix.title = "add the parameter `" + parameter + "`, and " + fix.title;
    fix.range = {*end, fix.range.end, 0};
  }
  return fixes;
}

} // namespace tilescope::compiler::frontend
