// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/WriteReport.h"

#include "app/commands/PrintPage.h"
#include "profiler/data/FileIo.h"
#include "profiler/formats/ReportForms.h"

namespace tilescope::app {

static bool isPdf(const std::string &path) { return path.ends_with(".pdf"); }

std::string reportEndings() {
  std::string endings;
  for (const profiler::ReportForm &form : profiler::reportForms())
    endings += std::string(form.ending) + ", ";
  return endings + "or .pdf";
}

Status checkReportName(const std::string &path) {
  if (isPdf(path) || profiler::reportForm(path) != nullptr)
    return {};
  return Error{ErrorCode::Usage, "`" + path + "` does not name a known report format",
               "reports end in " + reportEndings()};
}

Status writeReport(const profiler::ReportData &data, const std::string &path) {
  if (Status status = checkReportName(path); !status)
    return status;
  const Result<std::string> bytes = isPdf(path) ? printPage(profiler::htmlReport(data))
                                                : renderReport(data, *profiler::reportForm(path));
  if (!bytes)
    return bytes.error();
  return profiler::writeFile(path, *bytes);
}

} // namespace tilescope::app
