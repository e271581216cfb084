// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CheckLesson.h"
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/FindLesson.h"
#include "app/commands/GradedFiles.h"
#include "app/commands/LessonCommands.h"
#include "app/commands/RunLaunch.h"
#include "app/lesson/LessonFile.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

namespace {

enum class Grade : uint8_t {
  Solved,
  /// Something that is needed to tell is missing: a result that is expected, a tool.
  Unchecked,
  /// It runs; its results, or what it costs, are not what was asked for.
  Wrong,
  /// It does not compile, or the run finds a fault.
  Faulty,
};

struct GradedFile {
  std::string path;
  Grade grade = Grade::Faulty;
  /// What shows it.
  std::string reason;
  /// Of a lesson; 0: there is none.
  size_t numMet = 0, numGoals = 0;
};

} // namespace

static std::string_view gradeName(Grade grade) {
  switch (grade) {
  case Grade::Solved:
    return "solved";
  case Grade::Unchecked:
    return "unchecked";
  case Grade::Wrong:
    return "wrong";
  case Grade::Faulty:
    break;
  }
  return "faulty";
}

/// Without a lesson there are two goals: no fault, and the results that the launch block expects.
static Lesson plainLesson() {
  Lesson lesson;
  lesson.goals = {{.kind = GoalKind::Compiles, .text = "it compiles"},
                  {.kind = GoalKind::NoFaults, .text = "it runs without a fault"},
                  {.kind = GoalKind::Outputs, .text = "its results are as expected"}};
  return lesson;
}

static bool isFault(const Goal &goal, const GoalState &state) {
  return state.isFaulty || goal.kind == GoalKind::Compiles || goal.kind == GoalKind::NoFaults;
}

static GradedFile gradeStates(const std::string &path, const Lesson &lesson,
                              const std::vector<GoalState> &states) {
  GradedFile graded{path, Grade::Solved, "", 0, lesson.goals.size()};
  for (size_t i = 0; i < states.size(); ++i) {
    if (states[i].verdict == GoalVerdict::Met) {
      ++graded.numMet;
      continue;
    }
    const Grade grade = states[i].verdict == GoalVerdict::Unknown ? Grade::Unchecked
                        : isFault(lesson.goals[i], states[i])     ? Grade::Faulty
                                                                  : Grade::Wrong;
    if (graded.reason.empty() || grade > graded.grade)
      graded.reason = states[i].evidence;
    graded.grade = std::max(graded.grade, grade);
  }
  return graded;
}

static Result<GradedFile> gradeFile(compiler::WorkerClient &worker, const Lesson &lesson,
                                    const std::string &path, const AttemptOptions &options) {
  const Result<std::string> text = profiler::readTextFile(path);
  if (!text)
    return text.error();
  const Result<std::vector<GoalState>> states =
      checkAttempt(worker, {lesson, path, *text}, options);
  if (!states)
    return states.error();
  return gradeStates(path, lesson, *states);
}

static std::string gradedText(const GradedFile &file, bool hasLesson) {
  std::string text = fmt::format("{:<9} {}", gradeName(file.grade), file.path);
  if (hasLesson)
    text += fmt::format("  {} of {} goals", file.numMet, file.numGoals);
  if (!file.reason.empty())
    text += ": " + file.reason;
  return text + "\n";
}

int runGrade(const GradeOptions &options) {
  Lesson lesson = plainLesson();
  Result<std::string> folder = std::string();
  if (!options.lesson.empty()) {
    folder = findLesson(options.lesson);
    if (!folder)
      return reportError(folder.error(), options.json);
    Result<Lesson> read = readLesson(*folder);
    if (!read)
      return reportError(read.error(), options.json);
    lesson = std::move(*read);
  }
  const Result<std::vector<std::string>> paths = gradedFiles(options.files, *folder);
  if (!paths)
    return reportError(paths.error(), options.json);
  Result<std::optional<RunPlace>> measureAt = parseMeasurePlace(options.where);
  if (!measureAt)
    return reportError(measureAt.error(), options.json);
  KeptFacts kept;
  AttemptOptions attempt;
  attempt.kept = &kept;
  attempt.measureAt = std::move(*measureAt);
  compiler::WorkerClient worker(workerOptions());
  nlohmann::json files = nlohmann::json::array();
  bool isAllSolved = true;
  for (const std::string &path : *paths) {
    const Result<GradedFile> graded = gradeFile(worker, lesson, path, attempt);
    if (!graded)
      return reportError(graded.error(), options.json);
    isAllSolved &= graded->grade == Grade::Solved;
    nlohmann::json each = {{"file", path}, {"grade", gradeName(graded->grade)}};
    if (!graded->reason.empty())
      each["reason"] = graded->reason;
    if (!options.lesson.empty())
      each.update({{"goals", graded->numGoals}, {"met", graded->numMet}});
    files.push_back(std::move(each));
    if (!options.json)
      std::fputs(profiler::printable(gradedText(*graded, !options.lesson.empty())).c_str(), stdout);
  }
  if (options.json)
    printJson({{"ok", isAllSolved}, {"files", files}});
  return isAllSolved ? 0 : 1;
}

} // namespace tilescope::app
