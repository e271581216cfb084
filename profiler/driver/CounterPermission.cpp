// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CounterPermission.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

namespace tilescope::profiler {

namespace fs = std::filesystem;

static std::string readAll(const fs::path &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What follows `key` on its line; empty without one.
static std::string_view valueOf(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos)
    return {};
  std::string_view rest = text.substr(at + key.size());
  rest = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.find_first_not_of(": \t"), rest.size()));
  return rest;
}

std::optional<bool> parseAdminOnly(std::string_view params) {
  const std::string_view value = valueOf(params, "RmProfilingAdminOnly");
  if (value.empty())
    return std::nullopt;
  return value.front() != '0';
}

uint64_t parseCapabilities(std::string_view status) {
  const std::string_view value = valueOf(status, "CapEff");
  uint64_t bits = 0;
  std::from_chars(value.data(), value.data() + value.size(), bits, 16);
  return bits;
}

bool holdsCounters(std::string_view program) {
  static constexpr auto kHolders = std::to_array<std::string_view>(
      {"nv-hostengine", "dcgm-exporter", "dcgmproftester", "ncu", "nsys", "nv-nsight-cu-cli",
       "nsight-sys", "tilescope-runner"});
  // The kernel cuts names to 15 bytes.
  constexpr size_t kLongest = 15;
  return std::ranges::any_of(
      kHolders, [&](std::string_view holder) { return program == holder.substr(0, kLongest); });
}

namespace {
struct ProcessStat {
  int parent = 0;
  bool isZombie = false;
};
} // namespace

/// Of the text of /proc/PID/stat: `7 (name of a program) S 1 …`.
static ProcessStat parseStat(const std::string &text) {
  ProcessStat stat;
  std::istringstream rest(text.substr(std::min(text.rfind(')'), text.size() - 1) + 1));
  char state = 0;
  rest >> state >> stat.parent;
  stat.isZombie = state == 'Z';
  return stat;
}

std::vector<std::string> counterHolders(const fs::path &processes, int family) {
  struct Holder {
    int process;
    std::string program;
  };
  std::map<int, int> parents;
  std::vector<Holder> candidates;
  std::error_code fault;
  for (auto at = fs::directory_iterator(processes, fault); !fault && at != fs::directory_iterator();
       at.increment(fault)) {
    const std::string number = at->path().filename();
    int process = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), process).ec != std::errc())
      continue;
    const std::string text = readAll(at->path() / "stat");
    if (text.empty())
      continue;
    const ProcessStat stat = parseStat(text);
    parents[process] = stat.parent;
    std::string program = readAll(at->path() / "comm");
    program.resize(std::min(program.find('\n'), program.size()));
    if (holdsCounters(program) && !stat.isZombie)
      candidates.push_back({process, program});
  }
  const auto isRelative = [&](int process) {
    // A process that ends meanwhile can leave a chain that does not end.
    for (size_t steps = 0; process > 0 && steps <= parents.size(); ++steps) {
      if (process == family)
        return true;
      const auto found = parents.find(process);
      process = found == parents.end() ? 0 : found->second;
    }
    return false;
  };
  std::set<std::string> holders;
  for (const Holder &candidate : candidates)
    if (!isRelative(candidate.process))
      holders.insert(candidate.program);
  return {holders.begin(), holders.end()};
}

CounterSurroundings readSurroundings() {
  constexpr unsigned kSysAdmin = 21, kPerfmon = 38;
  CounterSurroundings surroundings;
  surroundings.adminOnly = parseAdminOnly(readAll("/proc/driver/nvidia/params"));
  const uint64_t capabilities = parseCapabilities(readAll("/proc/self/status"));
  surroundings.hasSysAdmin = (capabilities >> kSysAdmin & 1) != 0;
  surroundings.hasPerfmon = (capabilities >> kPerfmon & 1) != 0;
  std::error_code fault;
  surroundings.isContainer =
      fs::exists("/.dockerenv", fault) || fs::exists("/run/.containerenv", fault);
  // This process and the runner that started it hold nothing while they ask.
  surroundings.holders = counterHolders("/proc", getppid());
  return surroundings;
}

static std::string permissionCure(const CounterSurroundings &surroundings) {
  const std::string setting =
      "on the host, the option `NVreg_RestrictProfilingToAdminUsers=0` of the module `nvidia` "
      "(in /etc/modprobe.d, then reload the driver) lets every user profile";
  if (surroundings.isContainer)
    return "start the container with `--cap-add=SYS_ADMIN` (with driver 565 or later "
           "`--cap-add=PERFMON` is enough); or " +
           setting;
  if (surroundings.hasSysAdmin)
    return "this process is privileged, but not on the host that owns the driver; " + setting;
  return "run as root, or give the runner CAP_PERFMON (driver 565 or later); or " + setting;
}

static std::string busyCure(const CounterSurroundings &surroundings) {
  std::string names;
  for (const std::string &holder : surroundings.holders)
    names += (names.empty() ? "`" : ", `") + holder + "`";
  const bool isDcgm = std::ranges::any_of(surroundings.holders, [](const std::string &holder) {
    return holder.starts_with("nv-hostengine") || holder.starts_with("dcgm");
  });
  if (isDcgm)
    return names + " may hold them: `dcgmi profile --pause` releases them, and "
                   "`dcgmi profile --resume` gives them back";
  if (!names.empty())
    return names + " may hold them: wait until it is done";
  return "end the other profiler; if DCGM runs on the host, `dcgmi profile --pause` there releases "
         "the counters";
}

Refusal explainRefusal(ProfileRung rung, const DriverRefusal &refusal,
                       const CounterSurroundings &surroundings) {
  const std::string what = rung == ProfileRung::Samples      ? "sampling"
                           : rung == ProfileRung::Executions ? "counts of instructions"
                                                             : "the hardware counters";
  const std::string words = refusal.words.empty() ? "" : " (" + refusal.words + ")";
  switch (refusal.kind) {
  case RefusalKind::NotPermitted:
    return {rung, refusal.kind,
            "the driver lets only administrators use " + what +
                (surroundings.adminOnly.value_or(false)
                     ? ": `RmProfilingAdminOnly: 1` in /proc/driver/nvidia/params"
                     : words),
            permissionCure(surroundings)};
  case RefusalKind::Busy:
    return {rung, refusal.kind, "another tool holds " + what + words, busyCure(surroundings)};
  case RefusalKind::DeviceUnsupported:
    return {rung, refusal.kind, refusal.words,
            "use a whole device, without vGPU, MIG or confidential computing"};
  case RefusalKind::OutOfMemory:
    return {rung, refusal.kind, "there is no memory for " + what + words,
            "make the sizes smaller, or end what else uses the device"};
  case RefusalKind::LibraryMissing:
    return {rung, refusal.kind, refusal.words,
            "CUPTI comes with the CUDA Toolkit (libcupti.so.13 or .12, with libnvperf_host.so "
            "beside it); LD_LIBRARY_PATH may name its folder"};
  case RefusalKind::LibraryTooOld:
    return {rung, refusal.kind, refusal.words, "install CUPTI of CUDA 12.6 or later"};
  case RefusalKind::Interrupted:
  case RefusalKind::Distorted:
  case RefusalKind::Other:
    return {rung, refusal.kind, refusal.words, ""};
  }
  return {rung, refusal.kind, refusal.words, ""};
}

} // namespace tilescope::profiler
