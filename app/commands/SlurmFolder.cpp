// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SlurmFolder.h"

#include "profiler/analysis/SweepLog.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/OutputFolder.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace tilescope::app {

using nlohmann::json;

static constexpr const char *kTasksName = "tasks.jsonl";
static constexpr size_t kTasksPerFolder = 1000;
static constexpr size_t kMostTasks = 10'000'000;

static Status appendLine(const std::string &path, const std::string &line, int flags) {
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
  const int fault = file < 0 ? errno : profiler::writeAll(file, line);
  if (file >= 0)
    close(file);
  if (fault == 0)
    return {};
  return Error{ErrorCode::Environment, "cannot write `" + path + "`: " + std::strerror(fault), ""};
}

std::string SlurmFolder::taskPath(size_t task) const {
  std::array<char, 64> name = {};
  std::snprintf(name.data(), name.size(), "/tasks/%03zu/%06zu.jsonl", task / kTasksPerFolder, task);
  return m_path + name.data();
}

Result<SlurmFolder> SlurmFolder::make(const std::string &path, const profiler::Sweep &sweep,
                                      const std::string &identity, size_t numTasks) {
  const Result<profiler::OutputFolder> made = profiler::OutputFolder::make(path);
  if (!made)
    return made.error();
  SlurmFolder folder;
  std::error_code fault;
  folder.m_path = std::filesystem::absolute(path, fault).string();
  for (const char *name : {kTasksName, "points.jsonl"})
    if (std::filesystem::exists(std::filesystem::symlink_status(folder.m_path + "/" + name, fault)))
      return Error{ErrorCode::Usage, "`" + path + "` already holds a sweep",
                   "`--resume " + path + "` goes on with it"};
  for (size_t task = 0; task < numTasks; task += kTasksPerFolder) {
    const auto parent = std::filesystem::path(folder.taskPath(task)).parent_path();
    std::filesystem::create_directories(parent, fault);
    if (fault)
      return Error{ErrorCode::Environment,
                   "cannot make `" + parent.string() + "`: " + fault.message(), ""};
  }
  folder.m_sweep = sweep;
  folder.m_identity = identity;
  folder.m_numTasks = numTasks;
  const std::string head =
      profiler::sweepHeaderLine(sweep, identity) + json{{"tasks", numTasks}}.dump() + "\n";
  if (Status status = appendLine(folder.m_path + "/" + kTasksName, head, O_CREAT | O_EXCL); !status)
    return status.error();
  return folder;
}

Result<SlurmFolder> SlurmFolder::open(const std::string &path) {
  const std::string file = path + "/" + kTasksName;
  const Result<std::string> text = profiler::readTextFile(file);
  if (!text)
    return Error{text.error().code,
                 "`" + path + "` holds no sweep of Slurm: " + text.error().message,
                 "`-o " + path + "` begins one"};
  SlurmFolder folder;
  std::error_code fault;
  folder.m_path = std::filesystem::absolute(path, fault).string();
  size_t number = 0;
  for (size_t begin = 0;; ++number) {
    const size_t end = text->find('\n', begin);
    if (end == std::string::npos)
      break;
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    if (number == 0) {
      Result<profiler::SweepLog> header = profiler::readSweepHeader(line);
      if (!header)
        return Error{header.error().code, "`" + file + "`: " + header.error().message, ""};
      folder.m_identity = header->identity;
      folder.m_sweep = std::move(header->sweep);
      continue;
    }
    const Result<bool> read =
        profiler::readJson(line, "a line of a sweep", [&](const json &object) {
          if (object.contains("tasks"))
            folder.m_numTasks = profiler::jsonAs<size_t>(object.at("tasks"));
          else
            folder.m_arrays.push_back({profiler::jsonAs<std::string>(object.at("job")),
                                       profiler::jsonAs<size_t>(object.at("first"))});
          return true;
        });
    if (!read)
      return Error{
          read.error().code,
          "`" + file + "`: line " + std::to_string(number + 1) + " is " + read.error().message, ""};
  }
  if (folder.m_numTasks == 0 || folder.m_numTasks > kMostTasks)
    return Error{ErrorCode::InvalidInput, "`" + file + "` does not say how many tasks there are",
                 ""};
  return folder;
}

Status SlurmFolder::check(const std::string &identity) const {
  if (identity == m_identity)
    return {};
  return Error{ErrorCode::Usage, "`" + m_path + "` holds a sweep of something else",
               "file, axes and selection must be the same; `-o` begins a new one"};
}

Status SlurmFolder::add(const SubmittedArray &array) {
  m_arrays.push_back(array);
  return appendLine(m_path + "/" + kTasksName,
                    json{{"job", array.job}, {"first", array.first}}.dump() + "\n", 0);
}

} // namespace tilescope::app
