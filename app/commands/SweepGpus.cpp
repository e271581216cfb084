// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepGpus.h"

#include "app/commands/RunnerClient.h"
#include "app/commands/SelectionOptions.h"
#include "app/commands/TellHooks.h"

#include <algorithm>

namespace tilescope::app {

namespace {
/// One value of `--on` taken apart: a machine, and the devices of it that were named.
struct Asked {
  /// `cuda`, `ssh://host`, `cpu`.
  std::string machine;
  /// Numbers, or `all`; empty: the first.
  std::vector<std::string> devices;
};
} // namespace

static Asked takeApart(const std::string &text) {
  Asked asked{text, {}};
  size_t split = std::string::npos;
  if (text.starts_with("cuda:"))
    split = 4;
  else if (text.starts_with("ssh://"))
    split = text.find('/', 6);
  if (split == std::string::npos || split + 1 >= text.size())
    return asked;
  asked.machine = text.substr(0, split);
  for (const std::string_view device : splitAtCommas(std::string_view(text).substr(split + 1)))
    asked.devices.emplace_back(device);
  return asked;
}

static std::string placeOf(const Asked &asked, const std::string &device) {
  return asked.machine + (asked.machine == "cuda" ? ":" : "/") + device;
}

/// The devices that were named, of those that a machine has.
static Status addDevices(const Asked &asked, const std::vector<profiler::DeviceInfo> &devices,
                         std::vector<SweepGpu> &gpus) {
  std::vector<std::string> names = asked.devices;
  if (names.empty())
    names.emplace_back("0");
  if (names == std::vector<std::string>{"all"}) {
    names.clear();
    for (const profiler::DeviceInfo &device : devices)
      names.push_back(std::to_string(device.ordinal));
  }
  for (const std::string &name : names) {
    if (name.empty())
      return Error{ErrorCode::Usage, "`" + placeOf(asked, name) + "` is not a place to run",
                   "several GPUs are written `cuda:0,2` or `ssh://host/0,2`"};
    const Result<RunPlace> place = parseRunPlace(placeOf(asked, name));
    if (!place)
      return place.error();
    const auto found = std::ranges::find(devices, place->device, &profiler::DeviceInfo::ordinal);
    if (found == devices.end())
      return Error{ErrorCode::Environment,
                   "`" + asked.machine + "` has no GPU " + name + ": it has " +
                       std::to_string(devices.size()),
                   "`tilescope gpus --on " + asked.machine + "` lists them"};
    const auto isSame = [&](const SweepGpu &gpu) {
      return gpu.place == *place || (!found->uuid.empty() && gpu.uuid == found->uuid);
    };
    if (std::ranges::none_of(gpus, isSame))
      gpus.push_back({*place, found->name, found->uuid, targetOf(*found)});
  }
  return {};
}

Result<std::vector<SweepGpu>> sweepGpus(const std::vector<std::string> &where,
                                        std::optional<double> timeLimit) {
  std::vector<Asked> all;
  for (const std::string &text : where)
    all.push_back(takeApart(text));
  const bool isSingle =
      all.size() == 1 &&
      (all[0].devices.empty() || (all[0].devices.size() == 1 && all[0].devices[0] != "all"));
  if (where.empty() || isSingle) {
    const Result<RunPlace> place = parseRunPlace(where.empty() ? "" : where[0], timeLimit);
    if (!place)
      return place.error();
    return std::vector<SweepGpu>{{*place}};
  }
  std::vector<SweepGpu> gpus;
  for (const Asked &asked : all) {
    const Result<RunPlace> machine = parseRunPlace(asked.machine, timeLimit);
    if (!machine)
      return machine.error();
    if (machine->kind == RunPlace::Kind::Cpu)
      return Error{ErrorCode::Usage, "the interpreter does not measure beside GPUs",
                   "`--on cpu` cannot be combined with other places"};
    const auto devices = runnerDevices(*machine, tellingHooks(), timeLimit);
    if (!devices)
      return devices.error();
    if (Status status = addDevices(asked, *devices, gpus); !status)
      return status.error();
  }
  if (gpus.empty())
    return Error{ErrorCode::Environment, "there is no GPU to measure on", ""};
  return gpus;
}

std::vector<std::string> modelsOf(const std::vector<SweepGpu> &gpus) {
  std::vector<std::string> models;
  for (const SweepGpu &gpu : gpus)
    if (std::ranges::find(models, gpu.model) == models.end())
      models.push_back(gpu.model);
  return models.size() > 1 ? models : std::vector<std::string>();
}

std::string placesText(const std::vector<SweepGpu> &gpus) {
  std::string text;
  for (const SweepGpu &gpu : gpus)
    text += (text.empty() ? "" : ", ") + runPlaceText(gpu.place);
  return text;
}

} // namespace tilescope::app
