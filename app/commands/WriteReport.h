// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/report/ReportData.h"

#include <string>

namespace tilescope::app {

/// The endings that say in which form a report is written: `.html, .pdf, …`.
std::string reportEndings();

/// An error unless the ending of the file's name is one of those.
Status checkReportName(const std::string &path);

/// Writes a report in the form that the ending of the file's name asks for.
Status writeReport(const profiler::ReportData &data, const std::string &path);

} // namespace tilescope::app
