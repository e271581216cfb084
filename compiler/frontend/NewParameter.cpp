// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/NewParameter.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

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
