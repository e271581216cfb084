// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Executions.h"
#include "profiler/data/Profile.h"

#include <unordered_map>

/// What was found at instructions, by the lines that they came from.
namespace tilescope::profiler {

/// The line of the document, from 0, by the offset of the instruction in its function. Instructions
/// that came from elsewhere are missing.
using LineByOffset = std::unordered_map<uint32_t, uint32_t>;

/// Fills `lines` and `mappedShare`.
void addUpLines(SampleData &samples, const LineByOffset &lineAt);

/// Fills `lines`.
void addUpLines(ExecutionData &executions, const LineByOffset &lineAt);

} // namespace tilescope::profiler
