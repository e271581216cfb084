// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"
#include "app/commands/LessonCommands.h"
#include "app/lesson/LessonProgress.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilescope::app {

namespace fs = std::filesystem;

namespace {

struct Learner {
  std::string name;
  LessonProgress progress;
};

/// Files of progress with the names of their learners, and the folders that have none.
struct FoundFiles {
  std::vector<std::pair<std::string, fs::path>> files;
  std::vector<std::string> without;
};

/// Who is where in one lesson.
struct LessonRow {
  std::vector<std::string> solved;
  /// By the first goal that is not met.
  std::map<std::string, std::vector<std::string>> stuck;
  /// Questions answered, and of them right at once, by the learner.
  std::map<std::string, std::pair<int, int>> answers;
};

} // namespace

/// `anna/progress.json` is Anna's, and so is `anna.json`.
static std::string learnerOf(const fs::path &file) {
  return file.filename() == "progress.json" && file.has_parent_path()
             ? file.parent_path().filename().string()
             : file.stem().string();
}

/// Copying the folder `lessons` into one that is there already makes `anna/lessons/progress.json`.
static std::optional<fs::path> progressIn(const fs::path &learner) {
  for (const char *name : {"progress.json", "lessons/progress.json"})
    if (std::error_code ignored; fs::exists(learner / name, ignored))
      return learner / name;
  return std::nullopt;
}

static Status findIn(const fs::path &folder, FoundFiles &found) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder, error))
    entries.push_back(entry.path());
  std::ranges::sort(entries);
  const size_t before = found.files.size();
  for (const fs::path &entry : entries) {
    std::error_code ignored;
    const std::string name = entry.filename().string();
    if (entry.extension() == ".json")
      found.files.emplace_back(learnerOf(entry), entry);
    else if (const auto progress = progressIn(entry))
      found.files.emplace_back(name, *progress);
    else if (fs::is_directory(entry, ignored) && !name.starts_with('.'))
      found.without.push_back(name);
  }
  if (error || found.files.size() == before)
    return Error{ErrorCode::InvalidInput,
                 "`" + folder.string() + "` has no file of progress in lessons",
                 "put each learner's progress.json there, in a folder of the learner's name"};
  return {};
}

static Result<FoundFiles> findFiles(const std::vector<std::string> &paths) {
  FoundFiles found;
  for (const std::string &path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      if (Status status = findIn(path, found); !status)
        return status.error();
    } else if (fs::exists(path, error)) {
      found.files.emplace_back(learnerOf(path), path);
    } else {
      return Error{ErrorCode::InvalidInput, "`" + path + "` does not exist", ""};
    }
  }
  return found;
}

static std::map<std::string, LessonRow> rowsOf(const std::vector<Learner> &learners) {
  std::map<std::string, LessonRow> rows;
  for (const Learner &learner : learners)
    for (const auto &[id, score] : learner.progress.lessons) {
      LessonRow &row = rows[id];
      if (!score.solvedAt.empty())
        row.solved.push_back(learner.name);
      else
        row.stuck[score.open.empty() ? std::string() : score.open.front()].push_back(learner.name);
      for (const auto &[question, answer] : score.questions) {
        auto &[numAnswered, numRight] = row.answers[learner.name];
        ++numAnswered;
        numRight += answer.isRightAtOnce;
      }
    }
  return rows;
}

static std::string progressText(const std::vector<Learner> &learners,
                                const std::vector<std::string> &without) {
  std::string text =
      fmt::format("{} learner{}\n", learners.size(), learners.size() == 1 ? "" : "s");
  for (const auto &[id, row] : rowsOf(learners)) {
    text += fmt::format("{}: solved by {} of {}\n", id, row.solved.size(), learners.size());
    for (const auto &[goal, names] : row.stuck)
      text += fmt::format("  at \"{}\": {}\n", goal, fmt::join(names, ", "));
    for (const auto &[name, answers] : row.answers)
      text += fmt::format("  {} has answered {} question{}, {} right at once\n", name,
                          answers.first, answers.first == 1 ? "" : "s", answers.second);
  }
  if (!without.empty())
    text += fmt::format("not counted, since {} no progress.json: {}\n",
                        without.size() == 1 ? "the folder has" : "their folders have",
                        fmt::join(without, ", "));
  return text;
}

static nlohmann::json progressJson(const std::vector<Learner> &learners,
                                   const std::vector<std::string> &without,
                                   const std::vector<std::string> &faults) {
  nlohmann::json lessons = nlohmann::json::object();
  for (const auto &[id, row] : rowsOf(learners)) {
    nlohmann::json stuck = nlohmann::json::array();
    for (const auto &[goal, names] : row.stuck)
      stuck.push_back({{"goal", goal}, {"learners", names}});
    nlohmann::json answers = nlohmann::json::object();
    for (const auto &[name, counts] : row.answers)
      answers[name] = {{"answered", counts.first}, {"right_at_once", counts.second}};
    lessons[id] = {{"solved", row.solved}, {"open", stuck}, {"questions", answers}};
  }
  nlohmann::json names = nlohmann::json::array();
  for (const Learner &learner : learners)
    names.push_back(learner.name);
  return {{"ok", faults.empty()},
          {"learners", names},
          {"lessons", lessons},
          {"without_progress", without},
          {"faults", faults}};
}

int runProgress(const ProgressOptions &options) {
  const Result<FoundFiles> found = findFiles(options.paths);
  if (!found)
    return reportError(found.error(), options.json);
  std::vector<Learner> learners;
  std::vector<std::string> faults;
  for (const auto &[learner, file] : found->files) {
    Result<LessonProgress> progress = readProgress(file.string());
    if (progress)
      learners.push_back({learner, std::move(*progress)});
    else
      faults.push_back(progress.error().message);
  }
  // A file that cannot be read says nothing of the others.
  for (const std::string &fault : faults)
    reportError({ErrorCode::InvalidInput, fault, ""});
  if (options.json)
    printJson(progressJson(learners, found->without, faults));
  else
    std::fputs(profiler::printable(progressText(learners, found->without)).c_str(), stdout);
  return faults.empty() ? 0 : 1;
}

} // namespace tilescope::app
