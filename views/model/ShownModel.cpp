// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ShownModel.h"

#include <algorithm>
#include <numeric>

namespace tilescope::views {

using compiler::ModelEdge;

static int positionOf(const std::vector<std::pair<std::string, int>> &sorted,
                      const std::string &name) {
  const auto found =
      std::ranges::lower_bound(sorted, name, {}, &std::pair<std::string, int>::first);
  return found != sorted.end() && found->first == name ? found->second : -1;
}

ShownModel::ShownModel(compiler::ModelResult result, std::vector<double> timesUs,
                       std::string device)
    : m_result(std::move(result)), m_timesUs(std::move(timesUs)), m_device(std::move(device)) {
  for (int i = 0; i < numKernels(); ++i) {
    const compiler::ModelKernel &kernel = m_result.kernels[static_cast<size_t>(i)];
    m_launches.emplace_back(kernel.launch, i);
    for (const std::string &node : kernel.nodes)
      m_names.emplace_back(node, i);
  }
  std::ranges::stable_sort(m_names);
  std::ranges::stable_sort(m_launches);
  m_nodes.resize(m_result.kernels.size() + 1);
  for (const compiler::ModelNode &node : m_result.nodes) {
    const int kernel = kernelOfName(node.name);
    m_nodes[static_cast<size_t>(kernel < 0 ? numKernels() : kernel)].push_back(
        static_cast<uint32_t>(m_kernels.size()));
    m_kernels.push_back(kernel);
  }
}

int ShownModel::kernelOfName(const std::string &node) const { return positionOf(m_names, node); }

int ShownModel::kernelOfLaunch(const std::string &launch) const {
  return positionOf(m_launches, launch);
}

const compiler::ModelSlot *ShownModel::slotOf(int kernel) const {
  const auto found = std::ranges::find(m_result.slots, static_cast<uint32_t>(kernel),
                                       &compiler::ModelSlot::kernel);
  return found == m_result.slots.end() ? nullptr : &*found;
}

std::vector<uint32_t> ShownModel::edgesOf(int kernel) const {
  std::vector<uint32_t> edges;
  for (size_t i = 0; i < m_result.edges.size(); ++i) {
    const ModelEdge &edge = m_result.edges[i];
    if (kernel < 0 || kernelOfName(edge.from) == kernel || kernelOfName(edge.to) == kernel)
      edges.push_back(static_cast<uint32_t>(i));
  }
  std::ranges::stable_partition(edges, [&](uint32_t i) { return !m_result.edges[i].isFused; });
  return edges;
}

int ShownModel::kernelBehind(const std::string &edge) const {
  const auto found = std::ranges::find(
      m_result.edges, edge, [](const ModelEdge &each) { return compiler::edgeName(each); });
  return found == m_result.edges.end() ? -1 : kernelOfName(found->to);
}

std::string ShownModel::whyInNone(size_t node) const {
  const std::string &name = m_result.nodes[node].name;
  for (const compiler::ModelDiagnostic &each : m_result.diagnostics)
    if (each.node == name)
      return each.message;
  for (const compiler::ModelRewrite &each : m_result.rewrites)
    if (each.node == name)
      return each.message + " (" + each.rule + ")";
  return m_result.kernels.empty() ? std::string()
                                  : "only shapes, constants or places in memory follow from it";
}

double ShownModel::totalUs() const {
  return std::accumulate(m_timesUs.begin(), m_timesUs.end(), 0.0);
}

uint64_t ShownModel::totalBytes() const {
  uint64_t bytes = 0;
  for (const compiler::ModelKernel &kernel : m_result.kernels)
    bytes += kernel.bytes;
  return bytes;
}

} // namespace tilescope::views
