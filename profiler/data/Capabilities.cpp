// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Capabilities.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/JsonFields.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/ProfileJson.h"

#include <array>
#include <cstdio>

namespace tilescope::profiler {

using nlohmann::json;

template <typename Way, typename Library> static void libraryFields(Way way, Library &library) {
  way.field("folder", library.folder);
  way.field("fault", library.fault);
  way.field("hint", library.hint);
}

template <typename Way, typename State> static void stateFields(Way way, State &state) {
  way.field("busy_percent", state.busyPercent);
  way.field("used_memory_bytes", state.usedMemoryBytes);
  way.field("temperature_c", state.temperatureC);
  way.field("power_w", state.powerW);
}

template <typename Way, typename Machine> static void machineFields(Way way, Machine &machine) {
  way.field("host", machine.host);
  way.field("system", machine.system);
  way.field("processors", machine.numProcessors);
  way.field("load", machine.load);
  way.field("driver_release", machine.driverRelease);
}

json capabilitiesToJson(const Capabilities &capabilities) {
  json object = json::object();
  machineFields(JsonFieldWriter{object}, capabilities);
  object["driver"] = object["cupti"] = json::object();
  libraryFields(JsonFieldWriter{object["driver"]}, capabilities.driver);
  libraryFields(JsonFieldWriter{object["cupti"]}, capabilities.cupti);
  if (capabilities.counters)
    object["refusals"] = refusalsToJson({*capabilities.counters});
  object["devices"] = json::array();
  for (const DeviceState &state : capabilities.devices) {
    json device = deviceToJson(state.info);
    stateFields(JsonFieldWriter{device}, state);
    object["devices"].push_back(std::move(device));
  }
  return object;
}

Capabilities capabilitiesFromJson(const json &object) {
  Capabilities capabilities;
  machineFields(JsonFieldReader{object}, capabilities);
  if (object.contains("driver"))
    libraryFields(JsonFieldReader{object.at("driver")}, capabilities.driver);
  if (object.contains("cupti"))
    libraryFields(JsonFieldReader{object.at("cupti")}, capabilities.cupti);
  if (object.contains("refusals"))
    for (Refusal &refusal : refusalsFromJson(object.at("refusals")))
      capabilities.counters = std::move(refusal);
  for (const json &device : object.at("devices")) {
    DeviceState state{deviceFromJson(device)};
    stateFields(JsonFieldReader{device}, state);
    capabilities.devices.push_back(std::move(state));
  }
  return capabilities;
}

template <typename... Values> static std::string format(const char *pattern, Values... values) {
  std::array<char, 256> text = {};
  std::snprintf(text.data(), text.size(), pattern, values...);
  return text.data();
}

static std::string libraryLine(const char *name, const LibraryState &library) {
  std::string line = name;
  if (library.fault.empty())
    return line + (library.folder.empty() ? "available" : library.folder) + "\n";
  line += library.fault;
  return line + (library.hint.empty() ? "" : " (" + library.hint + ")") + "\n";
}

static std::string deviceLine(const DeviceState &state) {
  const DeviceInfo &info = state.info;
  std::string line = format("GPU %-4d  ", info.ordinal) + info.name +
                     format(", compute capability %d.%d", info.computeMajor, info.computeMinor);
  if (info.memoryBytes > 0)
    line += format(", %.1f GiB", double(info.memoryBytes) / 0x1p30);
  if (state.usedMemoryBytes)
    line += format(" (%.1f in use)", *state.usedMemoryBytes / 0x1p30);
  if (state.busyPercent)
    line += format(", busy %.0f %%", *state.busyPercent);
  if (state.temperatureC)
    line += format(", %.0f °C", *state.temperatureC);
  return line + (info.uuid.empty() ? "" : ", " + info.uuid) + "\n";
}

std::string capabilitiesText(const Capabilities &capabilities) {
  std::string text = "machine   " + capabilities.host + ": " + capabilities.system;
  if (capabilities.numProcessors > 0)
    text += format(", %d processors", int(capabilities.numProcessors));
  if (capabilities.load)
    text += format(", load %.2f", *capabilities.load);
  text += "\n";
  if (!capabilities.driverRelease.empty())
    text += "driver    " + capabilities.driverRelease + "\n";
  if (!capabilities.devices.empty())
    if (const int version = capabilities.devices.front().info.driverVersion; version > 0)
      text += format("CUDA      %d.%d\n", version / 1000, version % 1000 / 10);
  text += libraryLine("libcuda   ", capabilities.driver);
  text += libraryLine("CUPTI     ", capabilities.cupti);
  if (capabilities.counters)
    text += "counters  " + capabilities.counters->reason +
            (capabilities.counters->cure.empty() ? "" : "; " + capabilities.counters->cure) + "\n";
  else if (!capabilities.devices.empty() && capabilities.cupti.fault.empty())
    text += "counters  allowed\n";
  for (const DeviceState &state : capabilities.devices)
    text += deviceLine(state);
  return text + (capabilities.devices.empty() ? "no GPU\n" : "");
}

/// `2 × NVIDIA H100, NVIDIA A100`; devices of one name that follow each other are one.
static std::string deviceNames(const std::vector<DeviceState> &devices) {
  std::string names;
  for (size_t i = 0; i < devices.size();) {
    size_t end = i;
    while (end < devices.size() && devices[end].info.name == devices[i].info.name)
      ++end;
    names += names.empty() ? "" : ", ";
    if (end - i > 1)
      names += format("%zu × ", end - i);
    names += devices[i].info.name;
    i = end;
  }
  return names;
}

std::string capabilitiesLine(const Capabilities &capabilities) {
  std::string line = capabilities.host + ": ";
  if (capabilities.devices.empty())
    return line + "no GPU" +
           (capabilities.driver.fault.empty() ? "" : "; " + capabilities.driver.fault);
  line += deviceNames(capabilities.devices);
  if (!capabilities.driverRelease.empty())
    line += "; driver " + capabilities.driverRelease;
  if (!capabilities.cupti.fault.empty())
    line += "; no CUPTI";
  else
    line += capabilities.counters ? "; no counters: " + capabilities.counters->reason
                                  : "; counters allowed";
  if (capabilities.load)
    line += format("; load %.2f", *capabilities.load);
  return line;
}

} // namespace tilescope::profiler
