// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilescope::views {

/// A model with its fused kernels, and which nodes and edges belong to which of them. Never changes.
class ShownModel {
public:
  /// `timesUs`: of each kernel; empty: not known.
  explicit ShownModel(compiler::ModelResult result, std::vector<double> timesUs = {},
                      std::string device = {});

  const compiler::ModelResult &result() const { return m_result; }
  const std::vector<double> &timesUs() const { return m_timesUs; }
  const std::string &device() const { return m_device; }
  int numKernels() const { return static_cast<int>(m_result.kernels.size()); }
  /// -1: the node is in none.
  int kernelOf(size_t node) const { return m_kernels[node]; }
  /// Positions of nodes, in the order of the file; those of no kernel for `numKernels()`.
  const std::vector<uint32_t> &nodesOf(int kernel) const {
    return m_nodes[static_cast<size_t>(kernel)];
  }
  /// The first result of a kernel; null: it has none.
  const compiler::ModelSlot *slotOf(int kernel) const;
  /// Positions of the edges that begin or end in the kernel; all edges for -1. Those that are not fused come
  /// first.
  std::vector<uint32_t> edgesOf(int kernel) const;
  /// The kernel of the node that the edge leads to; -1: none.
  int kernelBehind(const std::string &edge) const;
  /// Why a node is in no kernel.
  std::string whyInNone(size_t node) const;
  /// The kernel with the launch of this name; -1: none.
  int kernelOfLaunch(const std::string &launch) const;
  double totalUs() const;
  uint64_t totalBytes() const;

private:
  int kernelOfName(const std::string &node) const;

  compiler::ModelResult m_result;
  std::vector<double> m_timesUs;
  std::string m_device;
  std::vector<int> m_kernels;
  std::vector<std::vector<uint32_t>> m_nodes;
  /// Sorted by name.
  std::vector<std::pair<std::string, int>> m_names, m_launches;
};

using ShownModelPointer = std::shared_ptr<const ShownModel>;

} // namespace tilescope::views
