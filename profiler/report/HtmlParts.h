// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>

/// The sections of the HTML page; each returns markup, empty when it has nothing to show.
namespace tilescope::profiler {

/// The one-glance figures of a kernel.
std::string factsHtml(const ReportKernel &kernel);
/// Source and stages side by side. `index` makes element names unique in the page.
std::string codeHtml(const ReportKernel &kernel, size_t index);
std::string messagesHtml(const ReportKernel &kernel);
std::string diagramsHtml(const ReportKernel &kernel);
std::string figureHtml(const ReportDiagram &diagram);
/// What costs more than it needs to.
std::string hintsHtml(const ReportKernel &kernel);
/// What memory accesses cost, and a picture of the most wasteful one.
std::string accessesHtml(const ReportKernel &kernel);
/// What is alive where the most registers are.
std::string registersHtml(const ReportKernel &kernel);
/// What has which bytes of shared memory, and the map of it.
std::string sharedHtml(const ReportKernel &kernel);
/// How loops are pipelined, with their pictures.
std::string loopsHtml(const ReportKernel &kernel);
/// What conversions between layouts cost, why they are there, and a picture of the dearest one.
std::string conversionsHtml(const ReportKernel &kernel);
/// What programs touch of each argument, and a picture of one of them.
std::string programsHtml(const ReportKernel &kernel);
/// Outputs, times, throughput.
std::string resultsHtml(const ReportKernel &kernel);
/// Launch: grid, arguments, constexprs, options.
std::string launchHtml(const ReportKernel &kernel);
std::string compilationHtml(const ReportKernel &kernel);
/// Rows of two cells; empty for no rows.
std::string tableHtml(const std::vector<NamedText> &rows);

} // namespace tilescope::profiler
