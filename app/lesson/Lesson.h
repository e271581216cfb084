// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// What a goal asks for; one line each in GoalKinds.def.
enum class GoalKind : uint8_t {
#define TILESCOPE_GOAL(name, id, bound, needs) name,
#include "app/lesson/GoalKinds.def"
#undef TILESCOPE_GOAL
};

/// What a question asks; one line each in QuestionKinds.def.
enum class QuestionKind : uint8_t {
#define TILESCOPE_QUESTION(name, id, form, needs, view) name,
#include "app/lesson/QuestionKinds.def"
#undef TILESCOPE_QUESTION
};

/// Which accesses a goal or a question is about.
struct GoalAccesses {
  /// The kernel's argument; empty: every one.
  std::string argument;
  /// Loads, stores or both.
  enum class Direction : uint8_t { Any, Load, Store } direction = Direction::Any;
  bool operator==(const GoalAccesses &) const = default;
};

/// Something that the learner's kernel must do. Declared, not programmed: lesson.toml states it.
struct Goal {
  GoalKind kind{};
  /// What the learner reads: "Each load of `x_ptr` fetches at most 4 sectors a request".
  std::string text;
  /// The launch of the lesson that it is checked with, an index; the learner's own launch where the
  /// lesson has none.
  size_t launch = 0;
  std::optional<double> atMost = {}, atLeast = {};
  GoalAccesses accesses = {};
  /// Of `conversions`: only those inside loops.
  bool onlyInLoops = false;
  /// The id of a diagnostic or hint, or the name of a function: `tl.dot`.
  std::string name = {};
  /// Of `wave-bytes`: the programs that run at the same time, from the first on.
  int64_t programs = 0;
  /// The kernel that the learner starts with meets it already; an edit may break it.
  bool isMetAtStart = false;
  /// Of `outputs`: another goal is about the faults of the same launch, so this one is about results
  /// alone.
  bool areFaultsToldApart = false;
  /// Of `time`: an index into the lesson's baselines. `atMost` is a share of that one's time.
  size_t baseline = 0;
  /// Positions of the lesson's hints that lead to it, in the order in which they open.
  std::vector<int> hints = {};
  bool operator==(const Goal &) const = default;
};

/// Something about the learner's kernel to predict, before the compiler tells it.
struct Question {
  QuestionKind kind{};
  /// What the learner reads: "How many sectors does a request of `x_ptr` touch?"
  std::string text;
  /// As of a goal.
  size_t launch = 0;
  GoalAccesses accesses = {};
  /// Of `holder`: an index into the block, and whether the `register`, `lane` or `warp` is asked for.
  std::vector<int64_t> element = {};
  std::string part = {};
  /// Of `held-element`: where the element is.
  int64_t reg = 0, lane = 0, warp = 0;
  /// Of questions about a program: which one.
  std::vector<int64_t> program = {};
  bool operator==(const Question &) const = default;
};

/// A launch that the lesson checks with. What it states, such as sizes and arguments, takes the place
/// of the same tables of the learner's block; the learner's grid, constexprs and options hold where
/// it has none.
struct LessonLaunch {
  std::string name;
  /// The contents of the launch block.
  std::string toml;
  bool operator==(const LessonLaunch &) const = default;
};

/// A kernel whose time the learner's is held against.
struct LessonBaseline {
  /// In the lesson's folder: `start.py`.
  std::string file;
  /// Empty: the one that its launch block names, or the only one.
  std::string kernel;
  std::string text;
  /// "`start.py`", "`naive` of `start.py`".
  std::string name() const;
  bool operator==(const LessonBaseline &) const = default;
};

enum class LessonKind : uint8_t { Lesson, Puzzle };

/// A lesson: a folder with `lesson.toml`, `text.md`, `start.py`, `solution.py` and, where the lesson
/// has launches of its own, `launches.py`, a file of launch blocks.
struct Lesson {
  /// The folder's name.
  std::string id;
  std::string folder;
  LessonKind kind = LessonKind::Lesson;
  std::string title;
  /// One sentence.
  std::string summary;
  /// What a learner needs for it, about.
  int minutes = 0;
  /// The target that it is checked for: `cuda:90`.
  std::string target;
  /// Markdown.
  std::string text;
  std::string start, solution;
  std::vector<LessonLaunch> launches;
  std::vector<LessonBaseline> baselines;
  std::vector<Goal> goals;
  std::vector<Question> questions;
  /// They open one by one.
  std::vector<std::string> hints;
};

/// A part of the curriculum.
struct Chapter {
  std::string title;
  /// Ids of lessons, in the order in which they are worked.
  std::vector<std::string> lessons;
};

} // namespace tilescope::app
