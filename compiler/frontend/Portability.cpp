// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Portability.h"

#include "compiler/frontend/Failure.h"
#include "compiler/frontend/Message.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/TurnSums.h"
#include "compiler/syntax/LanguageReference.h"

#include <algorithm>
#include <cctype>

namespace tilescope::compiler::frontend {

/// Code outside of kernels, and what runs while they are compiled, may use anything.
static bool mayUseAnything(const Frame &frame) {
  return frame.isModuleLevel || frame.isCompileTime || frame.module->isPrelude;
}

static Diagnostic unportable(const std::string &what, const SourceRange &range) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = range;
  diagnostic.message = what + ": Triton does not compile this";
  return diagnostic;
}

void warnUnportable(Emitter &emitter, const std::string &what, const std::string &advice) {
  if (mayUseAnything(emitter.frame()))
    return;
  Diagnostic diagnostic = unportable(what, emitter.currentRange());
  if (!advice.empty())
    diagnostic.notes.push_back(advice);
  emitter.report(std::move(diagnostic));
}

void warnUnportableFunction(Emitter &emitter, const std::string &name) {
  const Frame &frame = emitter.frame();
  if (mayUseAnything(frame))
    return;
  Diagnostic diagnostic = unportable("Python's `" + name + "` in a kernel", emitter.currentRange());
  if (name == "sum" && sumsList(frame, diagnostic.range))
    diagnostic.notes = {"`tl.sum` adds the elements of a block, not those of a list"};
  else if (hasLanguageName(frame) && ast::findReference("triton.language." + name)) {
    diagnostic.notes = {"kernels have `tl." + name + "`"};
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, "tl." + name);
  }
  emitter.report(std::move(diagnostic));
}

std::string castCall(std::string_view value, std::string_view type) {
  const size_t first = value.find_first_not_of("+-");
  const bool isNumber =
      first != value.npos &&
      (std::isdigit(static_cast<unsigned char>(value[first])) || value[first] == '.') &&
      value.find_first_of(" ()*/") == value.npos;
  return isNumber ? std::string(value)
                  : "tl.cast(" + std::string(value) + ", tl." + std::string(type) + ")";
}

void warnCalledType(Emitter &emitter, const std::string &type, const CallArgument &argument,
                    const SourceRange &call) {
  const Frame &frame = emitter.frame();
  if (mayUseAnything(frame))
    return;
  Diagnostic diagnostic = unportable("a call of the type `tl." + type + "`", call);
  const std::string value(sourceText(frame, argument.range));
  const std::string code = castCall(value.empty() ? "x" : value, type);
  diagnostic.notes = {"kernels write `" + code + "`"};
  if (!value.empty())
    diagnostic.fixes = rewriteFix(frame, call, call, code);
  emitter.report(std::move(diagnostic));
}

/// What an argument of a call is in the source, in brackets where something may follow it that binds
/// more closely; empty: it is not known.
static std::string operandText(const Frame &frame, const CallArgument &argument) {
  const std::string value(sourceText(frame, argument.range));
  // `a * b` needs brackets in front of a dot; a name, a call or an element does not.
  const auto *node = frame.function ? nodeAt<ast::Expr>(*frame.function, argument.range) : nullptr;
  const bool isWhole = node && (ast::is<ast::Name>(node) || ast::is<ast::Call>(node) ||
                                ast::is<ast::Subscript>(node) || ast::is<ast::Attribute>(node));
  return value.empty() || isWhole ? value : "(" + value + ")";
}

/// `int(x)` of a value at run time is a conversion, which kernels write as a method.
static void explainConversion(Diagnostic &diagnostic, const Frame &frame, std::string_view name,
                              const CallArgument &argument, const SourceRange &call) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"bool", "tl.int1"}, {"float", "tl.float32"}, {"int", "tl.int32"}};
  const auto type = std::ranges::find(kTypes, name, [](const auto &each) { return each.first; });
  const Tensor *tensor = argument.value.tensor();
  if (type == std::end(kTypes) || !tensor || tensor->type.isPointer())
    return;
  const std::string conversion = ".to(" + std::string(type->second) + ")";
  const std::string value = operandText(frame, argument);
  if (value.empty()) {
    diagnostic.notes.push_back("kernels convert a value with `" + conversion + "`");
    return;
  }
  const std::string code = value + conversion;
  diagnostic.notes.push_back("kernels convert a value with `" + code + "`");
  diagnostic.fixes = rewriteFix(frame, call, call, code);
}

/// `round(x)` of a value at run time; Python rounds halves to even numbers.
static void explainRound(Diagnostic &diagnostic, const Frame &frame, std::string_view name,
                         const CallArgument &argument, const SourceRange &call) {
  const Tensor *tensor = argument.value.tensor();
  if (name != "round" || !tensor || tensor->type.isPointer() || !hasLanguageName(frame))
    return;
  const bool isWhole = !isFloating(tensor->type.dtype());
  const std::string known = operandText(frame, argument), value = known.empty() ? "x" : known;
  const std::string code = isWhole ? value : "tl.floor(" + value + " + 0.5)";
  diagnostic.notes.push_back("`" + code + "` is " +
                             (isWhole ? "a whole number already"
                                      : "the nearest whole number, and of halves the one above, "
                                        "where Python's `round` takes the even one"));
  if (!known.empty())
    diagnostic.fixes = rewriteFix(frame, call, call, code);
}

/// `enumerate(x)`, `zip(x, y)` of blocks, through which no loop goes.
static void explainItems(Diagnostic &diagnostic, const Frame &frame, std::string_view name,
                         const CallArgument &argument) {
  const Tensor *tensor = argument.value.tensor();
  if ((name != "enumerate" && name != "zip" && name != "reversed") || !tensor)
    return;
  const std::string value(sourceText(frame, argument.range)), known = value.empty() ? "x" : value;
  if (tensor->type.isPointer()) {
    diagnostic.notes.push_back("`" + known +
                               "` is a pointer: `tl.load` loads a block of what it points to, and "
                               "operations act on all elements of a block at once");
    return;
  }
  if (!tensor->isBlock())
    return;
  diagnostic.notes.push_back(
      "operations act on all elements of the block `" + known + "` at once, without a loop" +
      (name == "enumerate" ? "; the block of their numbers is `tl.arange(0, " +
                                 std::to_string(tensor->type.shape.front()) + ")`"
                           : std::string()));
}

void checkCompileTime(Emitter &emitter, std::string_view name,
                      const std::vector<CallArgument> &arguments, const SourceRange &call) {
  const auto found = std::ranges::find_if(arguments, [](const CallArgument &argument) {
    return !argument.value.toConstant().has_value();
  });
  if (found == arguments.end())
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::NotConstexpr;
  diagnostic.range = found->range;
  Message("Python's `{}` runs at compile time and needs constexprs, got {}", name, found->value)
      .writeTo(diagnostic);
  if (std::optional<Diagnostic> warning = emitter.withdrawWarning(call)) {
    diagnostic.notes = std::move(warning->notes);
    diagnostic.fixes = std::move(warning->fixes);
  }
  explainItems(diagnostic, emitter.frame(), name, *found);
  if (arguments.size() == 1) {
    explainConversion(diagnostic, emitter.frame(), name, *found, call);
    explainRound(diagnostic, emitter.frame(), name, *found, call);
  }
  throw Failure{std::move(diagnostic)};
}

bool isPortableBuiltin(std::string_view name) {
  static constexpr std::string_view kNames[] = {"float", "getattr", "hasattr", "int",  "isinstance",
                                                "len",   "list",    "max",     "min",  "print",
                                                "range", "repr",    "str",     "tuple"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

} // namespace tilescope::compiler::frontend
