// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunPlace.h"

#include "app/commands/RunnerClient.h"

#include <algorithm>
#include <charconv>
#include <unistd.h>

namespace tilescope::app {

static Result<int> parseDevice(std::string_view text) {
  int device = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), device);
  if (error != std::errc() || end != text.data() + text.size() || device < 0)
    return Error{ErrorCode::Usage, "`" + std::string(text) + "` is not a device number", ""};
  return device;
}

Result<RunPlace> parseRunPlace(const std::string &text, std::optional<double> timeLimit) {
  RunPlace place;
  if (text.empty()) {
    const Result<std::string> target = targetAt({RunPlace::Kind::Cuda, 0}, timeLimit);
    place.kind = target && !target->empty() ? RunPlace::Kind::Cuda : RunPlace::Kind::Cpu;
    return place;
  }
  if (text == "cpu")
    return place;
  std::string_view device;
  if (text == "cuda" || text.starts_with("cuda:")) {
    place.kind = RunPlace::Kind::Cuda;
    device = std::string_view(text).substr(std::min<size_t>(text.size(), 5));
  } else if (text.starts_with("ssh://")) {
    place.kind = RunPlace::Kind::Ssh;
    const size_t slash = text.find('/', 6);
    place.host = text.substr(6, slash == std::string::npos ? slash : slash - 6);
    if (slash != std::string::npos)
      device = std::string_view(text).substr(slash + 1);
  }
  // A host that begins with a dash would be an option of ssh.
  if (place.kind == RunPlace::Kind::Cpu ||
      (place.kind == RunPlace::Kind::Ssh && (place.host.empty() || place.host[0] == '-')))
    return Error{ErrorCode::Usage, "`" + text + "` is not a place to run",
                 "places are cpu, cuda, cuda:N, ssh://[user@]host"};
  if (!device.empty()) {
    const Result<int> number = parseDevice(device);
    if (!number)
      return number.error();
    place.device = *number;
  }
  return place;
}

std::string runPlaceText(const RunPlace &place) {
  switch (place.kind) {
  case RunPlace::Kind::Cpu:
    return "cpu";
  case RunPlace::Kind::Cuda:
    return "cuda:" + std::to_string(place.device);
  case RunPlace::Kind::Ssh:
    return "ssh://" + place.host + (place.device > 0 ? "/" + std::to_string(place.device) : "");
  }
  return {};
}

Error withoutGpu(const std::string &where, const std::string &verb) {
  const std::string cure = "an NVIDIA GPU with its driver can " + verb +
                           ", on this machine or on another: `--on ssh://host`";
  if (where == "cpu")
    return {ErrorCode::Usage,
            "`--on cpu` cannot " + verb + ": the interpreter's times say nothing about a GPU",
            cure};
  return {ErrorCode::Environment, "there is no GPU to " + verb + " on", cure};
}

Result<std::optional<RunPlace>> parseMeasurePlace(const std::string &where) {
  if (where.empty())
    return std::optional<RunPlace>();
  Result<RunPlace> place = parseRunPlace(where);
  if (!place)
    return place.error();
  if (place->kind == RunPlace::Kind::Cpu)
    return withoutGpu(where, "measure");
  return std::optional(std::move(*place));
}

std::string targetOf(const profiler::DeviceInfo &device) {
  const int capability = device.computeMajor * 10 + device.computeMinor;
  for (const int known : {80, 86, 89, 90, 100, 120})
    if (capability == known)
      return "cuda:" + std::to_string(capability);
  return {};
}

static bool hasDriver() {
  // Asking the driver takes a while; without its device file the answer is known.
  return access("/dev/nvidiactl", F_OK) == 0;
}

Result<std::string> targetAt(const RunPlace &place, std::optional<double> timeLimit) {
  if (place.kind == RunPlace::Kind::Cpu || (place.kind == RunPlace::Kind::Cuda && !hasDriver()))
    return std::string();
  const Result<std::vector<profiler::DeviceInfo>> devices = runnerDevices(place, {}, timeLimit);
  if (!devices)
    return place.kind == RunPlace::Kind::Ssh ? Result<std::string>(devices.error())
                                             : Result<std::string>(std::string());
  const auto index = static_cast<size_t>(place.device);
  return index < devices->size() ? targetOf(devices->at(index)) : std::string();
}

} // namespace tilescope::app
