// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a report, or as a file of another tool: what is accepted can be opened, and written
// in every form, and its JSON can be read again.
#include "app/exchange/RecordedSource.h"
#include "profiler/formats/Recording.h"
#include "profiler/formats/ReportForms.h"
#include "profiler/report/ReadReport.h"
#include "tests/fuzz/Check.h"

using namespace tilescope;
using namespace tilescope::profiler;
using tilescope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto recording = readRecording({reinterpret_cast<const char *>(data), size});
  if (!recording)
    return 0;
  if (!*recording) {
    require(!recording->error().message.empty(), "a refusal has a message");
    return 0;
  }
  const ReportData &report = (*recording)->data;
  for (const ReportForm &form : reportForms())
    if (const Result<std::string> text = renderReport(report, form); !text)
      require(form.needs != FormNeeds::Nothing, "a page and a table need nothing");
  const Result<ReportData> again = readReport(jsonReport(report));
  require(bool(again), "what is written can be read");
  require(again->kernels.size() == report.kernels.size(), "no kernel is lost");
  for (const ReportKernel &kernel : report.kernels) {
    require(app::recordedSource(kernel).has_value() == !kernel.source.empty(),
            "a recorded source can be opened");
    require(app::recordedRun(kernel).has_value() || !kernel.measurement,
            "a recorded measurement can be shown");
  }
  return 0;
}
