// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/JunitReport.h"

#include "profiler/data/Text.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::profiler {

/// Printable first: XML has no way to write control characters.
static std::string escaped(const std::string &text) { return escapeHtml(printable(text)); }

static std::string outcomeText(const JunitCase &test) {
  const auto element = [&](const char *name) {
    return fmt::format("      <{} message=\"{}\"/>\n", name, escaped(test.message));
  };
  switch (test.outcome) {
  case JunitCase::Outcome::Passed:
    return {};
  case JunitCase::Outcome::Failed:
    return element("failure");
  case JunitCase::Outcome::Error:
    return element("error");
  case JunitCase::Outcome::Skipped:
    return element("skipped");
  }
  return {};
}

static std::string caseText(const JunitCase &test) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">\n",
                                 escaped(test.classname), escaped(test.name), test.seconds);
  text += outcomeText(test);
  if (!test.output.empty())
    text += fmt::format("      <system-out>{}</system-out>\n", escaped(test.output));
  return text + "    </testcase>\n";
}

std::string renderJunit(const std::string &suite, const std::vector<JunitCase> &cases) {
  const auto count = [&](JunitCase::Outcome outcome) {
    return std::ranges::count(cases, outcome, &JunitCase::outcome);
  };
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
                      "skipped=\"{}\">\n",
                      escaped(suite), cases.size(), count(JunitCase::Outcome::Failed),
                      count(JunitCase::Outcome::Error), count(JunitCase::Outcome::Skipped));
  for (const JunitCase &test : cases)
    text += caseText(test);
  return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace tilescope::profiler
