// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ForeignNames.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace tilescope::compiler::frontend {

static constexpr std::string_view kThreadNames[] = {"blockDim", "blockIdx", "gridDim", "threadIdx"};

static bool isThreadName(std::string_view name) {
  return std::ranges::find(kThreadNames, name) != std::end(kThreadNames);
}

/// The names of threads and their blocks that an expression uses.
static std::set<std::string_view> threadNamesIn(const ast::Expr &expr) {
  std::set<std::string_view> names;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (name && isThreadName(name->id))
      names.insert(name->id);
    return true;
  });
  return names;
}

/// The right side of the assignment around a place; null where there is none.
static const ast::Expr *assignedAround(const ast::FunctionDef &function, const SourceRange &range) {
  const ast::Expr *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      if (assign && assign->value->range.begin <= range.begin &&
          range.end <= assign->value->range.end)
        found = assign->value;
      return true;
    });
  return found;
}

/// Threads are no part of the language: a program works on a whole block.
static void explainThreads(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const ArrayName block = frame.function ? blockName(frame) : ArrayName{"BLOCK", true};
  const std::string code =
      "tl.program_id(0) * " + block.name + " + tl.arange(0, " + block.name + ")";
  diagnostic.message = "`" + std::string(name) +
                       "` is CUDA's: a kernel has no threads, and each of its programs works on a "
                       "block of elements, `" +
                       code + "`";
  diagnostic.notes = newNameNotes({}, {}, block);
  const ast::Expr *index =
      frame.function ? assignedAround(*frame.function, diagnostic.range) : nullptr;
  if (!index || !hasLanguageName(frame) ||
      threadNamesIn(*index) != std::set<std::string_view>{"blockDim", "blockIdx", "threadIdx"})
    return;
  SourceRange range = index->range;
  range.file = diagnostic.range.file;
  diagnostic.fixes = rewriteFix(frame, range, range, code);
}

namespace {
/// A function of CUDA or C, and what kernels call.
struct ForeignFunction {
  std::string_view name;
  /// Of `tl`, or of `libdevice`.
  std::string_view own;
  bool isOfLibdevice = false;
};
} // namespace

static constexpr ForeignFunction kFunctions[] = {{"__expf", "exp"},
                                                 {"__logf", "log"},
                                                 {"atomicAdd", "atomic_add"},
                                                 {"atomicCAS", "atomic_cas"},
                                                 {"atomicExch", "atomic_xchg"},
                                                 {"atomicMax", "atomic_max"},
                                                 {"atomicMin", "atomic_min"},
                                                 {"ceilf", "ceil"},
                                                 {"cosf", "cos"},
                                                 {"erff", "erf"},
                                                 {"exp2f", "exp2"},
                                                 {"expf", "exp"},
                                                 {"fabs", "abs"},
                                                 {"fabsf", "abs"},
                                                 {"floorf", "floor"},
                                                 {"fmaf", "fma"},
                                                 {"fmax", "maximum"},
                                                 {"fmaxf", "maximum"},
                                                 {"fmin", "minimum"},
                                                 {"fminf", "minimum"},
                                                 {"ln", "log"},
                                                 {"log2f", "log2"},
                                                 {"logf", "log"},
                                                 {"powf", "pow", true},
                                                 {"rsqrtf", "rsqrt"},
                                                 {"sinf", "sin"},
                                                 {"sqrtf", "sqrt"},
                                                 {"tanhf", "tanh", true}};

/// The name as it is written, after a module or alone: `fabs`, `tl.fabs`.
static SourceRange wholeName(const Frame &frame, const SourceRange &range) {
  SourceRange whole = range;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      if (const auto *access = ast::as<ast::Attribute>(&node);
          access && access->attrRange.begin == range.begin)
        whole = {access->range.begin, access->range.end, range.file};
      return true;
    });
  return whole;
}

/// Of a barrier of threads: it is left out, with its line where others stand beside it.
static void explainBarrier(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  diagnostic.message =
      "`" + std::string(name) +
      "` is a function of CUDA: Triton itself synchronizes the threads of a program where "
      "blocks are exchanged between them";
  diagnostic.notes = {"leave the call out"};
  if (!frame.function || frame.function->body.size() < 2)
    return;
  for (const ast::Stmt *statement : frame.function->body) {
    const auto *alone = ast::as<ast::ExprStmt>(statement);
    if (!alone || !statement->range.contains(diagnostic.range.begin))
      continue;
    SourceRange line{{statement->range.begin.line, 0}, {statement->range.end.line + 1, 0}};
    line.file = diagnostic.range.file;
    diagnostic.fixes.push_back({line, "", "leave out `" + std::string(name) + "`"});
  }
}

bool explainForeignFunction(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  if (name.starts_with("__sync")) {
    explainBarrier(diagnostic, name, frame);
    return true;
  }
  const auto *found = std::ranges::find(kFunctions, name, &ForeignFunction::name);
  if (found == std::end(kFunctions))
    return false;
  const std::string own = (found->isOfLibdevice ? "libdevice." : "tl.") + std::string(found->own);
  const bool isSeparate = found->isOfLibdevice;
  diagnostic.notes.push_back("kernels have `" + own + "`" +
                             (isSeparate ? ": `from triton.language.extra import libdevice`" : ""));
  const SourceRange range = wholeName(frame, diagnostic.range);
  if (!isSeparate && hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, range, range, own);
  return true;
}

bool explainForeign(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  static constexpr std::pair<std::string_view, std::string_view> kValues[] = {
      {"true", "True"}, {"false", "False"},  {"null", "None"},
      {"NULL", "None"}, {"nullptr", "None"}, {"none", "None"}};
  if (isThreadName(name)) {
    explainThreads(diagnostic, name, frame);
    return true;
  }
  for (const auto &[foreign, own] : kValues)
    if (name == foreign) {
      suggest(diagnostic, own);
      return true;
    }
  return explainForeignFunction(diagnostic, name, frame);
}

} // namespace tilescope::compiler::frontend
