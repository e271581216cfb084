// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// The forms a kernel takes on its way to the machine, in order; StageKinds.def lists them.
enum class StageId : uint8_t {
#define TILESCOPE_STAGE(id, ...) id,
#include "compiler/artifacts/StageKinds.def"
#undef TILESCOPE_STAGE
};

/// What views and commands ask of a stage.
namespace stage_trait {
inline constexpr unsigned Text = 1, Document = 2, Metered = 4, Gpu = 8, Cpu = 16;
} // namespace stage_trait

/// A row of StageKinds.def.
struct StageKind {
  StageId id{};
  /// Used on the command line and as file ending.
  std::string_view name;
  /// What users read.
  std::string_view title;
  /// What the stage is, in a few words.
  std::string_view description;
  unsigned traits = 0;

  constexpr bool has(unsigned trait) const { return (traits & trait) != 0; }
};

/// All stages, in order.
inline constexpr auto kStageKinds = [] {
  using namespace stage_trait;
  return std::to_array<StageKind>({
#define TILESCOPE_STAGE(id, name, title, description, traits)                                      \
  {StageId::id, name, title, description, traits},
#include "compiler/artifacts/StageKinds.def"
#undef TILESCOPE_STAGE
  });
}();
inline constexpr int kNumStages = static_cast<int>(kStageKinds.size());

/// The stages with a trait, in order.
inline std::vector<StageId> stagesWith(unsigned trait) {
  std::vector<StageId> stages;
  for (const StageKind &kind : kStageKinds)
    if (kind.has(trait))
      stages.push_back(kind.id);
  return stages;
}

constexpr const StageKind &stageKind(StageId id) { return kStageKinds[static_cast<size_t>(id)]; }
constexpr std::string_view stageName(StageId id) { return stageKind(id).name; }
constexpr std::string_view stageTitle(StageId id) { return stageKind(id).title; }

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
  /// Of all spilled registers, stored and loaded back.
  int64_t spillBytes = -1;
  int64_t threads = -1;
  /// Of these bytes, those that are loaded back: a value that is stored once may be loaded several times.
  int64_t spillLoadBytes = -1;
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
