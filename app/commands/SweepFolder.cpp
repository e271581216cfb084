// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepFolder.h"

#include "profiler/data/FileIo.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/report/SweepReport.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace tilescope::app {

static constexpr const char *kLogName = "points.jsonl";

static Error systemError(const std::string &path, int number) {
  return {ErrorCode::Environment, "cannot write `" + path + "`: " + std::strerror(number), ""};
}

SweepFolder::SweepFolder(SweepFolder &&other) noexcept
    : m_path(std::move(other.m_path)), m_log(std::exchange(other.m_log, -1)) {}

SweepFolder::~SweepFolder() {
  if (m_log >= 0)
    close(m_log);
}

static Result<int> openLog(const std::string &path, int flags) {
  const int log = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
  if (log < 0)
    return systemError(path, errno);
  return log;
}

Result<SweepFolder> SweepFolder::make(const std::string &path, const profiler::Sweep &sweep,
                                      const std::string &identity) {
  const Result<profiler::OutputFolder> folder = profiler::OutputFolder::make(path);
  if (!folder)
    return folder.error();
  const std::string logPath = path + "/" + kLogName;
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(logPath, ignored)))
    return Error{ErrorCode::Usage, "`" + path + "` already holds a sweep",
                 "`--resume " + path + "` goes on with it"};
  const Result<int> log = openLog(logPath, O_CREAT | O_EXCL);
  if (!log)
    return log.error();
  SweepFolder made(path, *log);
  if (Status status = made.append(profiler::sweepHeaderLine(sweep, identity)); !status)
    return status.error();
  return made;
}

Result<SweepFolder> SweepFolder::resume(const std::string &path, profiler::Sweep &sweep,
                                        const std::string &identity) {
  const std::string logPath = path + "/" + kLogName;
  const Result<std::string> text = profiler::readTextFile(logPath);
  if (!text)
    return Error{text.error().code, "`" + path + "` holds no sweep: " + text.error().message,
                 "`-o " + path + "` begins one"};
  Result<profiler::SweepLog> read = profiler::readSweepLog(*text);
  if (!read)
    return Error{read.error().code, "`" + logPath + "`: " + read.error().message, ""};
  if (read->identity != identity || read->sweep.axes != sweep.axes ||
      read->sweep.models != sweep.models)
    return Error{ErrorCode::Usage, "`" + path + "` holds a sweep of something else",
                 "file, axes, selection and place must be the same; `-o` begins a new one"};
  const Result<int> log = openLog(logPath, 0);
  if (!log)
    return log.error();
  SweepFolder folder(path, *log);
  if (ftruncate(*log, static_cast<off_t>(read->numBytes)) != 0)
    return systemError(logPath, errno);
  sweep.points = std::move(read->sweep.points);
  sweep.device = std::move(read->sweep.device);
  sweep.copyGbPerS = read->sweep.copyGbPerS;
  sweep.copyByModel = std::move(read->sweep.copyByModel);
  return folder;
}

Status SweepFolder::append(const std::string &line) const {
  const int fault = profiler::writeAll(m_log, line);
  if (fault == 0)
    return {};
  Error error = systemError(m_path + "/" + kLogName, fault);
  error.hint = "what was written before is kept: `--resume " + m_path + "` goes on with it";
  return error;
}

Status SweepFolder::add(const profiler::Sweep &sweep, size_t point,
                        const profiler::TimeRounds &rounds) {
  const std::string device = sweep.device.empty() ? "" : profiler::sweepDeviceLine(sweep);
  if (device != m_deviceLine) {
    if (Status status = append(device); !status)
      return status;
    m_deviceLine = device;
  }
  return append(profiler::sweepPointLine(point, sweep.points[point], rounds));
}

Status SweepFolder::writeReports(const profiler::Sweep &sweep, const std::string &generator,
                                 const std::string &created) const {
  const Result<profiler::OutputFolder> folder = profiler::OutputFolder::open(m_path);
  if (!folder)
    return folder.error();
  if (Status status = folder->write("points.csv", profiler::sweepCsv(sweep)); !status)
    return status;
  return folder->write("report.html", profiler::sweepHtml(sweep, generator, created));
}

} // namespace tilescope::app
