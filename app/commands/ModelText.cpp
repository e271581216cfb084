// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelText.h"

#include "compiler/support/BytesText.h"
#include "compiler/support/Counted.h"
#include "profiler/data/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using compiler::ModelResult;
using nlohmann::json;

static const char *severityName(compiler::Severity severity) {
  switch (severity) {
  case compiler::Severity::Note:
    return "note";
  case compiler::Severity::Warning:
    return "warning";
  case compiler::Severity::Error:
    break;
  }
  return "error";
}

static std::string operatorSetsText(const ModelResult &result) {
  std::string text;
  for (const auto &[domain, version] : result.operatorSets)
    text += fmt::format(", {} version {}", domain.empty() ? "operators" : domain, version);
  return text;
}

static std::string tensorText(const compiler::ModelTensor &tensor) {
  return fmt::format("{}: {} [{}]", tensor.name, tensor.elementType,
                     fmt::join(tensor.extents, ", "));
}

std::string modelText(const std::string &path, const ModelResult &result) {
  std::string text = fmt::format("{}: {} format {}{}", path, result.format, result.formatVersion,
                                 operatorSetsText(result));
  if (!result.producer.empty())
    text += ", from " + result.producer;
  text += "\n";
  for (const compiler::ModelTensor &input : result.inputs)
    text += "input " + tensorText(input) + "\n";
  for (const compiler::ModelTensor &output : result.outputs)
    text += "output " + tensorText(output) + "\n";
  text += fmt::format("weights: {}, {}", result.numWeights, bytesText(result.weightBytes));
  if (result.externalBytes > 0)
    text += fmt::format(", of these {} in other files", bytesText(result.externalBytes));
  text += fmt::format("\nnodes: {}", result.numNodes);
  if (result.ok)
    text += fmt::format(", {} operations", result.numOperations);
  text += "\n";
  for (const compiler::ModelRewrite &each : result.rewrites)
    text += fmt::format("rewritten `{}`: {} ({})\n", each.node, each.message, each.rule);
  for (const compiler::ModelOperator &each : result.operators)
    text += fmt::format("{:8} {}{}{}\n", each.count, each.domain.empty() ? "" : each.domain + ".",
                        each.name, each.isSupported ? "" : " (not supported)");
  return profiler::printable(text);
}

std::string fusionText(const ModelResult &result) {
  std::string text;
  uint64_t bytes = 0;
  for (const compiler::ModelRewrite &each : result.rewrites)
    text += fmt::format("rewritten `{}`: {} ({})\n", each.node, each.message, each.rule);
  for (const compiler::ModelEdge &each : result.edges)
    text += fmt::format("{}{}: `{}` to `{}`, {}: {}\n", each.isFused ? "fused" : "not fused",
                        each.wish == compiler::FusionWish::None ? "" : " by choice", each.from,
                        each.to, bytesText(each.bytes), each.reason);
  for (const compiler::ModelKernel &each : result.kernels) {
    text += fmt::format("kernel {}, {}: {}\n", each.function, bytesText(each.bytes),
                        fmt::join(each.nodes, ", "));
    bytes += each.bytes;
  }
  if (!result.kernels.empty())
    text += fmt::format("{} that {} {}, instead of {} that move {}\n",
                        counted(result.kernels.size(), "kernel"),
                        result.kernels.size() == 1 ? "moves" : "move", bytesText(bytes),
                        result.numUnfusedKernels, bytesText(result.unfusedBytes));
  return profiler::printable(text);
}

static json kernelsJson(const ModelResult &result) {
  json list = json::array();
  for (const compiler::ModelKernel &each : result.kernels)
    list.push_back({{"function", each.function}, {"nodes", each.nodes}, {"bytes", each.bytes}});
  return list;
}

static json edgesJson(const ModelResult &result) {
  json list = json::array();
  for (const compiler::ModelEdge &each : result.edges)
    list.push_back({{"from", each.from},
                    {"to", each.to},
                    {"fused", each.isFused},
                    {"reason", each.reason},
                    {"chosen", each.wish != compiler::FusionWish::None},
                    {"bytes", each.bytes}});
  return list;
}

static json tensorsJson(const std::vector<compiler::ModelTensor> &tensors) {
  json list = json::array();
  for (const compiler::ModelTensor &tensor : tensors)
    list.push_back(
        {{"name", tensor.name}, {"type", tensor.elementType}, {"shape", tensor.extents}});
  return list;
}

json modelJson(const std::string &path, const ModelResult &result) {
  json operators = json::array(), diagnostics = json::array(), rewrites = json::array(),
       sets = json::object();
  for (const auto &[domain, version] : result.operatorSets)
    sets[domain] = version;
  for (const compiler::ModelOperator &each : result.operators)
    operators.push_back({{"name", each.name},
                         {"domain", each.domain},
                         {"count", each.count},
                         {"supported", each.isSupported}});
  for (const compiler::ModelDiagnostic &each : result.diagnostics)
    diagnostics.push_back({{"severity", severityName(each.severity)},
                           {"file", path},
                           {"node", each.node},
                           {"operator", each.operatorName},
                           {"message", each.message}});
  for (const compiler::ModelRewrite &each : result.rewrites)
    rewrites.push_back({{"rule", each.rule}, {"node", each.node}, {"message", each.message}});
  json document = {
      {"file", path},
      {"ok", result.ok},
      {"producer", result.producer},
      {"kind", result.format},
      {"format", result.formatVersion},
      {"opsets", std::move(sets)},
      {"inputs", tensorsJson(result.inputs)},
      {"outputs", tensorsJson(result.outputs)},
      {"symbols", result.symbols},
      {"nodes", result.numNodes},
      {"operators", std::move(operators)},
      {"weights",
       {{"count", result.numWeights},
        {"bytes", result.weightBytes},
        {"external_bytes", result.externalBytes}}},
      {"operations", result.numOperations},
      {"rewrites", std::move(rewrites)},
      {"kernels", kernelsJson(result)},
      {"edges", edgesJson(result)},
      {"unfused", {{"kernels", result.numUnfusedKernels}, {"bytes", result.unfusedBytes}}},
      {"diagnostics", std::move(diagnostics)}};
  if (!result.text.empty())
    document["text"] = result.text;
  return document;
}

std::string modelDiagnosticsText(const std::string &path, const ModelResult &result) {
  std::string text;
  for (const compiler::ModelDiagnostic &each : result.diagnostics) {
    const std::string node = each.operatorName.empty()
                                 ? ""
                                 : fmt::format("node `{}` (`{}`): ", each.node, each.operatorName);
    text += profiler::printableLine(fmt::format("{}: {}: {}{}", path, severityName(each.severity),
                                                node, each.message)) +
            "\n";
  }
  return text;
}

} // namespace tilescope::app
