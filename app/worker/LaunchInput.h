// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchPlan.h"

#include <map>
#include <string>

namespace tilescope::app {

/// The value as the interpreter takes it: integers extended, floats as the bits of their own width.
uint64_t scalarBits(const profiler::PlanScalar &scalar, const std::string &type);

/// The tensors of a launch as they begin. `failed`: the argument that no tensor could be made for.
Status makeTensors(const profiler::LaunchPlan &plan, const std::string &inputFolder,
                   std::map<std::string, profiler::Tensor> &tensors, std::string &failed);

/// Whether the launch puts no data into a tensor: what the kernel does not write is then nothing.
bool beginsEmpty(const profiler::LaunchPlan &plan, const std::string &inputFolder,
                 const std::string &name);

using TensorsByName = std::map<std::string, profiler::Tensor>;

/// Tensors before a run. Where they take little they are kept, since to make them once more takes longer
/// than many a run.
class InitialTensors {
public:
  explicit InitialTensors(const TensorsByName &tensors);

  /// Whether the argument's tensor holds something else than before; also where that cannot be made.
  bool differsFrom(const profiler::Tensor &now, const profiler::PlanArgument &argument,
                   const std::string &inputFolder) const;

private:
  TensorsByName m_kept;
};

} // namespace tilescope::app
