// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CudaDriver.h"
#include "profiler/package/LaunchPlan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// Tensors of several packages on one device. Arguments of the same shape, type and contents are one
/// tensor: where memory lies changes times by more than what is looked for, and many configurations
/// of a kernel would not fit beside each other.
class TensorPool {
public:
  /// As `RunOptions::inputFolder`: contents that go by the argument's name.
  explicit TensorPool(std::string inputFolder) : m_inputFolder(std::move(inputFolder)) {}

  /// The address of the equal tensor of another package; nothing when there is none, or when
  /// `taken` has it already.
  std::optional<DeviceAddress> find(const PlanArgument &argument,
                                    const std::map<std::string, DeviceAddress> &taken) const;
  /// What the argument begins with, which is made once; `at`: where it lies.
  Result<Tensor> initial(const PlanArgument &argument, DeviceAddress at);

private:
  struct Entry {
    PlanArgument argument;
    DeviceAddress address = 0;
    Tensor initial;
  };
  std::string m_inputFolder;
  std::vector<Entry> m_entries;
};

} // namespace tilescope::profiler
