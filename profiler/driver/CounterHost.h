// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/Grant.h"

#include <memory>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// What CUPTI knows of the counters of chips. Needs no device.
class CounterHost {
public:
  virtual ~CounterHost() = default;

  /// `GH100`, …
  virtual Grant<std::vector<std::string>> chips() = 0;
  /// Those of the metrics that a chip has, in the order given.
  virtual Grant<std::vector<std::string>> known(const std::string &chip,
                                                const std::vector<std::string> &metrics) = 0;
  /// How many launches it takes to collect them all.
  virtual Grant<int> numPasses(const std::string &chip,
                               const std::vector<std::string> &metrics) = 0;
};

Grant<std::unique_ptr<CounterHost>> loadCounterHost();

} // namespace tilescope::profiler
