// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/MemoryTraffic.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tilescope::compiler::estimate {

/// Which part of L2 keeps what is used again: the rest holds what passes through.
static constexpr double kKeptOfL2 = 0.6;

namespace {
/// What is read of one array.
struct ArrayReads {
  double arrayBytes = -1;
  int loads = 0;
  /// Whole sectors; and what of them is used, without what a request asks for twice.
  double fetched = 0, used = 0;
  /// Through L1.
  double cached = 0;
  /// What a program reads of it, each byte once.
  double ofProgram = 0;
  /// All programs read the same.
  bool isShared = false;
  double pastL1 = 1, pastL2 = 1;

  double fromL2() const { return fetched - cached * (1 - pastL1); }
};
} // namespace

static bool isRead(MemoryAction action) {
  return action == MemoryAction::GlobalLoad || action == MemoryAction::AsyncCopy;
}

static bool isAtomic(MemoryAction action) {
  return action == MemoryAction::GlobalAtomic || action == MemoryAction::GlobalReduction;
}

static double bytesOf(const TrafficInput &input, const std::string &argument) {
  const auto found = input.arrayBytes.find(argument);
  return found == input.arrayBytes.end() ? -1 : static_cast<double>(found->second);
}

static double capped(double bytes, double arrayBytes) {
  return arrayBytes > 0 ? std::min(bytes, arrayBytes) : bytes;
}

static std::map<std::string, ArrayReads> readsOf(const TrafficInput &input) {
  std::map<std::string, ArrayReads> arrays;
  for (const AccessFacts &access : input.memory->accesses) {
    if (!isRead(access.action))
      continue;
    ArrayReads &reads = arrays[access.argument];
    reads.arrayBytes = bytesOf(input, access.argument);
    ++reads.loads;
    reads.fetched += static_cast<double>(access.counts.bytesFetched);
    reads.used += static_cast<double>(access.counts.bytesUsed);
    // Copies of 16 bytes a lane go past L1.
    if (access.action == MemoryAction::GlobalLoad || access.vectorBytes < 16)
      reads.cached += static_cast<double>(access.counts.bytesFetched);
  }
  const auto programs = static_cast<double>(std::max<uint64_t>(1, input.memory->programs));
  for (auto &[name, reads] : arrays) {
    // Loads of one array by one program are of the same elements, unless the array is larger than
    // all of them need.
    const double once = reads.used / programs / reads.loads;
    const double share = reads.arrayBytes > 0 ? reads.arrayBytes / programs : once;
    reads.ofProgram =
        capped(std::min(reads.used / programs, std::max(once, share)), reads.arrayBytes);
    reads.isShared = reads.arrayBytes > 0 && reads.ofProgram > 0.9 * reads.arrayBytes;
  }
  return arrays;
}

static void findL1Shares(const TrafficInput &input, const DeviceRates &device,
                         std::map<std::string, ArrayReads> &arrays) {
  const auto programs = static_cast<double>(std::max<uint64_t>(1, input.memory->programs));
  const double atOnce = std::min<double>(
      input.programsPerSm, std::max(1.0, programs / std::max(1, device.multiprocessors)));
  // What the driver takes of it for every program is small beside the rest.
  const double room = device.l1Bytes - atOnce * static_cast<double>(input.sharedBytes);
  double needed = 0;
  for (const auto &[name, reads] : arrays)
    if (reads.cached > 0)
      needed += reads.ofProgram * (reads.isShared ? 1 : atOnce);
  // With twice as much as there is room for, all is gone before it is needed again.
  const double kept = needed <= 0 ? 0 : std::clamp(2 - needed / std::max(room, 1.0), 0.0, 1.0);
  for (auto &[name, reads] : arrays) {
    if (reads.cached <= 0)
      continue;
    const double times =
        reads.isShared ? std::min<double>(programs, device.multiprocessors) : programs;
    const double least = std::min(1.0, times * reads.ofProgram / reads.cached);
    reads.pastL1 = kept * least + (1 - kept);
  }
}

/// Bytes of the different tiles that each wave of programs loads, and of all.
static std::pair<double, double> waveBytes(const TrafficInput &input, const DeviceRates &device) {
  const std::vector<ProgramFacts> &programs = *input.programs;
  const size_t wave =
      static_cast<size_t>(std::max(1, device.multiprocessors) * std::max(1, input.programsPerSm));
  double sum = 0, all = 0;
  std::set<std::pair<uint32_t, int64_t>> seen;
  for (size_t begin = 0; begin < programs.size(); begin += wave) {
    std::set<std::pair<uint32_t, int64_t>> inWave;
    for (size_t i = begin; i < std::min(programs.size(), begin + wave); ++i)
      for (const ProgramFacts::Tile &tile : programs[i].tiles) {
        const std::pair key(tile.load, tile.address);
        const auto bytes = static_cast<double>(tile.bytes);
        sum += inWave.insert(key).second ? bytes : 0;
        all += seen.insert(key).second ? bytes : 0;
      }
  }
  return {sum, all};
}

static void findL2Shares(const TrafficInput &input, const DeviceRates &device,
                         std::map<std::string, ArrayReads> &arrays) {
  double once = 0;
  for (auto &[name, reads] : arrays)
    once += capped(reads.fromL2(), reads.arrayBytes);
  double again = 1;
  const double kept = once > 0 ? std::min(1.0, kKeptOfL2 * device.l2Bytes / once) : 1;
  if (kept < 1 && input.programs && !input.programs->empty()) {
    const auto [waves, all] = waveBytes(input, device);
    if (all > 0)
      again = 1 + (waves / all - 1) * (1 - kept);
  }
  for (auto &[name, reads] : arrays) {
    const double fromL2 = reads.fromL2();
    // What is requested only once is not found again.
    const double fromDram = std::min(fromL2, again * capped(fromL2, reads.arrayBytes));
    reads.pastL2 = fromL2 > 0 ? fromDram / fromL2 : 1;
  }
}

static void addWrites(const TrafficInput &input, MemoryTraffic &traffic) {
  std::map<std::string, double> written, changed, turns;
  for (const AccessFacts &access : input.memory->accesses) {
    const auto bytes = static_cast<double>(access.counts.bytesFetched);
    if (access.action == MemoryAction::GlobalStore) {
      written[access.argument] += bytes;
      traffic.l2WriteBytes += bytes;
    } else if (isAtomic(access.action)) {
      changed[access.argument] += bytes;
      traffic.atomicSectors += static_cast<double>(access.counts.sectors);
      turns[access.argument] += static_cast<double>(access.counts.sectors);
    }
  }
  for (const auto &[argument, bytes] : written)
    traffic.dramWriteBytes += capped(bytes, bytesOf(input, argument));
  for (const auto &[argument, bytes] : changed) {
    const double once = capped(bytes, bytesOf(input, argument));
    traffic.dramReadBytes += once;
    traffic.dramWriteBytes += once;
    // As if all sectors of an array were met equally often.
    constexpr double kSectorBytes = 32;
    if (const double sectors = std::max(1.0, once / kSectorBytes); once > 0)
      traffic.atomicTurns = std::max(traffic.atomicTurns, turns[argument] / sectors);
  }
}

MemoryTraffic memoryTraffic(const TrafficInput &input, const DeviceRates &device) {
  std::map<std::string, ArrayReads> arrays = readsOf(input);
  findL1Shares(input, device, arrays);
  findL2Shares(input, device, arrays);
  MemoryTraffic traffic;
  for (const auto &[name, reads] : arrays) {
    traffic.l2ReadBytes += reads.fromL2();
    traffic.dramReadBytes += reads.fromL2() * reads.pastL2;
  }
  addWrites(input, traffic);
  for (const AccessFacts &access : input.memory->accesses) {
    AccessShares shares;
    if (const auto found = arrays.find(access.argument);
        found != arrays.end() && isRead(access.action))
      shares = {found->second.pastL1, found->second.pastL2};
    traffic.shares.push_back(shares);
  }
  return traffic;
}

double unevenness(const std::vector<ProgramFacts> &programs, const DeviceRates &device) {
  const size_t numBusy =
      std::min(programs.size(), static_cast<size_t>(std::max(1, device.multiprocessors)));
  if (numBusy == 0)
    return 1;
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> done;
  for (size_t i = 0; i < numBusy; ++i)
    done.push(0);
  uint64_t all = 0, most = 0;
  for (const ProgramFacts &program : programs) {
    const uint64_t lines = done.top() + program.lines;
    done.pop();
    done.push(lines);
    most = std::max(most, lines);
    all += program.lines;
  }
  const double average =
      static_cast<double>(all) / static_cast<double>(programs.size()) *
      std::ceil(static_cast<double>(programs.size()) / static_cast<double>(numBusy));
  return average > 0 ? std::max(1.0, static_cast<double>(most) / average) : 1;
}

} // namespace tilescope::compiler::estimate
