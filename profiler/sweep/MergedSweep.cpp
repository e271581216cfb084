// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/sweep/MergedSweep.h"

#include "profiler/sweep/SweepTasks.h"
#include "profiler/sweep/TaskLog.h"

#include <cmath>
#include <limits>

namespace tilescope::profiler {

static constexpr size_t kMostPoints = size_t(1) << 26;
/// Different works, GPUs and reasons: beyond, they have no name.
static constexpr size_t kMostNames = 100'000;

static float compactOf(const std::optional<double> &value) {
  return value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
}

static int32_t compactOf(const std::optional<int64_t> &value) {
  return value ? static_cast<int32_t>(
                     std::clamp<int64_t>(*value, -1, std::numeric_limits<int32_t>::max()))
               : -1;
}

static std::optional<double> plainOf(float value) {
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

static std::optional<int64_t> plainOf(int32_t value) {
  return value < 0 ? std::nullopt : std::optional<int64_t>(value);
}

static MergedPoint nothing() {
  MergedPoint point;
  point.medianUs = point.minUs = point.maxUs = point.gbPerS = point.tflopPerS = point.occupancy =
      std::numeric_limits<float>::quiet_NaN();
  point.registers = point.spillBytes = point.sharedBytes = point.threads = point.gpu = -1;
  return point;
}

MergedSweep::MergedSweep(Sweep sweep, size_t numTasks, std::string identity)
    : m_sweep(std::move(sweep)), m_identity(std::move(identity)),
      m_points(countPoints(m_sweep.axes, kMostPoints), nothing()), m_tasks(numTasks), m_names(1) {
  m_sweep.points.clear();
  m_ids.emplace("", 0);
}

uint32_t MergedSweep::idOf(const std::string &name) {
  const auto [at, isNew] = m_ids.try_emplace(name, static_cast<uint32_t>(m_names.size()));
  if (!isNew)
    return at->second;
  if (m_names.size() == kMostNames) {
    m_ids.erase(at);
    return 0;
  }
  m_names.push_back(name);
  return at->second;
}

MergedPoint MergedSweep::compact(const SweepPoint &point) {
  MergedPoint merged = nothing();
  merged.medianUs = compactOf(point.medianUs);
  merged.minUs = compactOf(point.minUs);
  merged.maxUs = compactOf(point.maxUs);
  merged.gbPerS = compactOf(point.gbPerS);
  merged.tflopPerS = compactOf(point.tflopPerS);
  merged.occupancy = compactOf(point.occupancy);
  merged.registers = compactOf(point.registers);
  merged.spillBytes = compactOf(point.spillBytes);
  merged.sharedBytes = compactOf(point.sharedBytes);
  merged.threads = compactOf(point.threads);
  merged.gpu = compactOf(point.gpu);
  merged.work = idOf(point.work);
  merged.model = idOf(point.model);
  merged.place = idOf(point.place);
  merged.uuid = idOf(point.uuid);
  merged.reason = idOf(point.reason);
  merged.status = point.status;
  return merged;
}

SweepPoint MergedSweep::point(size_t index, const MergedPoint &merged) const {
  SweepPoint point = sweepPointAt(m_sweep.axes, index);
  point.status = merged.status;
  point.reason = name(merged.reason);
  point.work = name(merged.work);
  point.registers = plainOf(merged.registers);
  point.spillBytes = plainOf(merged.spillBytes);
  point.sharedBytes = plainOf(merged.sharedBytes);
  point.threads = plainOf(merged.threads);
  point.occupancy = plainOf(merged.occupancy);
  point.medianUs = plainOf(merged.medianUs);
  point.minUs = plainOf(merged.minUs);
  point.maxUs = plainOf(merged.maxUs);
  point.gbPerS = plainOf(merged.gbPerS);
  point.tflopPerS = plainOf(merged.tflopPerS);
  point.model = name(merged.model);
  point.place = name(merged.place);
  point.gpu = plainOf(merged.gpu);
  point.uuid = name(merged.uuid);
  return point;
}

static bool isDecided(SweepStatus status) {
  return status != SweepStatus::Open && status != SweepStatus::Compiled;
}

Status MergedSweep::take(size_t task, size_t index, const SweepPoint &point) {
  if (index >= m_points.size())
    return Error{ErrorCode::InvalidInput, "there is no point " + std::to_string(index), ""};
  if (point.values != sweepPointAt(m_sweep.axes, index).values)
    return Error{ErrorCode::InvalidInput, "point " + std::to_string(index) + " has other values",
                 ""};
  const MergedPoint merged = compact(point);
  MergedPoint &known = m_points[index];
  if (!isDecided(known.status)) {
    m_tasks[task].numDecided += isDecided(merged.status);
    known = merged;
    return {};
  }
  // A second run begins with what it compiled.
  if (!isDecided(merged.status))
    return {};
  if (known.model == merged.model || merged.model == 0 || known.model == 0) {
    known = merged.model == 0 && known.model != 0 ? known : merged;
    return {};
  }
  const auto [begin, end] = m_more.equal_range(index);
  for (auto each = begin; each != end; ++each)
    if (each->second.model == merged.model) {
      each->second = merged;
      return {};
    }
  m_more.emplace(index, merged);
  return {};
}

Status MergedSweep::add(size_t task, std::string_view log) {
  TaskState &state = m_tasks[task];
  const auto take = [&](const TaskLine &line) -> Status {
    if (const auto *begin = std::get_if<TaskBegin>(&line)) {
      if (begin->identity != m_identity || begin->task != task || begin->numTasks != m_tasks.size())
        return Error{ErrorCode::InvalidInput, "it is of another sweep", ""};
      ++state.numBegun;
      state.fault = 0;
    } else if (const auto *point = std::get_if<TaskPoint>(&line)) {
      return this->take(task, point->index, point->point);
    } else if (const auto *copy = std::get_if<TaskCopy>(&line)) {
      if (copy->copyGbPerS)
        m_sweep.copyByModel[copy->device] =
            std::max(m_sweep.copyByModel[copy->device], *copy->copyGbPerS);
    } else if (const auto *fault = std::get_if<TaskFault>(&line)) {
      state.fault = idOf(fault->message);
    } else if (const auto *done = std::get_if<TaskDone>(&line)) {
      state.seconds = static_cast<float>(done->seconds);
    }
    return {};
  };
  const Result<size_t> read = readTaskLog(log, take);
  return read ? Status() : Status(read.error());
}

bool MergedSweep::isDone(size_t task) const {
  return m_tasks[task].numDecided == taskSize(m_points.size(), task, m_tasks.size());
}

void MergedSweep::forEach(
    const std::function<void(size_t index, const MergedPoint &point)> &visit) const {
  for (size_t i = 0; i < m_points.size(); ++i) {
    visit(i, m_points[i]);
    if (m_more.empty())
      continue;
    const auto [begin, end] = m_more.equal_range(i);
    for (auto each = begin; each != end; ++each)
      visit(i, each->second);
  }
}

} // namespace tilescope::profiler
