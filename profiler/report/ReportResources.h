// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string_view>

namespace tilescope::profiler {

/// The files of resources/report, built into the library.
extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;

} // namespace tilescope::profiler
