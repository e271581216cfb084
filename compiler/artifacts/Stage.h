// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// The forms a kernel takes on its way to the machine, in order.
enum class StageId : uint8_t { Ast, Ttir, Ttgir, LlvmIr, Ptx, Cubin, Sass };
inline constexpr int kNumStages = 7;

/// The name used on the command line and as file ending: `ast ttir ttgir llir ptx cubin sass`.
std::string_view stageName(StageId id);
/// The name people read: `AST TTIR TTGIR LLVM IR PTX cubin SASS`.
std::string_view stageTitle(StageId id);

/// Which source ranges a line of a stage's text came from. A line that came from an inlined call
/// lists the innermost place first, then its callers.
struct LineMapping {
  /// Line of the stage's text, 0-based.
  uint32_t line = 0;
  std::vector<SourceRange> sources;
  bool operator==(const LineMapping &) const = default;
};

/// Sorted by line; a line without an entry has no known origin.
struct SourceMap {
  std::vector<LineMapping> lines;
  bool operator==(const SourceMap &) const = default;
};

/// One pass that took part in making a stage.
struct PassRecord {
  StageId stage{};
  std::string name;
  int64_t durationNs = 0;
  bool changed = false;
  bool failed = false;
  /// IR after the pass; only where the request asked for it and the pass changed something.
  std::string ir;
  SourceMap irMap;
};

/// What the machine code needs. -1: not known on this machine.
struct Resources {
  int64_t registers = -1;
  int64_t sharedBytes = -1;
  int64_t spillBytes = -1;
  int64_t threads = -1;
  bool operator==(const Resources &) const = default;
};

/// One finished (or failed) stage. For cubin `text` holds the binary's bytes.
struct Stage {
  StageId id{};
  bool ok = false;
  /// Taken from the cache: `durationNs` is then what it cost when it was made.
  bool cached = false;
  int64_t durationNs = 0;
  std::string text;
  SourceMap sourceMap;
};

} // namespace tilescope::compiler
