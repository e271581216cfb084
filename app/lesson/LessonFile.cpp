// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LessonFile.h"

#include "app/lesson/GoalKinds.h"
#include "app/lesson/LessonText.h"
#include "app/lesson/LiveElements.h"
#include "app/lesson/QuestionKinds.h"
#include "profiler/data/FileIo.h"
#include "profiler/package/TomlReader.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace tilescope::app {

using profiler::inFile;
using profiler::TomlReader;

static Result<std::string> readPart(const std::filesystem::path &folder, const char *name) {
  return profiler::readTextFile((folder / name).string());
}

static void readDirection(TomlReader &table, GoalAccesses &accesses) {
  const std::string word = table.text("access");
  using Direction = GoalAccesses::Direction;
  if (word == "load")
    accesses.direction = Direction::Load;
  else if (word == "store")
    accesses.direction = Direction::Store;
  else if (!word.empty())
    table.failAt("access", "`access` is `load` or `store`; without it, both are meant");
}

static void checkBounds(TomlReader &table, const Goal &goal) {
  const GoalKindFacts &facts = goalKindFacts(goal.kind);
  const auto needs = [&](bool isThere, std::string_view key) {
    if (!isThere)
      table.fail(fmt::format("a goal of the kind `{}` needs `{}`", facts.id, key));
  };
  switch (facts.bound) {
  case GoalBound::None:
    if (goal.atMost || goal.atLeast)
      table.fail(fmt::format("a goal of the kind `{}` has no bound", facts.id));
    break;
  case GoalBound::AtMost:
    needs(goal.atMost.has_value(), "at_most");
    break;
  case GoalBound::AtLeast:
    needs(goal.atLeast.has_value(), "at_least");
    break;
  case GoalBound::Either:
    needs(goal.atMost || goal.atLeast, "at_most` or `at_least");
    break;
  }
  const bool hasName = goal.kind == GoalKind::Calls || goal.kind == GoalKind::Avoids ||
                       goal.kind == GoalKind::DiagnosticAppears ||
                       goal.kind == GoalKind::DiagnosticGone || goal.kind == GoalKind::HintGone ||
                       goal.kind == GoalKind::PtxHas || goal.kind == GoalKind::PtxLacks;
  needs(!hasName || !goal.name.empty(), "name");
  needs(goal.kind != GoalKind::WaveBytes || goal.programs > 0, "programs");
}

/// The index of the launch that a goal or a question names; without a name, the first.
static size_t readLaunch(TomlReader &table, const std::vector<LessonLaunch> &launches) {
  const std::string launch = table.text("launch");
  if (launch.empty())
    return 0;
  const auto found = std::ranges::find(launches, launch, &LessonLaunch::name);
  if (found == launches.end())
    table.failAt("launch", fmt::format("launches.py has no launch named `{}`", launch));
  return found == launches.end() ? 0 : static_cast<size_t>(found - launches.begin());
}

/// Hints are counted from 1, as the learner sees them.
static std::vector<int> readHints(TomlReader &table, size_t numHints) {
  std::vector<int> hints;
  for (const int64_t number : table.integers("hints")) {
    if (number < 1 || number > static_cast<int64_t>(numHints))
      table.failAt("hints",
                   fmt::format("there is no hint {}: the lesson has {}", number, numHints));
    hints.push_back(static_cast<int>(number - 1));
  }
  return hints;
}

std::string LessonBaseline::name() const {
  return kernel.empty() ? fmt::format("`{}`", file) : fmt::format("`{}` of `{}`", kernel, file);
}

/// The position of the baseline that a goal names, which is read where no goal before named it.
static size_t readBaseline(TomlReader &table, const Goal &goal, Lesson &lesson) {
  LessonBaseline baseline{table.text("baseline"), table.text("baseline_kernel"), {}};
  if (goal.kind != GoalKind::Time) {
    if (!baseline.file.empty() || !baseline.kernel.empty())
      table.fail("only a goal of the kind `time` has a baseline");
    return 0;
  }
  if (baseline.file.empty())
    baseline.file = "start.py";
  const bool isInFolder =
      baseline.file.find_first_of("/\\") == std::string::npos && baseline.file.ends_with(".py");
  Result<std::string> text = isInFolder
                                 ? readPart(lesson.folder, baseline.file.c_str())
                                 : Result<std::string>(Error{ErrorCode::InvalidInput, "", ""});
  if (!isInFolder)
    table.failAt("baseline",
                 "`baseline` is a Python file of the lesson's folder, such as `start.py`");
  else if (!text)
    table.failAt("baseline", text.error().message);
  else
    baseline.text = std::move(*text);
  const auto found = std::ranges::find(lesson.baselines, baseline);
  const auto position = static_cast<size_t>(found - lesson.baselines.begin());
  if (found == lesson.baselines.end())
    lesson.baselines.push_back(std::move(baseline));
  return position;
}

static Goal readGoal(const toml::table &source, Lesson &lesson, std::optional<Error> &error) {
  TomlReader table(source, error);
  Goal goal;
  const std::string kind = table.text("kind", true);
  if (const std::optional<GoalKind> found = findGoalKind(kind))
    goal.kind = *found;
  else
    table.failAt("kind",
                 fmt::format("`{}` is not a kind of goal; use one of {}", kind, goalKindNames()));
  goal.text = table.text("text", true);
  goal.launch = readLaunch(table, lesson.launches);
  goal.hints = readHints(table, lesson.hints.size());
  goal.atMost = table.number("at_most");
  goal.atLeast = table.number("at_least");
  goal.accesses.argument = table.text("argument");
  readDirection(table, goal.accesses);
  goal.onlyInLoops = table.flag("only_in_loops");
  goal.name = table.text("name");
  goal.programs = static_cast<int64_t>(table.number("programs").value_or(0));
  goal.isMetAtStart = table.flag("met_at_start");
  goal.baseline = readBaseline(table, goal, lesson);
  checkBounds(table, goal);
  table.finish();
  return goal;
}

/// Results count as right only without faults, unless another goal tells these.
static void tellFaultsApart(std::vector<Goal> &goals) {
  for (Goal &goal : goals)
    goal.areFaultsToldApart =
        goal.kind == GoalKind::Outputs && std::ranges::any_of(goals, [&](const Goal &other) {
          return other.kind == GoalKind::NoFaults && other.launch == goal.launch;
        });
}

static void checkQuestion(TomlReader &table, const Question &question) {
  const QuestionKindFacts &facts = questionKindFacts(question.kind);
  const auto needs = [&](bool isThere, std::string_view key) {
    if (!isThere)
      table.fail(fmt::format("a question of the kind `{}` needs `{}`", facts.id, key));
  };
  const bool isAboutArgument =
      facts.needs == GoalNeeds::Touches || facts.needs == GoalNeeds::Layouts;
  needs(!isAboutArgument || !question.accesses.argument.empty(), "argument");
  needs(facts.needs != GoalNeeds::Touches || !question.program.empty(), "program");
  if (question.program.size() > 3)
    table.failAt("program", "`program` is one number for each dimension of the grid");
  if (question.kind != QuestionKind::Holder)
    return;
  needs(!question.element.empty(), "element");
  if (question.part != "register" && question.part != "lane" && question.part != "warp")
    table.failAt("part", "`part` is `register`, `lane` or `warp`");
}

static Question readQuestion(const toml::table &source, const std::vector<LessonLaunch> &launches,
                             std::optional<Error> &error) {
  TomlReader table(source, error);
  Question question;
  const std::string kind = table.text("kind", true);
  if (const std::optional<QuestionKind> found = findQuestionKind(kind))
    question.kind = *found;
  else
    table.failAt("kind", fmt::format("`{}` is not a kind of question; use one of {}", kind,
                                     questionKindNames()));
  question.text = table.text("text", true);
  question.launch = readLaunch(table, launches);
  question.accesses.argument = table.text("argument");
  readDirection(table, question.accesses);
  question.element = table.integers("element");
  question.part = table.text("part");
  question.program = table.integers("program");
  const std::pair<const char *, int64_t *> places[] = {
      {"register", &question.reg}, {"lane", &question.lane}, {"warp", &question.warp}};
  for (const auto &[key, place] : places)
    *place = static_cast<int64_t>(table.number(key).value_or(0));
  checkQuestion(table, question);
  table.finish();
  return question;
}

static void readHeader(TomlReader &table, Lesson &lesson) {
  lesson.title = table.text("title", true);
  lesson.summary = table.text("summary", true);
  lesson.minutes = static_cast<int>(table.number("minutes").value_or(0));
  if (lesson.minutes < 1 || lesson.minutes > 600)
    table.failAt("minutes", "`minutes` is how long a learner needs, from 1 to 600");
  lesson.target = table.text("target");
  const std::string kind = table.text("kind");
  if (kind == "puzzle")
    lesson.kind = LessonKind::Puzzle;
  else if (!kind.empty() && kind != "lesson")
    table.failAt("kind", "`kind` is `lesson` or `puzzle`");
}

/// The texts of a lesson, without what lesson.toml says.
static Result<Lesson> readParts(const std::filesystem::path &folder) {
  Lesson lesson;
  lesson.folder = folder.string();
  lesson.id = folder.filename().string();
  const std::pair<const char *, std::string *> parts[] = {
      {"text.md", &lesson.text}, {"start.py", &lesson.start}, {"solution.py", &lesson.solution}};
  for (const auto &[name, part] : parts) {
    Result<std::string> text = readPart(folder, name);
    if (!text)
      return text.error();
    *part = std::move(*text);
  }
  if (const Result<std::vector<LiveElement>> live = liveElementsIn(lesson.text); !live)
    return inFile((folder / "text.md").string(), live.error());
  if (std::filesystem::exists(folder / "launches.py")) {
    const Result<std::string> launches = readPart(folder, "launches.py");
    if (!launches)
      return launches.error();
    lesson.launches = launchesIn(*launches);
    if (lesson.launches.empty())
      return inFile((folder / "launches.py").string(),
                    Error{ErrorCode::InvalidInput, "it has no launch block", ""});
  }
  return lesson;
}

Result<Lesson> readLesson(const std::string &path) {
  std::filesystem::path folder = std::filesystem::path(path).lexically_normal();
  if (!folder.has_filename())
    folder = folder.parent_path();
  const std::string file = (folder / "lesson.toml").string();
  const Result<toml::table> source = profiler::readTomlFile(file);
  if (!source)
    return source.error();
  Result<Lesson> lesson = readParts(folder);
  if (!lesson)
    return lesson;
  std::optional<Error> error;
  TomlReader table(*source, error);
  readHeader(table, *lesson);
  lesson->hints = table.texts("hints");
  for (const toml::table *goal : table.tables("goals"))
    lesson->goals.push_back(readGoal(*goal, *lesson, error));
  tellFaultsApart(lesson->goals);
  for (const toml::table *question : table.tables("questions"))
    lesson->questions.push_back(readQuestion(*question, lesson->launches, error));
  if (lesson->goals.empty())
    table.fail("a lesson has at least one goal: write `[[goals]]`");
  table.finish();
  if (error)
    return inFile(file, *error);
  return lesson;
}

Result<std::string> readLessonTitle(const std::string &folder) {
  const std::string file = (std::filesystem::path(folder) / "lesson.toml").string();
  Result<std::string> text = profiler::readTextFile(file);
  if (!text)
    return text.error();
  // What is above the goals.
  if (const size_t goals = text->find("\n[["); goals != std::string::npos)
    text->resize(goals + 1);
  const profiler::ParsedToml parsed = profiler::parseTomlFile(*text);
  const std::optional<std::string> title =
      parsed.table ? (*parsed.table)["title"].value<std::string>() : std::nullopt;
  if (!title)
    return inFile(file, Error{ErrorCode::InvalidInput, "it has no title", ""});
  return *title;
}

Result<std::vector<Chapter>> readCurriculum(const std::string &folder) {
  const std::string file = (std::filesystem::path(folder) / "curriculum.toml").string();
  const Result<toml::table> source = profiler::readTomlFile(file);
  if (!source)
    return source.error();
  std::optional<Error> error;
  TomlReader table(*source, error);
  std::vector<Chapter> chapters;
  for (const toml::table *each : table.tables("chapters")) {
    TomlReader chapter(*each, error);
    chapters.push_back({chapter.text("title", true), chapter.texts("lessons")});
    for (const std::string &id : chapters.back().lessons)
      if (id.empty() || id.find_first_of("/\\") != std::string::npos || id.front() == '.' ||
          !std::filesystem::is_directory(std::filesystem::path(folder) / id))
        chapter.failAt("lessons", fmt::format("there is no lesson `{}` in this folder", id));
    chapter.finish();
  }
  table.finish();
  if (error)
    return inFile(file, *error);
  return chapters;
}

} // namespace tilescope::app
