// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/IndexAdvice.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/NewParameter.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/ReducedIndices.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/Suggestions.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::frontend {

static Message needed(const BuiltinCall &call, size_t parameter) {
  const std::string text(call.text(parameter));
  return (text.empty()
              ? Message("the bounds of `tl.arange` must be `tl.constexpr`, got {}", call[parameter])
              : Message("the bounds of `tl.arange` must be `tl.constexpr`, and `{}` ({}) "
                        "is known at run time",
                        text, call[parameter]))
      .needs(Need::Extent);
}

/// The two sides of an operation, as they stand and the other way around; none where it is another one.
static std::vector<std::pair<const ast::Expr *, const ast::Expr *>> sidesOf(const ast::Expr *expr,
                                                                            ast::BinaryOpKind op) {
  const auto *operation = expr ? ast::as<ast::BinOp>(expr) : nullptr;
  if (!operation || operation->op != op)
    return {};
  return {{operation->left, operation->right}, {operation->right, operation->left}};
}

/// What is added to the first argument to make the second one, as code: `BLOCK` of `start, start +
/// BLOCK` and of `pid * BLOCK, (pid + 1) * BLOCK`; empty where that is no such sum, or not known while
/// compiling.
static std::string extentBehind(BuiltinCall &call) {
  const Frame &frame = call.emitter.frame();
  if (!frame.function)
    return {};
  const auto textOf = [&](const ast::Expr &expr) {
    return sourceText(frame, call.emitter.fileRange(expr.range));
  };
  const auto *begin = nodeAt<ast::BinOp>(*frame.function, call.rangeOf(0));
  const auto *end = nodeAt<ast::BinOp>(*frame.function, call.rangeOf(1));
  const ast::Expr *extent = nullptr;
  for (const auto &[start, added] : sidesOf(end, ast::BinaryOpKind::Add))
    if (!extent && textOf(*start) == call.text(0))
      extent = added;
  for (const auto &[next, length] : sidesOf(end, ast::BinaryOpKind::Mult))
    for (const auto &[number, one] : sidesOf(next, ast::BinaryOpKind::Add)) {
      const auto *constant = ast::as<ast::Constant>(one);
      const bool isNext = constant && constant->intValue == 1;
      for (const auto &[block, side] : sidesOf(begin, ast::BinaryOpKind::Mult))
        if (isNext && textOf(*block) == textOf(*number) && textOf(*side) == textOf(*length))
          extent = length;
    }
  return extent && call.emitter.evaluate(*extent).isNumber() ? std::string(textOf(*extent))
                                                             : std::string();
}

/// Whether a loop advances by it: then it is the size of a block, whatever its name.
static bool isStep(const Frame &frame, std::string_view name) {
  bool found = false;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *range = loop ? ast::as<ast::Call>(loop->iter) : nullptr;
      const auto *step =
          range && range->args.size() == 3 ? ast::as<ast::Name>(range->args[2]) : nullptr;
      found |= step && step->id == name;
      return !found;
    });
  return found;
}

/// Whether an argument is an extent of the data: a parameter that is neither named nor used like the size of a
/// block, in a function that has a size of blocks of its own, or can have one.
static bool isExtentOfData(const Frame &frame, std::string_view name, const ArrayName &block) {
  const std::vector<const ast::Arg *> parameters = parametersOf(*frame.function);
  // `D` and the like are constants of the kernel by custom.
  const bool canHave = block.isNew && parametersEnd(frame) && llvm::StringRef(name).lower() == name;
  return std::ranges::find(parameters, name, &ast::Arg::arg) != parameters.end() &&
         (!block.isNew || canHave) && !block.isPlain &&
         !llvm::StringRef(name).contains_insensitive("block") && !isStep(frame, name);
}

/// Fails with code that computes what was meant; another declaration of the parameter does not.
[[noreturn]] static void failWith(const BuiltinCall &call, size_t parameter, Message message,
                                  std::vector<std::string> notes, SourceRange replaced,
                                  const std::string &code) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::NotConstexpr;
  diagnostic.range = call.rangeOf(parameter);
  std::move(message).needs(Need::Extent).writeTo(diagnostic);
  diagnostic.notes = std::move(notes);
  diagnostic.fixes = rewriteFix(call.emitter.frame(), replaced, replaced, code);
  throw Failure{std::move(diagnostic)};
}

/// Why no block of indices does in the place of all, since a reduction takes all.
[[noreturn]] static void failReduced(const BuiltinCall &call, const std::string &name,
                                     std::string loop) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::NotConstexpr;
  diagnostic.range = call.rangeOf(1);
  Message("the number of indices must be a `tl.constexpr`, and `{}` ({}) is known at run time",
          name, call[1])
      .needs(Need::Extent)
      .writeTo(diagnostic);
  diagnostic.notes.push_back(std::move(loop));
  throw Failure{std::move(diagnostic)};
}

/// What the function calls a block of indices.
struct Indices {
  std::string name;
  /// It has no name of its own yet, and may get this one.
  bool isNew = false;
};

static Indices indicesName(const Frame &frame, const ast::Expr *indices) {
  std::set<std::string_view> used;
  std::string name;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *each = ast::as<ast::Name>(&node))
        used.insert(each->id);
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *target = assign && indices && assign->value == indices
                               ? ast::as<ast::Name>(assign->targets.front())
                               : nullptr;
      if (target)
        name = target->id;
      return true;
    });
  if (!name.empty())
    return {name};
  for (const char *free : {"i", "j", "k", "offs"})
    if (!used.contains(free) && !frame.locals.find(free))
      return {free, true};
  return {"indices", true};
}

/// Of as many indices as the array has elements, which only the launch says.
[[noreturn]] static void failExtent(const BuiltinCall &call, const std::string &name,
                                    const ArrayName &block) {
  const Frame &frame = call.emitter.frame();
  const auto *indices = nodeAt<ast::Call>(*frame.function, call.range);
  if (std::string loop = indices ? loopOverBlocks(frame, *indices, name, block) : ""; !loop.empty())
    failReduced(call, name, std::move(loop));
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::NotConstexpr;
  diagnostic.range = call.rangeOf(1);
  Message("the number of indices must be a `tl.constexpr`, and `{}` ({}) is known at run time: "
          "`tl.arange(0, {})`",
          name, call[1], block.name)
      .needs(Need::Extent)
      .writeTo(diagnostic);
  diagnostic.notes = newNameNotes({}, {}, block);
  const Indices named = indicesName(frame, indices);
  if (named.isNew)
    diagnostic.notes.push_back("a name for the indices lets a mask keep them within the array: `" +
                               named.name + " = tl.arange(0, " + block.name + ")`, and `mask=" +
                               named.name + " < " + name + "` of the load or store there");
  else
    diagnostic.notes.push_back("a mask keeps the indices within the array: `mask=" + named.name +
                               " < " + name + "` of a load or store at `" + named.name + "`");
  // Without the mask, a reduction would take in what lies behind; and it counts all that it takes.
  const bool isReduced = named.isNew && areReduced(frame, *indices);
  if (isReduced)
    diagnostic.notes.push_back(
        "what is reduced leaves the others out by `other=0.0` of the load for a sum, and a "
        "mean divides that sum by `" +
        name + "`");
  else
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, block.name);
  if (block.isNew)
    diagnostic.fixes =
        withParameter(frame, block.name + ": tl.constexpr", std::move(diagnostic.fixes));
  // Right for a small array, which is one block.
  if (block.isNew || isReduced)
    explainNotConstexpr(diagnostic, frame);
  throw Failure{std::move(diagnostic)};
}

void failIndices(BuiltinCall &call, size_t parameter) {
  const Frame &frame = call.emitter.frame();
  if (!frame.function || call.text(parameter).empty())
    call.fail(parameter, DiagnosticKind::NotConstexpr, needed(call, parameter));
  if (const std::string extent = parameter == 0 ? extentBehind(call) : ""; !extent.empty()) {
    const auto *begin = nodeAt<ast::BinOp>(*frame.function, call.rangeOf(0));
    const bool isProduct = begin && begin->op == ast::BinaryOpKind::Mult;
    const std::string start = isProduct ? std::string(call.text(0)) : asFactor(call.text(0));
    const std::string code = start + " + tl.arange(0, " + extent + ")";
    failWith(call, parameter,
             "`tl.arange` begins at a constexpr: add what is known at run time to the block, `" +
                 code + "`",
             {}, call.range, code);
  }
  const std::string name(call.text(parameter));
  const ArrayName block = blockName(frame);
  if (parameter == 1 && call[0].constant() && isExtentOfData(frame, name, block))
    failExtent(call, name, block);
  call.fail(parameter, DiagnosticKind::NotConstexpr, needed(call, parameter));
}

} // namespace tilescope::compiler::frontend
