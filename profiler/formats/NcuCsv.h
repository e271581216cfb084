// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Measurement.h"
#include "profiler/report/ReportData.h"

#include <string>
#include <string_view>
#include <vector>

/// The tables of Nsight Compute. It prints two forms. `ncu --csv --page raw` has a row for each
/// launch, a column for each metric, and units in a row of their own below the head:
///
///     "ID",…,"Kernel Name",…,"dram__bytes_read.sum","gpu__time_duration.sum"
///     "",…,"",…,"Mbyte","us"
///     "0",…,"copy",…,"268.44","126.30"
///
/// `ncu --csv` has a row for each metric of each launch, with the metric's label or name:
///
///     "ID",…,"Kernel Name",…,"Section Name","Metric Name","Metric Unit","Metric Value"
///     "0",…,"copy",…,"GPU Speed Of Light Throughput","Duration","us","126.30"
namespace tilescope::profiler {

/// Whether a table begins in the text. What programs print before it does not matter.
bool isNcuCsv(std::string_view text);

/// A measurement of each launch, with the counters that our table has under the names that it has
/// (`Metrics.def`). Each says how many other metrics the file has. The error has the line.
Result<std::vector<Measurement>> readNcuCsv(std::string_view text);

/// The counters of a report's measurements as `ncu --csv --page raw --print-units base` prints
/// them.
std::string ncuCsv(const ReportData &data);

} // namespace tilescope::profiler
