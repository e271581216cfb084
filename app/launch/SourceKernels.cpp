// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/SourceKernels.h"

#include "app/launch/LaunchEvaluator.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/MeantKernel.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace tilescope::app {

using compiler::ast::JitFunction;
using compiler::ast::ParameterInfo;

static std::optional<profiler::LaunchValue> valueOf(const compiler::ast::Expr *expr) {
  if (!expr)
    return std::nullopt;
  const compiler::constant::Evaluation value =
      compiler::constant::evaluate(*expr, compiler::constant::hostEnvironment({}));
  if (!value)
    return std::nullopt;
  return toLaunchValue(*value.value);
}

static SourceKernel describe(const JitFunction &function) {
  SourceKernel kernel{function.name, function.def->range, {}, function.usedByOthers};
  if (!function.def->decoratorList.empty())
    kernel.range.begin = function.def->decoratorList.front()->range.begin;
  for (const ParameterInfo &parameter : function.parameters) {
    const bool isComputed = std::ranges::any_of(
        function.heuristics, [&](const auto &each) { return each.first == parameter.name; });
    if (!isComputed)
      kernel.parameters.push_back(
          {parameter.name, parameter.annotationKind == compiler::ast::AnnotationKind::Constexpr,
           valueOf(parameter.defaultValue)});
  }
  return kernel;
}

std::vector<SourceKernel> sourceKernels(std::string_view text) {
  // Text without a function need not be parsed.
  if (text.find("def ") == std::string_view::npos)
    return {};
  const auto tree = compiler::ast::parseModule(std::string(text));
  return sourceKernels(compiler::ast::indexModule(*tree));
}

std::vector<SourceKernel> sourceKernels(const compiler::ast::ModuleIndex &index) {
  std::vector<SourceKernel> kernels;
  for (const JitFunction &function : index.functions)
    if (function.isKernel())
      kernels.push_back(describe(function));
  for (const JitFunction *meant : compiler::ast::returningKernels(index))
    kernels.push_back(describe(*meant));
  return kernels;
}

const SourceKernel *findKernel(const std::vector<SourceKernel> &kernels, std::string_view name) {
  const auto found = std::ranges::find_if(kernels, [&](const SourceKernel &kernel) {
    return name.empty() ? !kernel.isCalled : kernel.name == name;
  });
  return found == kernels.end() ? nullptr : &*found;
}

} // namespace tilescope::app
