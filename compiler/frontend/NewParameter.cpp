// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/NewParameter.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

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

void addParameter(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const std::optional<Position> end = parametersEnd(frame);
  if (!end || diagnostic.range.file != 0 || isCalled(frame, diagnostic.range))
    return;
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
