// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/report/ReportData.h"

#include <nlohmann/json_fwd.hpp>
#include <string_view>

/// Reports that were written before, by this program or an older one.
namespace tilescope::profiler {

/// What a report holds, from its page (`.html`) or its JSON form. Pictures are not in it: they are
/// made anew from the kernel. The error says where the report is not one, or that a newer program
/// has written it.
Result<ReportData> readReport(std::string_view text);

/// Whether JSON claims to be a report, of whatever version.
bool isReport(const nlohmann::json &document);
/// As `readReport`, of JSON that has been parsed.
Result<ReportData> reportFromJson(const nlohmann::json &document);

/// Whether a page holds a report's data.
bool isReportPage(std::string_view text);

} // namespace tilescope::profiler
