// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Executions.h"
#include "profiler/data/Profile.h"
#include "profiler/formats/ncu_report.pb.h"

#include <map>
#include <optional>
#include <string_view>

namespace tilescope::profiler {

/// A launch's metrics by their names in the file.
using NcuMetrics = std::map<std::string_view, const ncu::Metric *>;

std::optional<double> ncuValue(const ncu::Value &value);

/// The samples of a launch, by instruction and reason. Nothing: it was not sampled.
std::optional<SampleData> ncuSamples(const NcuMetrics &metrics);

/// What was counted at each instruction. Nothing: nothing was.
std::optional<ExecutionData> ncuExecutions(const NcuMetrics &metrics);

} // namespace tilescope::profiler
