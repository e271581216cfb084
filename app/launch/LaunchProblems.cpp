// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/LaunchProblems.h"

#include "app/launch/ChangeBetween.h"
#include "app/launch/SuggestedBlock.h"
#include "compiler/inference/ParameterUses.h"
#include "compiler/support/NearestName.h"
#include "compiler/syntax/MisspelledAnnotation.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Dtype.h"
#include "profiler/package/EvaluateLaunch.h"
#include "profiler/package/LaunchFormat.h"

#include <algorithm>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using compiler::ScalarKind;
using compiler::inference::ParameterUse;
using profiler::LaunchArgument;
using profiler::LaunchBlock;

static bool isOutput(const LaunchArgument &argument) {
  return argument.init.text.empty() || argument.init.text == "empty" ||
         argument.init.text == "zeros" || argument.init.text == "poison";
}

/// The block's tensor that is most like one that is written, or read: the last one of its kind.
static const LaunchArgument *likeTensor(const LaunchBlock &block, bool isWritten) {
  const LaunchArgument *like = nullptr;
  for (const LaunchArgument &each : block.args)
    if (each.isTensor && (!like || isOutput(each) == isWritten || isOutput(*like) != isWritten))
      like = &each;
  return like;
}

static bool nameHas(const std::string &name, std::string_view part) {
  return name.find(part) != std::string::npos;
}

/// A value for a parameter, as a suggested block would state it.
static std::optional<LaunchArgument>
guessedArgument(const LaunchBlock &block, const std::string &name, const ParameterUse &use) {
  compiler::SuggestedLaunch suggestion;
  int seed = static_cast<int>(std::ranges::count_if(
      block.args, [](const LaunchArgument &each) { return !each.initOptions.empty(); }));
  if (!use.isPointer() && !nameHas(name, "ptr"))
    return suggestedArgument(
        name, use.inDataMath && !use.inIndexMath ? ScalarKind::Fp32 : ScalarKind::Int32, suggestion,
        seed);
  const bool isWritten = use.isPointer() ? !use.isLoaded : nameHas(name, "out");
  const LaunchArgument *like = likeTensor(block, isWritten);
  compiler::SuggestedTensor tensor;
  tensor.isWritten = isWritten;
  tensor.isRead = !isWritten;
  tensor.isGuess = !like;
  for (const auto &extent : like ? like->shape : std::vector<profiler::LaunchExpression>())
    tensor.shape.push_back(extent.text);
  if (!like)
    tensor.shape = {"1024"};
  suggestion.tensors[name] = std::move(tensor);
  const std::optional<ScalarKind> element =
      like ? profiler::parseDtype(like->dtype.text) : std::nullopt;
  return suggestedArgument(name,
                           compiler::SignatureType::pointerTo(element.value_or(ScalarKind::Fp32)),
                           suggestion, seed);
}

void offerArguments(std::string_view text, size_t index, const LaunchBlock &block,
                    std::string_view kernel, std::vector<Diagnostic> &diagnostics) {
  const auto isMissing = [](const Diagnostic &each) {
    return each.cause.need == compiler::Need::Argument;
  };
  if (std::ranges::none_of(diagnostics, isMissing))
    return;
  const auto tree = ast::parseModule(std::string(text));
  const ast::ModuleIndex functions = ast::indexModule(*tree);
  const ast::JitFunction *function = functions.findFunction(kernel);
  if (!function)
    return;
  const auto uses = compiler::inference::analyzeUses(functions, *function);
  for (const ast::ParameterInfo &parameter : function->parameters) {
    const std::string &name = parameter.name;
    const auto found = std::ranges::find_if(diagnostics, [&](const Diagnostic &each) {
      return isMissing(each) && each.cause.subject == name;
    });
    const auto use = uses.find(name);
    if (found == diagnostics.end() || use == uses.end())
      continue;
    if (auto misspelled = ast::misspelledConstexpr(*tree, functions, parameter)) {
      *found = std::move(*misspelled);
      continue;
    }
    found->labels.push_back({parameter.range, "`" + name + "` is declared here"});
    std::optional<LaunchArgument> argument = guessedArgument(block, name, use->second);
    if (!argument)
      continue;
    // The extent of a block is no run-time value.
    const bool isExtent = use->second.isShape && !argument->isTensor;
    if (isExtent)
      argument->value.text = "1024";
    const Result<std::string> edited = profiler::editLaunchBlock(
        text, index,
        {{{isExtent ? "constexprs" : "args", name}, profiler::argumentValue(*argument)}});
    if (edited)
      found->fixes.push_back(
          changeBetween(text, *edited, "add `" + name + "` to the launch block"));
  }
}

/// The first `return` with a value.
static SourceRange returnOf(const ast::JitFunction &function) {
  SourceRange range;
  for (const ast::Stmt *statement : function.def->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *found = ast::as<ast::Return>(&node); found && found->value && range.empty())
        range = found->range;
      return !ast::is<ast::FunctionDef>(&node);
    });
  return range;
}

std::optional<Diagnostic> missingKernel(std::string_view text, const LaunchBlock &block,
                                        const std::vector<SourceKernel> &kernels) {
  if (block.kernel.empty() || findKernel(kernels, block.kernel))
    return std::nullopt;
  // Where nothing can be launched, the compiler says why.
  if (text.find("def ") == std::string_view::npos)
    return std::nullopt;
  const auto tree = ast::parseModule(std::string(text));
  if (tree->hasErrors())
    return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::LaunchBlockInvalid;
  const ast::ModuleIndex index = ast::indexModule(*tree);
  if (const ast::JitFunction *function = index.findFunction(block.kernel)) {
    diagnostic.range = returnOf(*function);
    diagnostic.message = "a kernel returns nothing: store the result with `tl.store`";
    return diagnostic;
  }
  // It is there, but not as a kernel: the compiler knows more.
  if (text.find("def " + block.kernel + "(") != std::string_view::npos)
    return std::nullopt;
  diagnostic.range = block.kernelRange;
  std::vector<std::string_view> names;
  std::string known;
  for (const SourceKernel &kernel : kernels) {
    names.push_back(kernel.name);
    known += (known.empty() ? "`" : ", `") + kernel.name + "`";
  }
  diagnostic.message = "the file has no kernel `" + block.kernel + "`" +
                       (known.empty() ? ": a kernel is a function decorated with `@triton.jit`"
                                      : "; it has " + known);
  std::string_view meant = closestName(block.kernel, names);
  if (meant.empty() && names.size() == 1)
    meant = names.front();
  if (!meant.empty()) {
    const std::string quoted = "\"" + std::string(meant) + "\"";
    diagnostic.fixes.push_back({block.kernelRange, quoted, "write `" + quoted + "`"});
  }
  return diagnostic;
}

} // namespace tilescope::app
