// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/analysis/SweepLog.h"

#include <string>

namespace tilescope::app {

/// The folder of a sweep: `points.jsonl` grows while it runs, whatever ends it; `points.csv` and
/// `report.html` are written at its end.
class SweepFolder {
public:
  /// A new one. A folder that holds a sweep already is an error.
  static Result<SweepFolder> make(const std::string &path, const profiler::Sweep &sweep,
                                  const std::string &identity);
  /// Goes on with one: `sweep` gets the results that it holds. A sweep of something else is an
  /// error; a last line that was cut off goes.
  static Result<SweepFolder> resume(const std::string &path, profiler::Sweep &sweep,
                                    const std::string &identity);

  SweepFolder(SweepFolder &&other) noexcept;
  SweepFolder &operator=(SweepFolder &&) = delete;
  ~SweepFolder();

  /// Appends the line of a point.
  Status add(const profiler::Sweep &sweep, size_t point, const profiler::TimeRounds &rounds);
  Status writeReports(const profiler::Sweep &sweep, const std::string &generator,
                      const std::string &created) const;
  std::string reportPath() const { return m_path + "/report.html"; }

private:
  SweepFolder(std::string path, int log) : m_path(std::move(path)), m_log(log) {}

  Status append(const std::string &line) const;

  std::string m_path;
  int m_log;
  /// The line of the device as it was written last.
  std::string m_deviceLine;
};

} // namespace tilescope::app
