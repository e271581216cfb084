// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SlurmTasks.h"

#include "app/slurm/SlurmQueue.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace tilescope::app {

using nlohmann::json;
using profiler::MergedSweep;

static constexpr double kSlowFactor = 5, kLeastSlowSeconds = 60;
/// Of lists of tasks in a text for the user, and of those in a document.
static constexpr size_t kLongestList = 300, kMostListed = 10'000;
static constexpr size_t kFaultsShown = 5;

std::vector<size_t> TaskOverview::toResubmit() const {
  std::vector<size_t> tasks;
  std::ranges::merge(lost, slow, std::back_inserter(tasks));
  return tasks;
}

TaskOverview overviewOf(const MergedSweep &merged) {
  TaskOverview overview;
  overview.numTasks = merged.numTasks();
  std::vector<float> seconds;
  for (size_t task = 0; task < merged.numTasks(); ++task) {
    if (!merged.isDone(task)) {
      overview.open.push_back(task);
      continue;
    }
    ++overview.numDone;
    if (merged.task(task).seconds >= 0)
      seconds.push_back(merged.task(task).seconds);
  }
  if (!seconds.empty()) {
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::ranges::nth_element(seconds, middle);
    overview.medianSeconds = *middle;
  }
  return overview;
}

namespace {
/// A task as the queue has it.
struct Queued {
  /// Of `SlurmFolder::arrays`; -1: it is not in the queue.
  int32_t array = -1;
  float seconds = 0;
  bool isRunning = false;
};
} // namespace

Status addQueue(const SlurmFolder &folder, const SlurmOptions &options, const MergedSweep &merged,
                TaskOverview &overview) {
  const std::vector<SubmittedArray> &arrays = folder.arrays();
  std::map<std::string, size_t> arrayOf;
  for (size_t i = 0; i < arrays.size(); ++i)
    arrayOf[arrays[i].job] = i;
  std::vector<Queued> queued(merged.numTasks());
  const Status status = readQueue([&](const QueuedTask &task) {
    const auto array = arrayOf.find(task.job);
    if (array == arrayOf.end() || arrays[array->second].first + task.index >= queued.size())
      return;
    Queued &state = queued[arrays[array->second].first + task.index];
    // Of a task that was submitted again, the run that is on.
    if (state.array < 0 || task.isRunning)
      state = {static_cast<int32_t>(array->second), static_cast<float>(task.seconds),
               task.isRunning};
  });
  if (!status)
    return status;
  overview.isQueueKnown = true;
  overview.slowSeconds = options.slowSeconds;
  if (!overview.slowSeconds && overview.medianSeconds)
    overview.slowSeconds = std::max(kSlowFactor * *overview.medianSeconds, kLeastSlowSeconds);
  for (const size_t task : overview.open) {
    const Queued &state = queued[task];
    if (state.array < 0) {
      overview.lost.push_back(task);
      continue;
    }
    ++(state.isRunning ? overview.numRunning : overview.numWaiting);
    if (!state.isRunning || !overview.slowSeconds || state.seconds <= *overview.slowSeconds)
      continue;
    overview.slow.push_back(task);
    const SubmittedArray &array = arrays[static_cast<size_t>(state.array)];
    std::string &indices = overview.slowByJob[array.job];
    indices += (indices.empty() ? "" : ",") + std::to_string(task - array.first);
  }
  return {};
}

Status cancelSlow(const TaskOverview &overview) {
  for (const auto &[job, indices] : overview.slowByJob)
    if (Status status = cancelTasks(job, indices); !status)
      return status;
  return {};
}

/// `3, 7-9`, cut off where it would become too long.
static std::string listText(const std::vector<size_t> &tasks) {
  std::string text;
  for (const SlurmArray &array : slurmArrays(tasks, std::numeric_limits<uint32_t>::max()))
    text += (text.empty() ? "" : ",") + array.indices;
  if (text.size() > kLongestList) {
    text.resize(text.rfind(',', kLongestList));
    text += ",…";
  }
  std::string spaced;
  for (const char letter : text)
    spaced += letter == ',' ? ", " : std::string(1, letter);
  return spaced;
}

/// What lost tasks ended with, each reason once.
static std::string faultsText(const TaskOverview &overview, const MergedSweep &merged) {
  std::set<uint32_t> told;
  std::string text;
  for (const size_t task : overview.lost) {
    const uint32_t fault = merged.task(task).fault;
    if (fault != 0 && told.size() < kFaultsShown && told.insert(fault).second)
      text += fmt::format("task {}: {}\n", task, merged.name(fault));
  }
  return text;
}

std::string overviewText(const TaskOverview &overview, const MergedSweep &merged) {
  std::string text = fmt::format("tasks     {}: {} done", overview.numTasks, overview.numDone);
  if (!overview.isQueueKnown)
    return text + fmt::format(", {} open; what Slurm has is not known\n", overview.open.size());
  for (const auto &[count, what] : {std::pair(overview.numRunning, "running"),
                                    {overview.numWaiting, "waiting"},
                                    {overview.lost.size(), "lost"}})
    if (count > 0)
      text += fmt::format(", {} {}", count, what);
  text += "\n";
  if (!overview.lost.empty())
    text += "lost      " + listText(overview.lost) + "\n" + faultsText(overview, merged);
  if (!overview.slow.empty())
    text += fmt::format("slow      {}: running for more than {:.0f} s{}\n", listText(overview.slow),
                        *overview.slowSeconds,
                        overview.medianSeconds
                            ? fmt::format("; the median is {:.1f} s", *overview.medianSeconds)
                            : "");
  const size_t numBad = overview.lost.size() + overview.slow.size();
  if (numBad > 0)
    text += overview.isResubmitted ? fmt::format("submitted {} again\n", numBad)
                                   : "`--resubmit` submits them again\n";
  return text;
}

json overviewJson(const TaskOverview &overview) {
  const auto listed = [](std::vector<size_t> tasks) {
    tasks.resize(std::min(tasks.size(), kMostListed));
    return tasks;
  };
  json object = {
      {"total", overview.numTasks}, {"done", overview.numDone}, {"open", overview.open.size()}};
  if (overview.medianSeconds)
    object["median_s"] = *overview.medianSeconds;
  if (overview.isQueueKnown) {
    object["running"] = overview.numRunning;
    object["waiting"] = overview.numWaiting;
    object["num_lost"] = overview.lost.size();
    object["lost"] = listed(overview.lost);
    object["num_slow"] = overview.slow.size();
    object["slow"] = listed(overview.slow);
  }
  object["resubmitted"] =
      overview.isResubmitted ? overview.lost.size() + overview.slow.size() : size_t(0);
  return object;
}

} // namespace tilescope::app
