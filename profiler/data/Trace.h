// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A trace inside a kernel: when each warp of a few programs reached which operation.
///
/// The compiler puts clock reads around operations (`trace.mark`), which give them scopes:
///
///     clock 100  begins 1        a load
///     clock 112  ends 1          spans: 1 from 100 to 112
///     clock 530  begins 2        the wait for it
///     clock 640  ends 2          2 from 530 to 640; the load was under way from 112 to 640
namespace tilescope::profiler {

/// What a scope's operation does.
enum class TraceKind : uint8_t {
  /// Reads or changes global memory with registers as the other side.
  Load,
  /// Starts an asynchronous copy.
  Copy,
  /// Until asynchronous work is done, or a load's value is there.
  Wait,
  /// Multiplies matrices.
  Product,
  /// Warps wait for each other.
  Barrier,
  Store,
  /// Threads hand values to each other: reductions, scans, conversions of layouts.
  Exchange,
};
inline constexpr size_t kNumTraceKinds = 7;

/// `load`, `copy`, …, as options and documents name it.
std::string_view traceKindName(TraceKind kind);
std::optional<TraceKind> traceKindNamed(std::string_view name);
/// `Loads`, `Copies`, …: what users read.
std::string_view traceKindTitle(TraceKind kind);

/// An operation that is timed.
struct TraceScope {
  /// From 1.
  uint32_t id = 0;
  TraceKind kind = TraceKind::Load;
  /// `ttg.async_wait`.
  std::string operation;
  /// Empty: not known.
  std::string file;
  /// From 0.
  std::optional<uint32_t> line;
  std::optional<uint32_t> column;
  /// The queue of work under way that the scope adds to or waits for; 0: none.
  uint32_t queue = 0;
  /// Pieces of work that are in the queue from the scope's end on.
  uint32_t starts = 0;
  /// At the scope's end so many pieces are left in the queue, at most.
  std::optional<uint32_t> leaves;
  bool operator==(const TraceScope &) const = default;
};

/// What a kernel that was compiled with clock reads writes, and where.
struct TraceTable {
  std::vector<TraceScope> scopes;
  /// Of the grid, x fastest, in the order of their parts of the scratch.
  std::vector<int64_t> programs;
  /// Warps of a program (of all blocks of its cluster), likewise.
  std::vector<int32_t> warps;
  /// Of each warp; a power of two. Newer ones replace older ones.
  int32_t records = 0;
  bool operator==(const TraceTable &) const = default;

  const TraceScope *scope(uint32_t id) const;
  /// Bytes of scratch for all programs.
  int64_t scratchBytes() const;
};

/// Before the records of each warp:
///
///     offset 0   kTraceMagic once the program runs   uint32, little-endian, as all
///     offset 4   multiprocessor                      uint32
///     offset 8   time at the start, in ns            uint64
///     offset 16  clock at the start                  uint64
///     offset 24  time at the end                     uint64
///     offset 32  clock at the end; 0: not reached    uint64
///     offset 40  records that were written           uint32
///
/// A record is the clock's lower half, then the scope that ended (upper 16 bits) and the one that
/// began (lower 16 bits); 0: none.
inline constexpr int64_t kTraceHeaderBytes = 64, kTraceRecordBytes = 8;
inline constexpr uint32_t kTraceMagic = 0x31435254;
/// More slow-down than this, and a trace says little about the kernel as it is.
inline constexpr double kMostTraceSlowdown = 0.15;

/// In cycles from the start of its warp; `end` is not before `begin`.
struct TraceSpan {
  uint32_t scope = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  bool operator==(const TraceSpan &) const = default;
};

struct TraceWarp {
  int64_t program = 0;
  int32_t warp = 0;
  int32_t multiprocessor = 0;
  /// Cycles from the first warp's start, by the device's timer; on one multiprocessor by its clock.
  uint64_t start = 0;
  /// From start to end; 0: the end was not recorded.
  uint64_t cycles = 0;
  /// Of the records, all that were written and those that newer ones have replaced.
  uint64_t records = 0;
  uint64_t lost = 0;
  /// What the warp executed, in the order of their beginnings.
  std::vector<TraceSpan> spans;
  /// Asynchronous work: from the end of the scope that started it to the end of the one that waited
  /// for it.
  std::vector<TraceSpan> underWay;
  bool operator==(const TraceWarp &) const = default;
};

struct TraceData {
  TraceTable table;
  /// Medians of launches of both kernels in turn.
  double plainUs = 0;
  double tracedUs = 0;
  /// `tracedUs / plainUs - 1`.
  double slowdown = 0;
  /// Every bit of every output is the plain kernel's; absent where that one's own differ from launch
  /// to launch.
  std::optional<bool> outputsEqual;
  /// Of the multiprocessors while the trace was recorded.
  std::optional<double> clockMhz;
  bool coldL2 = true;
  std::vector<TraceWarp> warps;
  bool operator==(const TraceData &) const = default;
};

} // namespace tilescope::profiler
