// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/package/ModelPackage.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::profiler {

/// A model as the sources in `runtime/` read it; the form is described in `runtime/tilescope_plan.h`.
struct DeployPlan {
  /// `model.plan`
  std::string text;
  /// `model.weights`
  std::string weights;
  /// In the folder `kernels`, by name.
  std::vector<std::pair<std::string, std::string>> kernels;
};

/// Makes one plan of packages of a model, each for a set of shapes. All sets lie in the same memory:
///
///     | arena and inputs: as many bytes as the largest set takes | constants, each once |
class DeployPlanMaker {
public:
  /// Keeps constants that it has not seen yet, and no contents of inputs.
  void add(ModelPackage package);
  /// An error: a launch does not fit its kernel, or the sets have other inputs or outputs than extents. Ends the use of this
  /// object.
  Result<DeployPlan> finish();

  /// Without their contents; one at least where there is a plan.
  const std::vector<ModelPackage> &packages() const { return m_packages; }
  /// Of all sets together, once the plan is finished.
  uint64_t memoryBytes() const { return m_memoryBytes; }

private:
  struct Constant {
    /// In the weights.
    uint64_t offset = 0, size = 0, checksum = 0;
    /// That it fills in memory, over and over.
    uint64_t bytes = 0;
    /// Behind the largest set.
    uint64_t at = 0;
  };
  size_t constantOf(const ModelBuffer &buffer);
  void place(ModelPackage &package, const std::vector<std::optional<size_t>> &constants) const;

  std::vector<ModelPackage> m_packages;
  /// Of each buffer of each package.
  std::vector<std::vector<std::optional<size_t>>> m_constantOf;
  std::vector<Constant> m_constants;
  /// By the checksum of their contents.
  std::multimap<uint64_t, size_t> m_known;
  std::string m_weights;
  /// Of the largest set.
  uint64_t m_setBytes = 0;
  uint64_t m_constantBytes = 0, m_memoryBytes = 0;
};

/// Of one set of shapes.
Result<DeployPlan> deployPlan(const ModelPackage &package);

} // namespace tilescope::profiler
