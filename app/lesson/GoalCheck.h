// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"
#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Hint.h"
#include "compiler/artifacts/SharedFacts.h"
#include "compiler/artifacts/TouchTrace.h"
#include "profiler/data/Measurement.h"

#include <map>

namespace tilescope::app {

enum class GoalVerdict : uint8_t {
  Met,
  NotMet,
  /// Something that is needed to tell is missing on this machine.
  Unknown,
};

/// Where a goal stands, and what shows it.
struct GoalState {
  GoalVerdict verdict = GoalVerdict::Unknown;
  /// A clause: "`x_ptr` takes 32 sectors a request, in line 14".
  std::string evidence;
  /// The place in the learner's file that the evidence is about.
  std::optional<SourceRange> place;
  /// The kernel does not compile, or the run found a fault: an access out of bounds, a race.
  bool isFaulty = false;
  bool operator==(const GoalState &) const = default;
};

/// What registers hold at the instruction at which the most are alive.
struct RegisterPressure {
  /// `SASS`; `PTX` where the machine code cannot be read.
  std::string stage;
  /// Of 32 bits, all of them.
  int registers = 0;
  /// The line that the instruction was made of.
  std::optional<SourceRange> peak;
  struct Share {
    /// The line that writes the values.
    SourceRange place;
    int registers = 0;
    bool operator==(const Share &) const = default;
  };
  /// The largest first.
  std::vector<Share> shares;
  bool operator==(const RegisterPressure &) const = default;
};

/// How long the learner's kernel takes, beside a baseline.
struct TimedAgainst {
  /// As in `LessonBaseline::name`.
  std::string baseline;
  /// On which both were measured, or for which the model estimates: `NVIDIA H200`.
  std::string device;
  bool isMeasured = false;
  /// The model reads PTX, since the tools for machine code are missing.
  bool isFromPtx = false;
  double us = 0, baselineUs = 0;
  /// The first over the second; of a measurement the median over pairs of launches.
  double share = 0;
  /// Why it could not be measured, where that was asked for; or, with `us` 0, why nothing is known.
  std::string missing;
  bool operator==(const TimedAgainst &) const = default;
};

/// What is known of the learner's kernel in one launch. A part that is missing was not asked for,
/// or could not be had.
struct LaunchOutcome {
  /// The learner's text, as it was compiled.
  std::string text;
  /// The one that is launched; empty: not known.
  std::string kernel;
  bool isCompiled = false;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// Of the launch, the compiler and the run.
  std::vector<compiler::Diagnostic> diagnostics;
  compiler::Resources resources;
  std::string ptx;
  std::optional<profiler::Occupancy> occupancy;
  std::optional<compiler::MemoryFacts> memory;
  std::vector<compiler::Hint> hints;
  /// Of the first programs.
  std::optional<compiler::TouchTrace> touches;
  std::optional<RegisterPressure> pressure;
  std::optional<compiler::SharedFacts> shared;
  /// By the position of the baseline in the lesson.
  std::map<size_t, TimedAgainst> times;
  /// Of TTGIR.
  std::vector<compiler::LayoutFacts> layouts;
  /// Of the interpreter's run.
  std::optional<std::vector<profiler::OutputResult>> outputs;
  /// Why nothing could be found out, when it is no fault of the kernel.
  std::string failure;
};

/// Why a kernel that does not compile does not.
std::string compileFault(const LaunchOutcome &outcome);

/// Where one goal stands.
GoalState checkGoal(const Goal &goal, const LaunchOutcome &outcome);

} // namespace tilescope::app
