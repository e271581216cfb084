// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// What one launch did at each instruction, as code that CUPTI adds to the kernel counts it. The
/// counts are exact: they do not depend on clocks, caches or other users of the device.
namespace tilescope::profiler {

/// Of an instruction, or of all instructions of a line.
struct ExecutionCounts {
  /// Instructions of warps.
  uint64_t executed = 0;
  /// Threads that were active at them, and those of these whose predicate held.
  uint64_t threads = 0;
  uint64_t threadsOn = 0;
  /// Of global memory, of 32 bytes: touched by each request, and the fewest for as many bytes. Absent
  /// where it does not access it.
  std::optional<uint64_t> sectors = std::nullopt;
  std::optional<uint64_t> idealSectors = std::nullopt;
  /// Passes through the banks of shared memory, and the fewest. Absent likewise.
  std::optional<uint64_t> wavefronts = std::nullopt;
  std::optional<uint64_t> idealWavefronts = std::nullopt;
  bool operator==(const ExecutionCounts &) const = default;

  void add(const ExecutionCounts &other);
  /// Of the active threads those that a predicate has switched off, from 0 to 1.
  double shareOff() const;
};

struct InstructionExecutions {
  /// Bytes from the start of the function, as SASS shows it.
  uint32_t offset = 0;
  ExecutionCounts counts;
  bool operator==(const InstructionExecutions &) const = default;
};

struct LineExecutions {
  /// Of the document that was compiled, from 0.
  uint32_t line = 0;
  ExecutionCounts counts;
  bool operator==(const LineExecutions &) const = default;
};

struct ExecutionData {
  /// Of the kernel, by offset.
  std::vector<InstructionExecutions> instructions;
  /// Where the source is known: the lines with instructions, in order.
  std::vector<LineExecutions> lines;
  bool operator==(const ExecutionData &) const = default;

  /// Of all instructions.
  ExecutionCounts total() const;
};

} // namespace tilescope::profiler
