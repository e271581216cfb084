// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a report says of each access, loop, buffer, register, conversion and argument of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

struct ReportDiagram {
  std::string title;
  std::string caption;
  /// A complete `<svg>` element that refers to nothing outside.
  std::string svg;
};

/// What one kind of memory access costs, over all programs.
struct ReportAccess {
  /// From 1; 0: not known.
  uint32_t line = 0;
  /// `global load of x_ptr`.
  std::string title;
  /// How wide it is and why not wider; or why it is not counted.
  std::string reason;
  bool isCounted = true;
  bool isShared = false;
  int32_t vectorBytes = 0;
  uint64_t requests = 0;
  /// Of global memory.
  uint64_t sectors = 0;
  uint64_t bytesUsed = 0;
  uint64_t bytesFetched = 0;
  /// Of shared memory.
  uint64_t wavefronts = 0;
  uint64_t minimumWavefronts = 0;
  /// From 0 to 1; nothing for an access that moved nothing.
  std::optional<double> efficiency = std::nullopt;
};

/// A loop, and how it is pipelined.
struct ReportLoop {
  /// From 1; 0: not known.
  uint32_t line = 0;
  /// `line 42: 3 slots, 2 copies an iteration, …`.
  std::string title;
  /// What runs beside what, or why nothing does.
  std::string text;
  bool isPipelined = false;
  std::optional<ReportDiagram> diagram;
};

/// What has bytes of shared memory.
struct ReportSharedBuffer {
  /// From 1; 0: not known.
  uint32_t line = 0;
  /// `a: 3 slots of 64x32xf16`.
  std::string title;
  int64_t offset = 0;
  int64_t bytes = 0;
  /// `lines 12–40`.
  std::string life;
  /// Who has the same bytes at other times.
  std::string sharers;
};

/// Values that are alive where the most registers are, of one line of the source.
struct ReportLiveValue {
  /// From 1; 0: of no line.
  uint32_t line = 0;
  std::string name;
  int32_t registers = 0;
  /// `R24–R55`.
  std::string which;
};

/// Something that costs more than it needs to.
struct ReportHint {
  /// From 1; 0: the whole kernel.
  uint32_t line = 0;
  int32_t rank = 3;
  /// `narrow-access`.
  std::string kind;
  std::string text;
  std::vector<std::string> evidence;
  std::string gain;
  std::string advice;
};

/// A conversion between two layouts.
struct ReportConversion {
  /// From 1; 0: not known.
  uint32_t line = 0;
  /// `fp32[64, 64] · mma → blocked`.
  std::string title;
  /// Of one execution by a program.
  std::string cost;
  /// Which part of the elements moves, and how far.
  std::string moves;
  /// What the layouts are for, and what would make the conversion unnecessary.
  std::string reason;
  bool isInLoop = false;
  /// By all programs.
  uint64_t executions = 0;
};

/// What programs touch of one argument, in words.
struct ReportArray {
  /// `a_ptr [512, 512]`.
  std::string title;
  /// What the program touches that is drawn.
  std::string touched;
  /// How many programs touch each element.
  std::string programs;
};

} // namespace tilescope::profiler
