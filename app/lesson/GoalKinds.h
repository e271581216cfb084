// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"

namespace tilescope::app {

/// What must be known of a kernel to check a goal, in the order in which it is found out: what costs
/// little comes first.
enum class GoalNeeds : uint8_t {
  /// The text alone.
  Text,
  /// The launch, and TTIR.
  Launch,
  /// What accesses cost.
  Counts,
  /// Who holds which element.
  Layouts,
  /// What some programs touch.
  Touches,
  /// What a run in the interpreter shows.
  Run,
  /// LLVM IR: on the way there all faults are found but those of assembly in the kernel.
  Lowering,
  Ptx,
  /// What the assembler tells.
  MachineCode,
  /// What registers hold where the most are alive, and what is in shared memory.
  Pressure,
  /// What the launch takes, beside a baseline.
  Time,
  /// Hints, which read the machine code and try what they propose.
  Hints,
};

/// Which bound a goal must state.
enum class GoalBound : uint8_t { None, AtMost, AtLeast, Either };

/// What holds for all goals of a kind.
struct GoalKindFacts {
  GoalKind kind{};
  /// The `kind` in lesson.toml: `sectors-per-request`.
  std::string_view id;
  GoalBound bound{};
  GoalNeeds needs{};
};

const GoalKindFacts &goalKindFacts(GoalKind kind);
/// Nothing: there is no such kind.
std::optional<GoalKind> findGoalKind(std::string_view id);
/// All ids, separated by commas.
std::string goalKindNames();

} // namespace tilescope::app
