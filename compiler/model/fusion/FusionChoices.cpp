// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/fusion/FusionChoices.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::model {

using compiler::FusionChoice;
using compiler::FusionWish;

FusionChoices::FusionChoices(ArrayRef<FusionChoice> choices, ArrayRef<FusionEdge> edges)
    : m_choices(choices), m_isKnown(choices.size()) {
  if (choices.empty())
    return;
  llvm::StringMap<size_t> byName;
  for (const auto &[i, choice] : llvm::enumerate(choices))
    byName.try_emplace(choice.edge, i);
  for (const FusionEdge &edge : edges) {
    if (!edge.isTold())
      continue;
    const auto found = byName.find(tm::nodeName(edge.from) + ":" + tm::nodeName(edge.to));
    if (found == byName.end())
      continue;
    m_isKnown[found->second] = true;
    m_ofEdge[{edge.from, edge.to}] = found->second;
    if (choices[found->second].wish == FusionWish::Apart)
      m_apart.push_back(edge);
  }
}

FusionWish FusionChoices::wish(const FusionEdge &edge) const {
  const auto found = m_ofEdge.find({edge.from, edge.to});
  return found == m_ofEdge.end() ? FusionWish::None : m_choices[found->second].wish;
}

size_t FusionChoices::turn(const FusionEdge &edge) const {
  const auto found = m_ofEdge.find({edge.from, edge.to});
  return found == m_ofEdge.end() ? m_choices.size() : found->second;
}

std::string FusionChoices::keptApart(const GroupGraph &graph, size_t a, size_t b) const {
  for (const FusionEdge &edge : m_apart) {
    const size_t from = graph.groupOf(edge.from), to = graph.groupOf(edge.to);
    if ((from == a && to == b) || (from == b && to == a))
      return "`" + tm::nodeName(edge.from) + "` and `" + tm::nodeName(edge.to) +
             "` are kept apart by choice";
  }
  return "";
}

/// What became of a node that the choice names, where it is no operation any more.
static std::string whatBecame(StringRef edge, const compiler::ModelResult &result) {
  for (const compiler::ModelRewrite &each : result.rewrites)
    if (edge.starts_with(each.node + ":") || edge.ends_with(":" + each.node))
      return ": `" + each.node + "` went: " + each.message + " (" + each.rule + ")";
  return "; `tilescope model fuse` lists the edges of the model";
}

void FusionChoices::report(compiler::ModelResult &result) const {
  const auto add = [&](const std::string &message) {
    result.ok = false;
    result.diagnostics.push_back({compiler::Severity::Error, "", "", message});
  };
  for (const auto &[i, choice] : llvm::enumerate(m_choices)) {
    const auto first = llvm::find_if(
        m_choices, [&](const FusionChoice &each) { return each.edge == choice.edge; });
    if (first->wish != choice.wish)
      add("`" + choice.edge + "` cannot both be fused and be kept apart");
    else if (first == &choice && !m_isKnown[i])
      add("no tensor goes along `" + choice.edge + "`" + whatBecame(choice.edge, result));
  }
}

} // namespace tilescope::model
