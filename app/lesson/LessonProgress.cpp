// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LessonProgress.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

namespace tilescope::app {

using nlohmann::json;

/// Of one lesson, as far as files of progress are believed.
static constexpr int kMostHints = 1000;

bool LessonProgress::note(const std::string &lesson, int numGoals, std::vector<std::string> open,
                          const std::string &now) {
  LessonScore &score = lessons[lesson];
  const LessonScore before = score;
  const int numMet = numGoals - static_cast<int>(open.size());
  score.numMet = std::clamp(std::max(score.numMet, numMet), 0, numGoals);
  score.numGoals = numGoals;
  score.open = std::move(open);
  if (numMet == numGoals && score.solvedAt.empty())
    score.solvedAt = now;
  return score != before;
}

void LessonProgress::noteAnswer(const std::string &lesson, int question, bool isRight) {
  QuestionScore &score = lessons[lesson].questions[question];
  score.isRightAtOnce |= isRight && score.tries == 0;
  score.isRight |= isRight;
  ++score.tries;
}

static std::map<int, QuestionScore> questionsOf(const json &entry) {
  std::map<int, QuestionScore> questions;
  for (const json &each : profiler::jsonOr<json>(entry, "questions", json::array()))
    questions[profiler::jsonAs<int>(each.at("question"))] = {
        profiler::jsonOr<int>(each, "tries", 1), profiler::jsonOr<bool>(each, "at_once", false),
        profiler::jsonOr<bool>(each, "right", false)};
  return questions;
}

/// Earlier files have how many there are, from the first on.
static std::vector<int> hintsOf(const json &entry) {
  const json hints = profiler::jsonOr<json>(entry, "hints", json::array());
  std::vector<int> open;
  if (!hints.is_array()) {
    open.resize(std::clamp(profiler::jsonAs<int>(hints), 0, kMostHints));
    std::iota(open.begin(), open.end(), 0);
    return open;
  }
  for (const json &each : hints)
    if (const int hint = profiler::jsonAs<int>(each); std::ranges::find(open, hint) == open.end())
      open.push_back(hint);
  return open;
}

Result<LessonProgress> readProgress(const std::string &path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return LessonProgress();
  const Result<std::string> text = profiler::readTextFile(path);
  if (!text)
    return text.error();
  Result<LessonProgress> read =
      profiler::readJson(*text, "a file of progress in lessons", [](const json &document) {
        LessonProgress found;
        for (const auto &[id, entry] : document.at("lessons").items())
          found.lessons[id] = {profiler::jsonOr<int>(entry, "met", 0),
                               profiler::jsonOr<int>(entry, "goals", 0),
                               profiler::jsonOr<std::vector<std::string>>(entry, "open", {}),
                               profiler::jsonOr<std::string>(entry, "solved_at", {}),
                               questionsOf(entry),
                               hintsOf(entry)};
        return found;
      });
  return read ? read : profiler::inFile(path, read.error());
}

Status writeProgress(const std::string &path, const LessonProgress &progress) {
  json lessons = json::object();
  for (const auto &[id, score] : progress.lessons) {
    lessons[id] = {{"met", score.numMet}, {"goals", score.numGoals}, {"open", score.open}};
    if (!score.solvedAt.empty())
      lessons[id]["solved_at"] = score.solvedAt;
    if (!score.hints.empty())
      lessons[id]["hints"] = score.hints;
    for (const auto &[question, answers] : score.questions)
      lessons[id]["questions"].push_back({{"question", question},
                                          {"tries", answers.tries},
                                          {"at_once", answers.isRightAtOnce},
                                          {"right", answers.isRight}});
  }
  return profiler::writeFile(path, json{{"version", 1}, {"lessons", lessons}}.dump(2) + "\n");
}

} // namespace tilescope::app
