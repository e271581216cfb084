// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LessonProgress.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;

bool LessonProgress::note(const std::string &lesson, int numMet, int numGoals,
                          const std::string &now) {
  LessonScore &score = lessons[lesson];
  const LessonScore before = score;
  score.numMet = std::clamp(std::max(score.numMet, numMet), 0, numGoals);
  score.numGoals = numGoals;
  if (numMet == numGoals && score.solvedAt.empty())
    score.solvedAt = now;
  return score != before;
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
                               profiler::jsonOr<std::string>(entry, "solved_at", {})};
        return found;
      });
  return read ? read : profiler::inFile(path, read.error());
}

Status writeProgress(const std::string &path, const LessonProgress &progress) {
  json lessons = json::object();
  for (const auto &[id, score] : progress.lessons) {
    lessons[id] = {{"met", score.numMet}, {"goals", score.numGoals}};
    if (!score.solvedAt.empty())
      lessons[id]["solved_at"] = score.solvedAt;
  }
  return profiler::writeFile(path, json{{"version", 1}, {"lessons", lessons}}.dump(2) + "\n");
}

} // namespace tilescope::app
