// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/SuggestedBlock.h"

#include "app/launch/ComputedArguments.h"
#include "app/launch/GuessedLaunch.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Dtype.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace tilescope::app {

using compiler::ScalarKind;
using compiler::ScalarType;
using compiler::SuggestedLaunch;
using compiler::SuggestedTensor;
using profiler::LaunchArgument;
using profiler::LaunchBlock;

static profiler::LaunchExpression expression(std::string text) {
  return {std::move(text), {}, std::nullopt};
}

static profiler::LaunchEntry entry(std::string name, std::string value) {
  return {std::move(name), {}, expression(std::move(value))};
}

/// Words of a name, in lower case, between `_`: `_rms_eps_` for `rms_eps`.
static std::string wordsOf(const std::string &name) {
  std::string words = "_" + name + "_";
  std::ranges::transform(words, words.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return words;
}

/// What real arguments of that name usually are. An epsilon is larger, so that results show where it is added, and
/// whether it is.
static std::string realValue(const std::string &name) {
  static constexpr std::pair<const char *, const char *> kUsual[] = {
      {"_eps", "0.01"},     {"_epsilon", "0.01"},    {"_scale", "0.125"}, {"_scaling", "0.125"},
      {"_p", "0.1"},        {"_prob", "0.1"},        {"_dropout", "0.1"}, {"_lr", "0.001"},
      {"_beta1", "0.9"},    {"_beta2", "0.999"},     {"_b1", "0.9"},      {"_b2", "0.999"},
      {"_step", "3"},       {"_decay", "0.01"},      {"_wd", "0.01"},     {"_momentum", "0.9"},
      {"_slope", "0.01"},   {"_temperature", "0.7"}, {"_alpha", "0.5"},   {"_beta", "0.5"},
      {"_softcap", "30.0"}, {"_smoothing", "0.1"},   {"_smooth", "0.1"},  {"_lo", "-0.5"},
      {"_low", "-0.5"},     {"_lower", "-0.5"},      {"_min", "-0.5"},    {"_hi", "0.5"},
      {"_high", "0.5"},     {"_upper", "0.5"},       {"_max", "0.5"}};
  const std::string words = wordsOf(name);
  for (const auto &[word, value] : kUsual)
    if (words.find(std::string(word) + "_") != std::string::npos)
      return value;
  // Arguments that are mixed up, or left out of a product, must be seen: `a` and `b` differ, and none is 1.
  static constexpr const char *kOthers[] = {"1.5", "0.75", "2.5", "0.375", "1.25"};
  const unsigned sum = std::accumulate(name.begin(), name.end(), 0U,
                                       [](unsigned all, char c) { return all + uint8_t(c); });
  return kOthers[sum % std::size(kOthers)];
}

/// Data that can be told apart from another tensor's, and, of integers, be read.
static void giveData(LaunchArgument &argument, ScalarKind element, const SuggestedTensor *known,
                     int seed) {
  if (known && !known->isRead) {
    argument.init.text = known->isWritten ? "empty" : "zeros";
    return;
  }
  // Indices without an end that ascend are those of all elements, each once: backwards, so that they differ from the
  // numbers of what they belong to.
  if (known && known->isAscending && known->indicesBelow.empty() && !profiler::isFloat(element) &&
      known->shape.size() == 1) {
    argument.init.text = "arange";
    argument.initOptions = {entry("low", known->shape.front() + " - 1"), entry("scale", "-1")};
    return;
  }
  const bool isAscending = known && known->isAscending && !known->indicesBelow.empty();
  const bool isReal = profiler::isFloat(element);
  argument.init.text = isReal        ? (known && known->isPositive ? "rand" : "randn")
                       : isAscending ? "offsets"
                                     : "randint";
  argument.initOptions.push_back(entry("seed", std::to_string(seed)));
  // Of none, a mean is no number.
  if (known && known->areLengths && !isAscending)
    argument.initOptions.push_back(entry("low", "1"));
  if (!isReal)
    argument.initOptions.push_back(entry("high", known && !known->indicesBelow.empty()
                                                     ? known->indicesBelow
                                                 : element == ScalarKind::Int1 ? "2"
                                                                               : "10"));
}

std::optional<LaunchArgument> suggestedArgument(const std::string &name,
                                                const compiler::SignatureType &type,
                                                const SuggestedLaunch &suggestion, int &seed) {
  const ScalarKind kind = type.scalar.dtype;
  const std::string scalar = toSignature(ScalarType{kind});
  if (type.form != compiler::SignatureType::Form::Value || type.isBlock() ||
      type.scalar.pointerDepth > 1 || kind == ScalarKind::Void)
    return std::nullopt;
  LaunchArgument argument;
  argument.name = name;
  if (type.isPointer()) {
    argument.isTensor = true;
    argument.dtype.text = profiler::dtypeName(kind);
    const auto found = suggestion.tensors.find(name);
    const SuggestedTensor *known = found == suggestion.tensors.end() ? nullptr : &found->second;
    for (const std::string &extent : known ? known->shape : std::vector<std::string>{"1"})
      argument.shape.push_back(expression(extent));
    argument.isGuess = known && known->isGuess;
    giveData(argument, kind, known, seed);
    seed += argument.initOptions.empty() ? 0 : 1;
    return argument;
  }
  if (kind == ScalarKind::Int1) {
    argument.value.text = "True";
  } else if (profiler::isFloat(kind)) {
    argument.value.text = realValue(name);
    argument.type.text = kind == ScalarKind::Fp32 ? "" : scalar;
  } else {
    const auto known = suggestion.integers.find(name);
    argument.value.text = type.isOne()                         ? "1"
                          : known == suggestion.integers.end() ? "2"
                                                               : known->second;
    argument.type.text = kind == ScalarKind::Int32 ? "" : scalar;
  }
  return argument;
}

/// A value of a constexpr as a block writes it: types have names of their own in results.
static std::string asExpression(const std::string &value) {
  const auto scalar =
      std::ranges::find(compiler::kScalars, value, &compiler::ScalarInfo::signatureName);
  return scalar == compiler::kScalars.end() ? value : "tl." + std::string(scalar->languageName);
}

LaunchBlock suggestedBlock(const compiler::CompileResult &result, std::string_view text) {
  const std::set<std::string> computed = computedNames(text, result.kernel);
  LaunchBlock block;
  block.kernel = result.kernel;
  for (const compiler::SuggestedSize &size : result.suggestion.sizes)
    block.sizes.push_back(entry(size.name, std::to_string(size.value)));
  for (const auto &[name, value] : result.constexprs)
    if (!computed.contains(name))
      block.constexprs.push_back(entry(name, asExpression(value)));
  for (const auto &[name, value] : result.options)
    if ((name == "num_warps" || name == "num_stages") && !computed.contains(name))
      block.options.push_back(entry(name, value));
  // In the kernel's order; what it does not take at run time comes behind.
  std::map<std::string, std::string> types = result.signature;
  int seed = 0;
  const auto add = [&](const std::string &name, const std::string &written) {
    const std::optional<compiler::SignatureType> type = compiler::parseSignatureType(written);
    std::optional<LaunchArgument> argument =
        type ? suggestedArgument(name, *type, result.suggestion, seed) : std::nullopt;
    if (argument)
      block.args.push_back(std::move(*argument));
  };
  for (const compiler::KernelParameter &parameter : result.metadata.parameters) {
    // A document in IR has no signature.
    if (result.signature.empty())
      add(parameter.name, parameter.type);
    else if (const auto known = types.extract(parameter.name))
      add(parameter.name, known.mapped());
  }
  for (const auto &[name, type] : types)
    if (!result.constexprs.contains(name))
      add(name, type);
  for (const std::string &extent : result.suggestion.grid)
    block.grid.push_back(expression(extent));
  if (block.grid.empty())
    block.grid.push_back(expression("1"));
  block.isGridGuess = isGuessedGrid(result.suggestion, result.constexprs);
  return block;
}

LaunchBlock editedBlock(const compiler::CompileResult &result, const std::string &table,
                        const std::string &name, const std::string &value) {
  compiler::CompileResult changed;
  changed.kernel = result.kernel;
  changed.signature = result.signature;
  changed.constexprs = result.constexprs;
  changed.options = result.options;
  changed.metadata.parameters = result.metadata.parameters;
  changed.suggestion = result.suggestion;
  auto &values = table == "signature"    ? changed.signature
                 : table == "constexprs" ? changed.constexprs
                                         : changed.options;
  values[name] = value;
  return suggestedBlock(changed);
}

/// What begins a comment in a document of that stage.
static std::string_view commentMark(compiler::StageId entry, std::string_view document) {
  if (entry == compiler::StageId::Ast)
    return "#";
  // The same ending serves both textual forms of LLVM IR.
  const bool isMlir = document.find("llvm.func") != std::string_view::npos;
  return entry == compiler::StageId::LlvmIr && !isMlir ? ";" : "//";
}

/// Where the kernel begins with its decorators, in bytes.
static size_t kernelBegin(std::string_view document, const std::string &name) {
  const auto tree = compiler::ast::parseModule(std::string(document));
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  const compiler::ast::JitFunction *kernel = index.findFunction(name);
  if (!kernel)
    return document.size();
  const auto &decorators = kernel->def->decoratorList;
  const uint32_t line =
      decorators.empty() ? kernel->def->range.begin.line : decorators.front()->range.begin.line;
  size_t at = 0;
  for (uint32_t i = 0; i < line; ++i)
    at = document.find('\n', at) + 1;
  return at;
}

std::string insertBlock(std::string_view text, compiler::StageId entry, const LaunchBlock &block) {
  const std::string lines = profiler::formatLaunchBlock(block, commentMark(entry, text)) + "\n";
  if (entry != compiler::StageId::Ast)
    return lines + std::string(text);
  std::string edited(text);
  edited.insert(kernelBegin(text, block.kernel), lines + "\n");
  return edited;
}

} // namespace tilescope::app
