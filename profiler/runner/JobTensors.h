// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensors of a job in files: what they begin with, what they are compared with, where they are left.
#pragma once

#include "profiler/collect/RunPackage.h"

#include <nlohmann/json.hpp>
#include <string>

namespace tilescope::profiler {

/// A folder that was asked for and is not there would pass as one that has nothing to say.
Status checkFolders(const nlohmann::json &params);

/// Writes the tensors before and after the run, where that is asked for.
Status dumpAll(const nlohmann::json &params, RunOutcome &outcome);

/// Compares outputs with the files of the folder `compare`.
Status compareOutputs(const nlohmann::json &params, const KernelPackage &package,
                      RunOutcome &outcome);

/// The folder of the tensors that begin with given contents; one of our own goes with this object.
class InputFolder {
public:
  ~InputFolder() {
    std::error_code fault;
    if (!m_own.empty())
      std::filesystem::remove_all(m_own, fault);
  }
  Status open(const nlohmann::json &params, const LaunchPlan &plan);
  const std::string &path() const { return m_path; }

private:
  std::string m_path;
  std::string m_own;
};

} // namespace tilescope::profiler
