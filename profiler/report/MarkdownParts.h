// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>
#include <string_view>

namespace tilescope::profiler {

/// Text as Markdown shows it, on one line: what would be markup is escaped.
std::string markdown(std::string_view text);
/// The sections of a profile; empty when there is none.
std::string profileMarkdown(const ReportKernel &kernel);

} // namespace tilescope::profiler
