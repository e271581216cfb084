// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/ReportForms.h"

#include "profiler/formats/ChromeTrace.h"
#include "profiler/formats/NcuCsv.h"
#include "profiler/formats/ProtonTrace.h"
#include "profiler/formats/ProtonTree.h"
#include "profiler/formats/TritonParse.h"

#include <algorithm>
#include <array>

namespace tilescope::profiler {

static constexpr std::array<ReportForm, 10> kForms = {
    {{".html", "page", htmlReport},
     {".htm", "page", htmlReport},
     {".trace.json", "trace for Perfetto and Chrome", chromeTrace, FormNeeds::Times},
     {".chrome_trace", "trace inside the kernel, as Proton writes it", protonTrace,
      FormNeeds::Trace},
     {".json", "everything as JSON", jsonReport},
     {".md", "Markdown", markdownReport},
     {".ncu.csv", "counters as Nsight Compute names them", ncuCsv, FormNeeds::Times},
     {".csv", "figures as a table", csvReport},
     {".hatchet", "tree of times, as Proton writes it", protonTree, FormNeeds::Times},
     {".ndjson", "events of tritonparse", tritonParse, FormNeeds::Compile}}};

std::span<const ReportForm> reportForms() { return kForms; }

const ReportForm *reportForm(std::string_view fileName) {
  const auto *found = std::ranges::find_if(
      kForms, [&](const ReportForm &form) { return fileName.ends_with(form.ending); });
  return found == kForms.end() ? nullptr : found;
}

static bool isTimed(const ReportKernel &kernel) {
  return kernel.measurement && kernel.measurement->timeSource != TimeSource::Interpreter &&
         (kernel.measurement->timeUs || kernel.measurement->counters);
}

static bool isTraced(const ReportKernel &kernel) {
  return kernel.measurement && kernel.measurement->trace;
}

static bool isCompiled(const ReportKernel &kernel) { return !kernel.stages.empty(); }

Result<std::string> renderReport(const ReportData &data, const ReportForm &form) {
  const auto lack = [&](const std::string &what, const std::string &cure) {
    return Error{ErrorCode::InvalidInput,
                 "`*" + std::string(form.ending) + "` holds nothing else than " + what, cure};
  };
  if (form.needs == FormNeeds::Times && std::ranges::none_of(data.kernels, isTimed))
    return lack("what a GPU measured, and none did", "`--on cuda` measures");
  if (form.needs == FormNeeds::Trace && std::ranges::none_of(data.kernels, isTraced))
    return lack("a trace inside a kernel, and there is none", "`--trace` records one on a GPU");
  if (form.needs == FormNeeds::Compile && std::ranges::none_of(data.kernels, isCompiled))
    return lack("what compiles leave, and no kernel was compiled",
                "a report of the kernel's own file compiles it");
  return form.render(data);
}

} // namespace tilescope::profiler
