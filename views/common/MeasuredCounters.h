// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "profiler/data/Measurement.h"

#include <QString>

#include <memory>

namespace tilescope::views {

/// A measurement of the launch that a view shows; null: there is none.
using MeasurementPointer = std::shared_ptr<const profiler::Measurement>;

/// What hardware counters say of all accesses of a launch that are of the same kind as `action`,
/// beside what was counted of them: `Measured 4,096 sectors, 128 requests, as counted · all loads ·
/// NVIDIA H100`. Empty: they were not measured. `counted`: of the whole launch; null: it was not
/// counted.
QString measuredText(const profiler::Measurement &measurement, compiler::MemoryAction action,
                     const compiler::MemoryFacts *counted);

} // namespace tilescope::views
