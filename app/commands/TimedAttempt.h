// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How long a learner's kernel takes beside a baseline of its lesson: by the model's estimate, which
// needs no GPU, or measured.
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/RunPlace.h"
#include "app/lesson/GoalCheck.h"

#include <map>
#include <optional>
#include <stop_token>

namespace tilescope::app {

/// Times of before: estimates of baselines, which no edit of the learner's changes, and measurements,
/// which hold when the learner comes back to a text. Thread: one.
class KeptTimes {
public:
  /// By the text with its launch, and the target.
  std::map<std::pair<std::string, std::string>, compiler::Estimate> estimates;
  /// By both texts with their launches.
  std::map<std::pair<std::string, std::string>, TimedAgainst> measured;
};

/// What is timed, and how.
struct TimedPair {
  InputFile own, baseline;
  /// As in `LessonBaseline::name`.
  std::string name;
  /// That the estimate is for; empty: the usual one.
  std::string target;
  /// The GPU that measures both; nothing: only what is kept of measurements counts.
  std::optional<RunPlace> measureAt = std::nullopt;
};

/// The error is about the environment, or that it was stopped. Thread: the worker's.
Result<TimedAgainst> timeAgainst(compiler::WorkerClient &worker, const TimedPair &pair,
                                 KeptTimes &kept, const std::stop_token &stop);

} // namespace tilescope::app
