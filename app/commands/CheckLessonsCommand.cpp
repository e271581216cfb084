// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AnswerQuestion.h"
#include "app/commands/CheckLesson.h"
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/LessonCommands.h"
#include "app/lesson/LessonFile.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

namespace {

/// What the check of a lesson found.
struct CheckedLesson {
  std::string folder, title;
  struct Row {
    const Goal *goal = nullptr;
    GoalState start, solution;
  };
  std::vector<Row> rows;
  struct QuestionRow {
    const Question *question = nullptr;
    Result<Answer> start, solution;
  };
  std::vector<QuestionRow> questions;
  /// Sentences; empty: the lesson is right.
  std::vector<std::string> faults;
};

} // namespace

/// The lessons in a folder, or the folder itself.
static Result<std::vector<std::string>> findLessons(const std::vector<std::string> &folders) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  for (const std::string &folder : folders) {
    std::error_code error;
    if (fs::exists(fs::path(folder) / "lesson.toml", error)) {
      found.push_back(folder);
      continue;
    }
    const size_t before = found.size();
    for (const auto &entry : fs::directory_iterator(folder, error))
      if (fs::exists(entry.path() / "lesson.toml"))
        found.push_back(entry.path().string());
    if (error)
      return Error{ErrorCode::InvalidInput, "cannot read `" + folder + "`: " + error.message(), ""};
    if (found.size() == before)
      return Error{ErrorCode::InvalidInput, "`" + folder + "` has no lesson",
                   "a lesson is a folder with a file lesson.toml; `tilescope lesson new DIR` makes "
                   "one"};
    std::sort(found.begin() + static_cast<long>(before), found.end());
  }
  return found;
}

static std::string faultText(std::string_view which, const Goal &goal, std::string_view what,
                             const GoalState &state) {
  return fmt::format("{} {} the goal \"{}\": {}", which, what, goal.text, state.evidence);
}

/// A question must have an answer for both kernels, unless a tool is missing that would tell it.
static void judgeQuestion(const CheckedLesson::QuestionRow &row, std::vector<std::string> &faults) {
  const std::pair<const char *, const Result<Answer> *> sides[] = {{"start.py", &row.start},
                                                                   {"solution.py", &row.solution}};
  for (const auto &[which, answer] : sides)
    if (!*answer && answer->error().code != ErrorCode::Environment)
      faults.push_back(fmt::format("{} has no answer to the question \"{}\": {}", which,
                                   row.question->text, answer->error().message));
}

static void judge(CheckedLesson &checked) {
  bool isChanged = false;
  for (const CheckedLesson::Row &row : checked.rows) {
    if (row.solution.verdict == GoalVerdict::NotMet)
      checked.faults.push_back(faultText("solution.py", *row.goal, "does not meet", row.solution));
    if (row.start.verdict == GoalVerdict::Met && !row.goal->isMetAtStart)
      checked.faults.push_back(faultText("start.py", *row.goal, "already meets", row.start));
    if (row.start.verdict == GoalVerdict::NotMet && row.goal->isMetAtStart)
      checked.faults.push_back(faultText("start.py", *row.goal, "does not meet", row.start));
    isChanged |= !row.goal->isMetAtStart;
  }
  for (const CheckedLesson::QuestionRow &row : checked.questions)
    judgeQuestion(row, checked.faults);
  if (!isChanged)
    checked.faults.emplace_back("start.py meets every goal: there is nothing to do");
}

static Result<CheckedLesson> checkLesson(compiler::WorkerClient &worker, const Lesson &lesson,
                                         const std::optional<RunPlace> &measureAt) {
  namespace fs = std::filesystem;
  const auto at = [&](const char *name) { return (fs::path(lesson.folder) / name).string(); };
  const LessonAttempt startAttempt{lesson, at("start.py"), lesson.start};
  const LessonAttempt solutionAttempt{lesson, at("solution.py"), lesson.solution};
  AttemptOptions options;
  options.measureAt = measureAt;
  const Result<std::vector<GoalState>> start = checkAttempt(worker, startAttempt, options);
  if (!start)
    return start.error();
  const Result<std::vector<GoalState>> solution = checkAttempt(worker, solutionAttempt, options);
  if (!solution)
    return solution.error();
  CheckedLesson checked{lesson.folder, lesson.title, {}, {}, {}};
  for (size_t i = 0; i < lesson.goals.size(); ++i)
    checked.rows.push_back({&lesson.goals[i], (*start)[i], (*solution)[i]});
  for (const Question &question : lesson.questions)
    checked.questions.push_back({&question, answerQuestion(worker, startAttempt, question),
                                 answerQuestion(worker, solutionAttempt, question)});
  judge(checked);
  return checked;
}

static std::string_view verdictName(GoalVerdict verdict) {
  switch (verdict) {
  case GoalVerdict::Met:
    return "met";
  case GoalVerdict::NotMet:
    return "not met";
  case GoalVerdict::Unknown:
    break;
  }
  return "unknown";
}

static std::string answerText(const Result<Answer> &answer) {
  return answer ? fmt::format("{}: {}", answer->text, answer->explanation)
                : fmt::format("no answer: {}", answer.error().message);
}

static std::string lessonText(const CheckedLesson &checked) {
  std::string text =
      fmt::format("{} {}\n", checked.faults.empty() ? "ok   " : "FAULT", checked.folder);
  for (const CheckedLesson::Row &row : checked.rows) {
    text += fmt::format("  {}\n", row.goal->text);
    text +=
        fmt::format("    start:    {}: {}\n", verdictName(row.start.verdict), row.start.evidence);
    text += fmt::format("    solution: {}: {}\n", verdictName(row.solution.verdict),
                        row.solution.evidence);
  }
  for (const CheckedLesson::QuestionRow &row : checked.questions)
    text += fmt::format("  {}\n    start:    {}\n    solution: {}\n", row.question->text,
                        answerText(row.start), answerText(row.solution));
  for (const std::string &fault : checked.faults)
    text += "  fault: " + fault + "\n";
  return text;
}

static nlohmann::json stateJson(const GoalState &state) {
  return {{"verdict", verdictName(state.verdict)}, {"evidence", state.evidence}};
}

static nlohmann::json answerJson(const Result<Answer> &answer) {
  if (!answer)
    return {{"error", answer.error().message}};
  return {{"answer", answer->text}, {"explanation", answer->explanation}};
}

static nlohmann::json lessonJson(const CheckedLesson &checked) {
  nlohmann::json goals = nlohmann::json::array();
  for (const CheckedLesson::Row &row : checked.rows)
    goals.push_back({{"text", row.goal->text},
                     {"start", stateJson(row.start)},
                     {"solution", stateJson(row.solution)}});
  nlohmann::json questions = nlohmann::json::array();
  for (const CheckedLesson::QuestionRow &row : checked.questions)
    questions.push_back({{"text", row.question->text},
                         {"start", answerJson(row.start)},
                         {"solution", answerJson(row.solution)}});
  return {{"folder", checked.folder}, {"title", checked.title}, {"ok", checked.faults.empty()},
          {"goals", goals},           {"questions", questions}, {"faults", checked.faults}};
}

int runCheckLessons(const CheckLessonOptions &options) {
  const Result<std::vector<std::string>> folders = findLessons(options.folders);
  if (!folders)
    return reportError(folders.error(), options.json);
  const Result<std::optional<RunPlace>> measureAt = parseMeasurePlace(options.where);
  if (!measureAt)
    return reportError(measureAt.error(), options.json);
  compiler::WorkerClient worker(workerOptions());
  nlohmann::json document = {{"ok", true}, {"lessons", nlohmann::json::array()}};
  size_t numRight = 0;
  for (const std::string &folder : *folders) {
    const Result<Lesson> lesson = readLesson(folder);
    if (!lesson)
      return reportError(lesson.error(), options.json);
    const Result<CheckedLesson> checked = checkLesson(worker, *lesson, *measureAt);
    if (!checked)
      return reportError(checked.error(), options.json);
    numRight += checked->faults.empty();
    document["lessons"].push_back(lessonJson(*checked));
    if (!options.json)
      std::fputs(profiler::printable(lessonText(*checked)).c_str(), stdout);
  }
  const bool ok = numRight == folders->size();
  document["ok"] = ok;
  if (options.json)
    printJson(document);
  else
    std::fputs(fmt::format("{} of {} lessons are right\n", numRight, folders->size()).c_str(),
               stdout);
  return ok ? 0 : 1;
}

} // namespace tilescope::app
